// What every store must do with values that are to be erased.
import { expect, it } from 'vitest';
import type { Erasure, RedactionTarget } from '../core/moves/plan-redaction.ts';
import { LogCheck } from '../receipts/log-check.ts';
import type { RedactionList } from '../stores/erasure.ts';
import { OpenedStore, type StoreTestContext } from './opened-store.ts';
import { aCall, anAnswer, aReport } from './store-builders.ts';

const basis = 'gdpr-17';

/** Everything of these proposals. */
async function targetsOf(
  opened: OpenedStore,
  opIds: readonly string[],
): Promise<readonly RedactionTarget[]> {
  const leaves = await Promise.all(opIds.map((opId) => opened.store.readLeaves({ opId })));
  return leaves.flat().map(({ seq }) => ({ seq }));
}

/** A call that was asked about, granted, sent and answered; its repeat carried it out. */
async function paid(
  opened: OpenedStore,
): Promise<{ opId: string; fingerprint: string | undefined }> {
  const draft = opened.proposal();
  await opened.store.answer(anAnswer(await opened.ask(draft), { reason: 'as agreed' }));
  await opened.decide(opened.proposal({ fingerprint: draft.fingerprint }), aCall({ level: 1 }));
  await opened.store.finish(aReport(draft));
  return draft;
}

async function faultsOf(opened: OpenedStore): Promise<readonly string[]> {
  const check = new LogCheck([]);
  for (const leaf of await opened.allLeaves()) check.add(leaf);
  check.takeTiles();
  check.end(await opened.store.readTree());
  return check.faults.map(({ code }) => code);
}

