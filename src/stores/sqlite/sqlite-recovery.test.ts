// What a store finds when it is opened again after something went wrong, and while it runs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { OpenedStore, type StorePlace } from '../../testing/opened-store.ts';
import { aCall, aReport, aStoreSettings } from '../../testing/store-builders.ts';
import type { Store, StoreSettings } from '../store.ts';
import { openDatabase } from './open-database.ts';
import { createSqliteStore, openSqliteStore } from './sqlite-store.ts';

describe('SQLite store', () => {
  let folder: string;
  let path: string;
  let place: StorePlace;
  const opened: Store[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'store-'));
    path = join(folder, 'store.db');
    place = {
      isDurable: true,
      open: (settings) => keep(openSqliteStore(path, settings)),
      remove() {},
    };
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    rmSync(folder, { recursive: true });
  });
  const keep = (store: Store): Store => {
    opened.push(store);
    return store;
  };
  const start = (over: Partial<StoreSettings> = {}) => {
    const store = keep(openSqliteStore(path, aStoreSettings({ nowMs: 1_800_000_000_000 }, over)));
    return { store, report: store.start() };
  };
  /** Changes the file behind the back of the store. */
  const tamper = (sql: string): void => {
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
  };

  it('makes origin and secret once', async () => {
    const first = await start().report;
    expect(first).toMatchObject({ origin: 'example.com/gateway', logSize: 1, orphans: [] });
    expect(first.secret).toHaveLength(32);
    const again = await start({ origin: 'example.com/other' }).report;
    expect(again).toEqual(first);
  });

  describe('orphans', () => {
    const leave = async (): Promise<{ write: string; read: string; waiting: string }> => {
      const dead = await OpenedStore.open(place);
      const [write, read, waiting] = [dead.proposal(), dead.proposal(), dead.proposal()];
      await dead.decide(write);
      await dead.decide({ ...read, fingerprint: '' }, aCall({ effect: 'read' }));
      await dead.ask(waiting);
      // Not closed: the process row stays as a killed process leaves it.
      return { write: write.opId, read: read.opId, waiting: waiting.opId };
    };

    verifies(
      ['EXE-28', 'EXE-08'],
      'of a dead process are UNKNOWN and keep what they hold',
      async () => {
        const left = await leave();
        const { store, report } = start({ isAlive: () => false });
        expect((await report).orphans).toEqual([left.write]);
        const state = async (opId: string) => (await store.readOperation(opId))?.row.state;
        expect(await state(left.write)).toBe('UNKNOWN');
        expect(await state(left.read)).toBe('FAILED');
        expect(await state(left.waiting)).toBe('ASKING');
        const of = { principal: 'alice', agent: 'bookkeeper' };
        const { mandateId } = (await store.findMandate(of)) ?? { mandateId: '' };
        expect((await store.readStatus(mandateId))?.budgets).toMatchObject([
          { reserved: 10, spent: 0 },
          { reserved: 1, spent: 0 },
        ]);
        const leaves = await store.readLeaves({ from: 0, count: 100 });
        expect(leaves.slice(-3).map((leaf) => leaf.type)).toEqual(['outcome', 'outcome', 'alarm']);
        expect(JSON.parse(Buffer.from(leaves.at(-1)?.bytes ?? '').toString())).toMatchObject({
          kind: 'unclean_stop',
          figures: { processes: 1, orphans: 1 },
        });
      },
    );

    verifies('EXE-28', 'of a live process are left alone', async () => {
      const left = await leave();
      const { store, report } = start({ isAlive: () => true });
      expect((await report).orphans).toEqual([]);
      expect((await store.readOperation(left.write))?.row.state).toBe('DISPATCHING');
    });

    verifies(
      'EXE-28',
      'of a process that closed in the middle of a call are found as well',
      async () => {
        const left = await leave();
        await opened[0]?.close();
        expect((await start({ isAlive: () => true }).report).orphans).toEqual([left.write]);
      },
    );

    verifies('EXE-05', 'are settled by an owner that was only asleep', async () => {
      const asleep = await OpenedStore.open(place);
      const draft = asleep.proposal();
      await asleep.decide(draft);
      await start({ isAlive: () => false }).report;
      const late = await asleep.store.finish(aReport(draft));
      expect(late).toMatchObject({ late: true, state: 'SUCCEEDED' });
      expect(await asleep.budgets()).toEqual(['amount:0/10', 'calls:0/1']);
      await asleep.store.heartbeat();
    });
  });

  verifies('EXE-26', 'stops when its log cannot be copied into the file', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const database = openDatabase(path);
      const exec = database.exec.bind(database);
      database.exec = (sql) => {
        if (!sql.includes('wal_checkpoint')) return exec(sql);
        throw Object.assign(new Error('disk I/O error'), { errcode: 1034 });
      };
      const store = keep(createSqliteStore(database, aStoreSettings({ nowMs: 1 })));
      await store.start();
      await store.heartbeat();
      vi.advanceTimersByTime(60_000);
      const failed = { code: 'STORE_FAILED', fatal: true };
      await expect(store.heartbeat()).rejects.toMatchObject(failed);
      await expect(store.readTree()).rejects.toMatchObject(failed);
    } finally {
      vi.useRealTimers();
    }
  });

  describe('a log that was changed from outside', () => {
    const bad = { code: 'LOG_STATE_BAD', fatal: true };

    verifies('RCP-16', 'is noticed before anything is appended', async () => {
      const running = await OpenedStore.open(place);
      const { size } = await running.store.readTree();
      tamper(`UPDATE log_state SET root = zeroblob(32)`);
      await expect(running.decide(running.proposal())).rejects.toMatchObject(bad);
      await expect(running.decide(running.proposal())).rejects.toMatchObject(bad);
      await expect(running.store.readStatus(running.mandate.mandateId)).rejects.toMatchObject(bad);
      await expect(running.store.readNode(0, 0)).rejects.toMatchObject(bad);
      const database = new DatabaseSync(path);
      expect(database.prepare('SELECT count(*) AS n FROM leaf').get()).toMatchObject({ n: size });
      database.close();
    });

    it.each([
      ['its root', `UPDATE log_state SET root = zeroblob(32)`],
      ['its frontier', `UPDATE log_state SET frontier = zeroblob(32)`],
      ['its size', `UPDATE log_state SET size = size - 1`],
      [
        'the hash of a leaf',
        `DROP TRIGGER leaf_stays; UPDATE leaf SET hash = zeroblob(32) WHERE seq = 1`,
      ],
      ['its tail', `DROP TRIGGER leaf_remains; DELETE FROM leaf WHERE seq = 1`],
    ])('stops the start when %s is another', async (_, sql) => {
      const running = await OpenedStore.open(place);
      await running.store.close();
      tamper(sql);
      await expect(start().report).rejects.toMatchObject(bad);
    });

    verifies('RCP-13', 'is never signed when it does not extend what was signed', async () => {
      const running = await OpenedStore.open(place);
      await running.store.checkpoint(() => 'note');
      tamper(`UPDATE checkpoint SET root = zeroblob(32)`);
      const signed: number[] = [];
      const again = running.store.checkpoint((size) => `note ${signed.push(size)}`);
      await expect(again).rejects.toMatchObject(bad);
      expect(signed).toEqual([]);
    });

    verifies('RCP-13', 'is never signed when it is shorter than what was signed', async () => {
      const running = await OpenedStore.open(place);
      await running.store.checkpoint(() => 'note');
      tamper(`UPDATE checkpoint SET size = size + 10`);
      await expect(running.store.checkpoint(() => 'never')).rejects.toMatchObject(bad);
    });
  });

  it('refuses to change or delete a leaf', async () => {
    await OpenedStore.open(place);
    expect(() => tamper(`UPDATE leaf SET bytes = x'00'`)).toThrow('a leaf never changes');
    expect(() => tamper(`DELETE FROM leaf`)).toThrow('a leaf is never deleted');
  });

  it('lives on without payloads that were erased', async () => {
    const running = await OpenedStore.open(place);
    const draft = running.proposal();
    await running.ask(draft);
    tamper('DELETE FROM payload');
    expect(await running.store.readOperation(draft.opId)).toMatchObject({ preimage: '', call: '' });
    expect((await running.store.readApproval(draft.approvalId))?.view).toBe('');
    const [leaf] = await running.store.readLeaves({ opId: draft.opId });
    expect(leaf?.payload).toEqual({});
  });

  it('stops serving when a newer version migrated the file', async () => {
    const running = await OpenedStore.open(place);
    tamper('PRAGMA user_version = 99');
    const refused = running.decide(running.proposal());
    await expect(refused).rejects.toMatchObject({ code: 'STORE_NEWER', fatal: true });
  });

  verifies(
    'EXE-31',
    'a full disk refuses everything, keeps what was acknowledged, and recovers',
    async () => {
      const clock = { nowMs: 1_800_000_000_000 };
      const database = openDatabase(path);
      const at = {
        isDurable: true,
        open: (s: StoreSettings) => keep(createSqliteStore(database, s)),
        remove() {},
      };
      const running = await OpenedStore.open(at, { clock, mandate: { budgets: [] } });
      const pages = database.prepare('PRAGMA page_count').get()?.['page_count'];
      database.exec(`PRAGMA max_page_count = ${Number(pages) + 20}`);
      const done: string[] = [];
      let failure: unknown;
      while (failure === undefined && done.length < 1_000) {
        const draft = running.proposal();
        await running.decide(draft).then(
          () => done.push(draft.opId),
          (error: unknown) => {
            failure = error;
          },
        );
      }
      expect(failure).toMatchObject({ code: 'STORE_FULL', fatal: false });
      expect((failure as Error).message).toContain('free some space');
      for (const opId of done) expect(await running.state(opId)).toBe('DISPATCHING');
      const size = 2 + 3 * done.length;
      expect((await running.store.readTree()).size).toBe(size);
      await expect(running.decide(running.proposal())).rejects.toMatchObject({
        code: 'STORE_FULL',
      });
      database.exec('PRAGMA max_page_count = 1000000');
      await running.decide(running.proposal());
      expect((await running.store.readTree()).size).toBe(size + 3);
    },
  );

  it('refuses a text that the database would change', async () => {
    const running = await OpenedStore.open(place);
    const definition = {
      server: 'bank',
      tool: 'a\ud800b',
      identity: 'x',
      digest: 'x',
      definition: '{}',
      instructions: undefined,
      recordedMs: 1,
    };
    const refused = running.store.recordDefinitions([definition], []);
    await expect(refused).rejects.toMatchObject({ code: 'STORE_FAILED', fatal: false });
    expect(await running.store.readDefinitions()).toEqual([]);
  });

  it('refuses everything after it was closed', async () => {
    const running = await OpenedStore.open(place);
    await running.store.close();
    await expect(running.decide(running.proposal())).rejects.toMatchObject({
      code: 'STORE_FAILED',
    });
    await expect(running.store.readTree()).rejects.toThrow();
  });

  it('an outcome that cannot be recorded is always an error of the store', async () => {
    const running = await OpenedStore.open(place);
    const draft = running.proposal();
    await running.decide(draft);
    const broken = { ...aReport(draft), result: { text: 'no text' } as unknown as string };
    const nonsense = { ...broken, attempt: 10n as unknown as number, class: Symbol('x') as never };
    await expect(running.store.finish(nonsense)).rejects.toMatchObject({ name: 'StoreError' });
  });
});
