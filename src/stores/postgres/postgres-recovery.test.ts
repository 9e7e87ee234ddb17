// What a store finds after something went wrong, and texts that PostgreSQL would not take.
import { describe, expect, it } from 'vitest';
import { skipReason } from '../../../test/fixtures/postgres/database.ts';
import { useStores } from '../../../test/fixtures/postgres/open-stores.ts';
import { verifies } from '../../../test/requirements/verifies.ts';
import {
  aCall,
  aMandateDraft,
  anAnswer,
  aReport,
  aStoreSettings,
} from '../../testing/store-builders.ts';
import type { StoreSettings } from '../store.ts';

describe.skipIf(skipReason !== undefined)('a PostgreSQL store', () => {
  const stores = useStores();
  const start = (over: Partial<StoreSettings> = {}) => {
    const settings = aStoreSettings({ nowMs: 1_800_000_000_000 }, over);
    const store = stores.openAt(stores.url(), settings);
    return { store, report: store.start() };
  };

  it('makes origin and secret once', async () => {
    const first = await start().report;
    expect(first).toMatchObject({ origin: 'example.com/gateway', logSize: 1, orphans: [] });
    expect(first.secret).toHaveLength(32);
    expect(await start({ origin: 'example.com/other' }).report).toEqual(first);
  });

  verifies(['EXE-28', 'EXE-08'], 'makes orphans of a dead process UNKNOWN, for good', async () => {
    const dead = await stores.open();
    const [write, read, waiting] = [dead.proposal(), dead.proposal(), dead.proposal()];
    await dead.decide(write);
    await dead.decide({ ...read, fingerprint: '' }, aCall({ effect: 'read' }));
    await dead.ask(waiting);
    expect((await start().report).orphans).toEqual([]);
    const { store, report } = start({ isAlive: () => false });
    expect((await report).orphans).toEqual([write.opId]);
    const state = async (opId: string) => (await store.readOperation(opId))?.row.state;
    expect(await state(write.opId)).toBe('UNKNOWN');
    expect(await state(read.opId)).toBe('FAILED');
    expect(await state(waiting.opId)).toBe('ASKING');
    const leaves = await store.readLeaves({ from: 0, count: 100 });
    expect(leaves.slice(-3).map((leaf) => leaf.type)).toEqual(['outcome', 'outcome', 'alarm']);
    // The owner was only asleep, and knows.
    expect(await dead.store.finish(aReport(write))).toMatchObject({
      late: true,
      state: 'SUCCEEDED',
    });
    expect(await dead.budgets()).toEqual(['amount:0/10', 'calls:0/1']);
  });

  describe('whose log was changed from outside', () => {
    const bad = { code: 'LOG_STATE_BAD', fatal: true };
    const zeros = `'\\x${'00'.repeat(32)}'`;
    const unguarded = 'SET session_replication_role = replica';

    verifies('RCP-16', 'stops before anything is appended', async () => {
      const running = await stores.open();
      await stores.sql(`UPDATE intentplane.log_state SET root = ${zeros}`);
      await expect(running.decide(running.proposal())).rejects.toMatchObject(bad);
      await expect(running.decide(running.proposal())).rejects.toMatchObject(bad);
      await expect(running.store.readNode(0, 0)).rejects.toMatchObject(bad);
      expect(await stores.sql('SELECT count(*)::int AS n FROM intentplane.leaf')).toEqual([
        { n: 2 },
      ]);
    });

    it.each([
      ['its root', `UPDATE intentplane.log_state SET root = ${zeros}`],
      ['its frontier', `UPDATE intentplane.log_state SET frontier = ${zeros}`],
      ['its size', 'UPDATE intentplane.log_state SET size = size - 1'],
      ['its state', 'DELETE FROM intentplane.log_state'],
      ['the hash of a leaf', `${unguarded}; UPDATE intentplane.leaf SET hash = ${zeros}`],
      ['its tail', `${unguarded}; DELETE FROM intentplane.leaf WHERE seq = 1`],
    ])('does not start when %s is another', async (what, sql) => {
      const running = await stores.open();
      await running.store.close();
      await stores.sql(sql);
      await expect(start().report).rejects.toMatchObject(bad);
      if (what === 'its state') {
        await stores.sql(`INSERT INTO intentplane.log_state VALUES (1, 0, sha256(''), '', 0)`);
      }
    });

    verifies('RCP-13', 'is never signed when it does not extend what was signed', async () => {
      const running = await stores.open();
      await running.store.checkpoint(() => 'note');
      await stores.sql(`UPDATE intentplane.checkpoint SET root = ${zeros}`);
      const signed: number[] = [];
      const again = running.store.checkpoint((size) => `note ${signed.push(size)}`);
      await expect(again).rejects.toMatchObject(bad);
      expect(signed).toEqual([]);
    });

    it('refuses to change or delete a leaf', async () => {
      await stores.open();
      for (const sql of [
        `UPDATE intentplane.leaf SET bytes = ''`,
        'DELETE FROM intentplane.leaf',
        'TRUNCATE intentplane.leaf',
      ]) {
        await expect(stores.sql(sql)).rejects.toThrow('a leaf never changes');
      }
    });
  });

  verifies('EXE-18', 'is kept from passing a budget by the table itself', async () => {
    const running = await stores.open();
    await running.decide(running.proposal());
    await expect(stores.sql('UPDATE intentplane.budget SET reserved = limit_ + 1')).rejects.toThrow(
      'check constraint',
    );
  });

  it('lives on without payloads that were erased', async () => {
    const running = await stores.open();
    const draft = running.proposal();
    await running.ask(draft);
    await stores.sql('DELETE FROM intentplane.payload');
    expect(await running.store.readOperation(draft.opId)).toMatchObject({ preimage: '', call: '' });
    expect((await running.store.readApproval(draft.approvalId))?.view).toBe('');
  });

  it('keeps texts with U+0000 wherever they stand', async () => {
    const odd = 'a\u0000b\u001ac\u001a0\u2028😀';
    const running = await stores.open({ mandate: { principal: odd, agent: odd, scopes: [odd] } });
    expect(await running.store.findMandate({ principal: odd, agent: odd })).toEqual(
      running.mandate,
    );
    expect(await running.store.joinMandate(aMandateDraft({ principal: odd, agent: odd }))).toEqual(
      running.mandate,
    );
    const definition = {
      server: odd,
      tool: odd,
      identity: odd,
      digest: odd,
      definition: JSON.stringify({ name: odd }),
      instructions: odd,
      recordedMs: 1,
    };
    await running.store.recordDefinitions([definition], []);
    expect(await running.store.readDefinitions()).toEqual([definition]);
    const { mandateId } = await running.store.joinMandate(
      aMandateDraft({ agent: 'other', principal: odd }),
    );
    const draft = running.proposal({ mandateId, call: odd, sentence: odd, client: odd });
    const request = await running.ask(draft);
    const answer = anAnswer(request, { person: odd, channel: odd, verdict: 'reject', reason: odd });
    expect((await running.store.answer(answer)).result).toMatchObject({ state: 'REJECTED' });
    const stored = await running.store.readApproval(draft.approvalId);
    expect(stored?.approval.channel).toBe(odd);
    expect(stored?.operation.call).toBe(odd);
    expect(JSON.parse(stored?.view ?? '')).toMatchObject({ sentence: odd });
    expect(await running.store.countPasscodeFailure(odd)).toBe(0);
    expect(await running.store.readPasscodeLock(odd)).toMatchObject({ failures: 1 });
    expect(await running.store.useNonce(odd, 2 ** 50)).toBe(true);
    expect(await running.store.useNonce(odd, 2 ** 50)).toBe(false);
  });

  it('refuses a lone surrogate, alone of those written with it', async () => {
    const running = await stores.open();
    const bad = running.proposal({ channel: 'a\ud800b' });
    const results = await Promise.allSettled([
      running.decide(running.proposal()),
      running.decide(bad),
      running.store.useNonce('a\ud800b', 2 ** 50),
      running.decide(running.proposal()),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'rejected', 'rejected', 'fulfilled'],
    ]);
    expect(results[2]).toMatchObject({ reason: { code: 'STORE_FAILED', fatal: false } });
    expect(await running.budgets()).toEqual(['amount:20/0', 'calls:2/0']);
  });

  it('an outcome that cannot be recorded is always an error of the store', async () => {
    const running = await stores.open();
    const draft = running.proposal();
    await running.decide(draft);
    const nonsense = { ...aReport(draft), attempt: 10n as unknown as number };
    const odd = { ...nonsense, attempt: 1, class: Symbol('x') as never };
    for (const report of [nonsense, odd]) {
      await expect(running.store.finish(report)).rejects.toMatchObject({ name: 'StoreError' });
    }
  });

  it('refuses an operation whose number another one has', async () => {
    const running = await stores.open();
    const draft = running.proposal();
    await running.decide(draft);
    const again = running.proposal({ opId: draft.opId });
    const results = await Promise.allSettled([
      running.decide(running.proposal()),
      running.decide(again),
      running.decide(running.proposal()),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'STORE_CONFLICT' } });
    expect(await running.budgets()).toEqual(['amount:30/0', 'calls:3/0']);
  });
});