export function testRedaction({ opened, reopen, place }: StoreTestContext): void {
  it('RCP-25: takes every value and salt of an operation and leaves its leaves as they are', async () => {
    const { opId } = await paid(opened());
    const before = await opened().allLeaves();
    const targets = await targetsOf(opened(), [opId]);
    const { refused, erasures, isGone } = await opened().store.redact({ basis, targets });
    expect({ refused, isGone }).toEqual({ refused: undefined, isGone: true });
    const own = before.filter((leaf) => leaf.opId === opId);
    expect(erasures.map(({ seq, fields }) => [seq, fields])).toEqual(
      own
        .filter(({ payload }) => Object.keys(payload).length > 0)
        .map(({ seq, payload }) => [seq, Object.keys(payload).toSorted()]),
    );
    const after = await opened().allLeaves();
    expect(after.slice(0, -1).map(({ bytes }) => bytes)).toEqual(before.map(({ bytes }) => bytes));
    for (const leaf of after) {
      if (leaf.opId === opId) expect(leaf.payload).toEqual({});
      else expect(leaf.payload).toEqual(before[leaf.seq]?.payload);
    }
    const note = JSON.parse(Buffer.from(after.at(-1)?.bytes ?? []).toString()) as object;
    expect(note).toMatchObject({ type: 'redaction', op_id: opId, basis, commit: {} });
    expect(await opened().store.readOperation(opId)).toMatchObject({
      row: { state: 'SUCCEEDED', fingerprint: '' },
      approval: { fingerprint: '' },
      preimage: '',
      call: '',
      result: undefined,
    });
    expect(await faultsOf(opened())).toEqual([]);
  });

  it('RCP-25: takes one field and keeps the others', async () => {
    const { opId } = await paid(opened());
    const targets = (await targetsOf(opened(), [opId])).map(({ seq }) => ({
      seq,
      fields: ['result', 'call'],
    }));
    await opened().store.redact({ basis: 'mistake', targets });
    const fields = (await opened().store.readLeaves({ opId })).map(({ type, payload }) => [
      type,
      Object.keys(payload).toSorted(),
    ]);
    expect(fields).toEqual([
      ['proposal', ['client', 'raw']],
      ['decision', ['param.amount', 'param.iban', 'preimage', 'reasons', 'rules']],
      ['approval.request', ['view']],
      ['approval.answer', ['evidence', 'person', 'reason']],
      ['approval.end', ['reason']],
      ['attempt', ['call_sha256', 'reserved']],
      ['outcome', []],
      ['redaction', []],
    ]);
    const stored = await opened().store.readOperation(opId);
    expect(stored?.row.fingerprint).not.toBe('');
    expect(await faultsOf(opened())).toEqual([]);
  });

  it('RCP-25: erases nothing while an operation among them still needs its texts', async () => {
    const done = await paid(opened());
    const asked = opened().proposal();
    await opened().ask(asked);
    const sent = opened().proposal();
    await opened().decide(sent);
    const unknown = opened().proposal();
    await opened().decide(unknown);
    await opened().store.finish(aReport(unknown, { class: 'AMBIGUOUS', result: undefined }));
    const before = await opened().allLeaves();
    const states = [
      [asked.opId, 'ASKING'],
      [sent.opId, 'DISPATCHING'],
      [unknown.opId, 'UNKNOWN'],
    ] as const;
    for (const [opId, state] of states) {
      const targets = await targetsOf(opened(), [done.opId, opId]);
      const result = await opened().store.redact({ basis, targets });
      expect(result).toMatchObject({ refused: { opId, state }, erasures: [] });
    }
    expect(await opened().allLeaves()).toEqual(before);
  });

  it('a second redaction of the same finds nothing and writes nothing', async () => {
    const { opId } = await paid(opened());
    const targets = await targetsOf(opened(), [opId]);
    await opened().store.redact({ basis, targets });
    const tree = await opened().store.readTree();
    expect((await opened().store.redact({ basis, targets })).erasures).toEqual([]);
    expect((await opened().store.redact({ basis, targets: [{ seq: 9_999 }] })).erasures).toEqual(
      [],
    );
    expect(await opened().store.readTree()).toEqual(tree);
  });

  it('an erased success is the repeat of nothing, and an earlier one still is', async () => {
    const first = opened().proposal();
    await opened().decide(first);
    await opened().store.finish(aReport(first));
    const again = opened().proposal({ fingerprint: first.fingerprint });
    await opened().decide(again);
    await opened().store.finish(aReport(again));
    const ask = async (): Promise<unknown> => {
      const draft = opened().proposal({ fingerprint: first.fingerprint });
      const { decision } = await opened().decide(draft, aCall({ duplicateWindowMs: 60_000 }));
      if (decision.kind === 'ask') await opened().store.cancelApproval(draft.opId, 'test');
      return decision.kind === 'ask' ? decision.reasons.map(({ opId }) => opId) : decision.kind;
    };
    expect(await ask()).toEqual([again.opId]);
    await opened().store.redact({ basis, targets: await targetsOf(opened(), [again.opId]) });
    expect(await ask()).toEqual([first.opId]);
    await opened().store.redact({ basis, targets: await targetsOf(opened(), [first.opId]) });
    expect(await ask()).toBe('allow');
  });

  it('finds the proposals that joined or repeated an operation', async () => {
    const asked = opened().proposal();
    const request = await opened().ask(asked);
    const join = opened().proposal({ fingerprint: asked.fingerprint });
    await opened().decide(join, aCall({ level: 1 }));
    await opened().store.answer(anAnswer(request));
    const repeat = opened().proposal({ fingerprint: asked.fingerprint });
    await opened().decide(repeat, aCall({ level: 1 }));
    await opened().decide(opened().proposal());
    expect(await opened().store.readRepeats(asked.opId)).toEqual([join.opId, repeat.opId]);
    expect(await opened().store.readRepeats(join.opId)).toEqual([]);
  });

  it('notes what is erased in the list before it commits, what expires excepted', async () => {
    const listed: Erasure[] = [];
    const list: RedactionList = {
      place: 'a list',
      read: () => listed,
      append: (erasures) => listed.push(...erasures),
    };
    await opened().store.close();
    const noted = await OpenedStore.open(place(), { settings: { redactions: list } });
    const { opId } = await paid(noted);
    const [first, ...rest] = await targetsOf(noted, [opId]);
    const one = await noted.store.redact({ basis: 'legal-order', targets: first ? [first] : [] });
    expect(listed).toEqual(one.erasures);
    expect(listed).toMatchObject([{ fields: ['client', 'raw'], basis: 'legal-order' }]);
    await noted.store.redact({ basis: 'retention', targets: rest });
    expect(listed.length).toBe(1);
    const refusing: RedactionList = {
      ...list,
      append: () => {
        throw new Error('no list');
      },
    };
    await noted.store.close();
    const stuck = await OpenedStore.open(place(), { settings: { redactions: refusing } });
    const other = await paid(stuck);
    const tree = await stuck.store.readTree();
    const targets = await targetsOf(stuck, [other.opId]);
    await expect(stuck.store.redact({ basis, targets })).rejects.toThrow('no list');
    expect(await stuck.store.readTree()).toEqual(tree);
    expect((await stuck.store.readOperation(other.opId))?.call).not.toBe('');
    await stuck.store.close();
  });

  it('a replay erases what the list names, and only from the leaf that was meant', async () => {
    const asked = opened().proposal();
    await opened().ask(asked);
    const [proposal] = await opened().store.readLeaves({ opId: asked.opId });
    if (proposal === undefined) throw new Error('no leaf');
    const { seq, hash: leafHash } = proposal;
    const replay = (hash: Uint8Array): Promise<{ erasures: readonly unknown[] }> =>
      opened().store.redact({
        basis,
        isReplay: true,
        targets: [{ seq, fields: ['raw'], leafHash: hash }],
      });
    expect((await replay(new Uint8Array(32))).erasures).toEqual([]);
    expect((await replay(leafHash)).erasures).toMatchObject([{ seq, fields: ['raw'] }]);
    const [left] = await opened().store.readLeaves({ opId: asked.opId });
    expect(Object.keys(left?.payload ?? {})).toEqual(['client']);
  });

  it('RCP-26: lists leaves that keep values, with action and state', async () => {
    const { opId } = await paid(opened());
    const refused = opened().proposal({ action: 'nothing.known' });
    await opened().decide(refused, aCall({ amount: 5_000 }));
    const page = { from: 0, below: 1_000, count: 1_000 };
    const all = await opened().store.readKept(page);
    const kinds = new Set(all.map(({ type, action, state }) => `${type} ${action} ${state}`));
    expect([...kinds]).toEqual([
      'mandate.issue undefined undefined',
      'proposal payment.send SUCCEEDED',
      'decision payment.send SUCCEEDED',
      'approval.request payment.send SUCCEEDED',
      'approval.answer payment.send SUCCEEDED',
      'proposal payment.send undefined',
      'decision payment.send undefined',
      'approval.end payment.send SUCCEEDED',
      'attempt payment.send SUCCEEDED',
      'outcome payment.send SUCCEEDED',
      'proposal nothing.known undefined',
      'decision nothing.known undefined',
    ]);
    expect(await opened().store.readKept({ ...page, from: 3, count: 2 })).toEqual(
      all.filter(({ seq }) => seq >= 3).slice(0, 2),
    );
    await opened().store.redact({ basis, targets: await targetsOf(opened(), [opId]) });
    const left = await opened().store.readKept(page);
    expect(left.map(({ state }) => state).filter(Boolean)).toEqual([]);
    expect(await opened().store.readKept({ ...page, below: 1 })).toEqual([]);
  });

  it('gives a piece of work to one caller in its time', async (test) => {
    const { clock } = opened();
    const claim = (): Promise<boolean> => opened().store.claimChore('sweep', 1_000);
    expect(await Promise.all([claim(), claim()])).toEqual([true, false]);
    clock.nowMs += 999;
    expect(await claim()).toBe(false);
    clock.nowMs += 1;
    expect(await claim()).toBe(true);
    expect(await opened().store.claimChore('other', 1_000)).toBe(true);
    if (!place().isDurable) test.skip('a memory store forgets');
    await reopen();
    expect(await claim()).toBe(false);
  });
}
