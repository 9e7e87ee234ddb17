// What every store must do to find out what became of an operation, to send it again, and to let
// values and keys count once.
import { expect, it } from 'vitest';
import type { ResendRequest } from '../core/moves/plan-resend.ts';
import type { ProposalDraft } from '../core/moves/proposal-draft.ts';
import { OpenedStore, outcomeOf, type StoreTestContext } from './opened-store.ts';
import { aCall, aReport, testId } from './store-builders.ts';

const second = 1_000;
const hour = 3_600_000;
const leaseMs = 60 * second;

/** Sends a call of which nobody knows what became. */
async function leaveUnknown(opened: OpenedStore, over: Partial<ProposalDraft> = {}) {
  const draft = opened.proposal(over);
  await opened.decide(draft);
  await opened.store.finish(aReport(draft, { class: 'AMBIGUOUS', result: undefined }));
  return draft;
}

function aResend(opened: OpenedStore, draft: ProposalDraft, over: Partial<ResendRequest> = {}) {
  return opened.store.resend({
    opId: draft.opId,
    mandateId: draft.mandateId,
    attempt: 1,
    owner: draft.owner,
    connector: 'mcp',
    call: draft.call ?? '',
    attemptTimeoutMs: 30 * second,
    firstSentMs: opened.clock.nowMs,
    keyLifetimeMs: hour,
    because: 'no_lookup',
    absenceFinalAfterMs: undefined,
    ...over,
  });
}

export function testReconcile({ opened, place }: StoreTestContext): void {
  /** Another process on the same store; a memory store is seen by its own alone. */
  const neighbour = (over: Parameters<typeof OpenedStore.open>[1] = {}) =>
    OpenedStore.open(place(), { clock: opened().clock, ...over });

  it('EXE-09: a look-up is due 5 s after the outcome was lost, and is leased once', async () => {
    const { store, clock } = opened();
    expect(await store.claimCheck({ leaseMs })).toBeUndefined();
    const sinceMs = clock.nowMs;
    const { opId } = await leaveUnknown(opened());
    clock.nowMs += 5 * second - 1;
    expect(await store.claimCheck({ leaseMs })).toBeUndefined();
    clock.nowMs += 1;
    expect(await store.claimCheck({ leaseMs })).toEqual({
      opId,
      attempt: 1,
      unknownSinceMs: sinceMs,
      firstUnknownMs: sinceMs,
      checks: 0,
      alarmedMs: undefined,
      nowMs: clock.nowMs,
    });
    expect(await store.claimCheck({ leaseMs })).toBeUndefined();
    expect(await store.claimCheck({ leaseMs, opId })).toBeUndefined();
    clock.nowMs += leaseMs;
    expect(await store.claimCheck({ leaseMs })).toMatchObject({ opId, checks: 0 });
  });

  it('EXE-09: the next look-up is due when it was planned, and its leaves are written with it', async () => {
    const { store, clock } = opened();
    const { opId } = await leaveUnknown(opened());
    const leaves = [
      { type: 'alarm', open: { kind: 'odd_lookup' }, committed: { op: opId } },
    ] as const;
    const done = { opId, attempt: 1, checks: 1, alarmedMs: 7, leaves };
    const dueMs = clock.nowMs + hour;
    expect(await store.finishCheck({ ...done, dueMs })).toBe(false);
    expect(await store.claimCheck({ leaseMs, opId })).toMatchObject({ opId });
    expect(await store.finishCheck({ ...done, attempt: 2, dueMs })).toBe(false);
    expect(await store.finishCheck({ ...done, dueMs })).toBe(true);
    expect(await store.finishCheck({ ...done, dueMs })).toBe(false);
    const alarms = (await opened().allLeaves()).filter(({ type }) => type === 'alarm');
    expect(alarms).toHaveLength(1);
    clock.nowMs = dueMs - 1;
    expect(await store.claimCheck({ leaseMs })).toBeUndefined();
    clock.nowMs = dueMs;
    expect(await store.claimCheck({ leaseMs })).toMatchObject({ opId, checks: 1, alarmedMs: 7 });
  });

  it('EXE-09: one that is due longest comes first; one that is settled never', async () => {
    const { store, clock } = opened();
    const [first, settled] = [await leaveUnknown(opened()), await leaveUnknown(opened())];
    clock.nowMs += 1;
    const last = await leaveUnknown(opened());
    await store.claimCheck({ leaseMs, opId: settled.opId });
    const found = {
      opId: settled.opId,
      finding: 'failed',
      method: 'connector',
      isTold: true,
    } as const;
    await store.reconcile({ ...found, person: undefined, evidence: 'asked' });
    const done = { attempt: 1, checks: 1, dueMs: 0, alarmedMs: undefined, leaves: [] };
    expect(await store.finishCheck({ ...done, opId: settled.opId })).toBe(false);
    expect(await store.claimCheck({ leaseMs, opId: settled.opId })).toBeUndefined();
    clock.nowMs += hour;
    expect((await store.claimCheck({ leaseMs }))?.opId).toBe(first.opId);
    expect((await store.claimCheck({ leaseMs }))?.opId).toBe(last.opId);
    expect(await store.claimCheck({ leaseMs })).toBeUndefined();
  });

  it('EXE-09: of two processes one has the look-up; the lease of a dead one lapses', async ({
    skip,
  }) => {
    if (!place().isDurable) skip('a memory store has one process');
    const { opId } = await leaveUnknown(opened());
    const other = await neighbour();
    opened().clock.nowMs += hour;
    const stores = [opened().store, other.store, opened().store, other.store];
    const claimed = await Promise.all(stores.map((store) => store.claimCheck({ leaseMs })));
    expect(claimed.filter((job) => job !== undefined)).toHaveLength(1);
    const holder = claimed.findIndex((job) => job !== undefined) % 2;
    const waiting = stores[1 - holder] as (typeof stores)[number];
    const done = { opId, attempt: 1, checks: 1, dueMs: 0, alarmedMs: undefined, leaves: [] };
    expect(await waiting.finishCheck(done)).toBe(false);
    opened().clock.nowMs += leaseMs;
    expect(await waiting.claimCheck({ leaseMs })).toMatchObject({ opId });
    expect(await stores[holder]?.finishCheck(done)).toBe(false);
    await other.store.close();
  });

  it('EXE-06: sends an UNKNOWN again under its reservation, once', async () => {
    const draft = await leaveUnknown(opened());
    const { store, clock } = opened();
    const sentMs = clock.nowMs;
    clock.nowMs += second;
    const plans = await Promise.all([aResend(opened(), draft), aResend(opened(), draft)]);
    expect(plans.map(({ kind }) => kind).toSorted()).toEqual(['refused', 'resent']);
    expect(await opened().budgets()).toEqual(['amount:10/0', 'calls:1/0']);
    expect(await store.readOperation(draft.opId)).toMatchObject({
      row: { state: 'DISPATCHING', attempt: 2, deadlineMs: clock.nowMs + 30 * second },
      call: draft.call,
    });
    const repeat = opened().proposal({ fingerprint: draft.fingerprint });
    expect((await opened().decide(repeat)).decision).toMatchObject({
      failures: [{ detail: 'in_flight', opId: draft.opId }],
    });

    // An answer of nobody knows which attempt, and one of this attempt that says nothing certain.
    await store.finish(aReport(draft, { class: 'REJECTED', attempt: 1 }));
    await store.finish(aReport(draft, { class: 'NOT_SENT', attempt: 2 }));
    expect(await opened().state(draft.opId)).toBe('UNKNOWN');
    clock.nowMs += 5 * second;
    expect(await store.claimCheck({ leaseMs })).toMatchObject({
      attempt: 2,
      checks: 0,
      firstUnknownMs: clock.nowMs - 5 * second,
    });
    await aResend(opened(), draft, { attempt: 2, firstSentMs: sentMs });
    await store.finish(aReport(draft, { attempt: 3, told: false }));
    expect(await opened().state(draft.opId)).toBe('SUCCEEDED');
    expect(await opened().budgets()).toEqual(['amount:0/10', 'calls:0/1']);
    const again = opened().proposal({ fingerprint: draft.fingerprint });
    expect((await opened().decide(again)).decision).toMatchObject({ tells: draft.opId });
    expect((await opened().types(draft.opId)).filter((type) => type === 'attempt')).toHaveLength(3);
  });

  it('EXE-06: how long an operation is UNKNOWN stays known over its attempts', async () => {
    const { store, clock } = opened();
    const sinceMs = clock.nowMs;
    const draft = await leaveUnknown(opened());
    await store.claimCheck({ leaseMs, opId: draft.opId });
    await aResend(opened(), draft);
    const done = { opId: draft.opId, attempt: 1, checks: 1, dueMs: 0, alarmedMs: undefined };
    expect(await store.finishCheck({ ...done, leaves: [] })).toBe(false);
    clock.nowMs += 20 * second;
    await store.finish(aReport(draft, { class: 'AMBIGUOUS', attempt: 2 }));
    clock.nowMs += 5 * second;
    expect(await store.claimCheck({ leaseMs })).toMatchObject({
      attempt: 2,
      checks: 0,
      firstUnknownMs: sinceMs,
      unknownSinceMs: clock.nowMs - 5 * second,
    });
  });

  it('EXE-06: a suspended mandate sends nothing again', async () => {
    const draft = await leaveUnknown(opened());
    opened().clock.nowMs = opened().mandate.expiresMs;
    const plan = await aResend(opened(), draft);
    expect(plan).toMatchObject({ kind: 'refused', reason: 'mandate' });
    expect(await opened().state(draft.opId)).toBe('UNKNOWN');
  });
}

export function testOnce({ opened, place, reopen }: StoreTestContext): void {
  const once = 'the invoice';

  it('EXE-16: values succeed once, whatever else the call holds; a failure gives them back', async () => {
    const { store } = opened();
    const first = opened().proposal({ once });
    await opened().decide(first);
    const refused = async () => (await opened().decide(opened().proposal({ once }))).decision;
    const taken = { failures: [{ code: 'EXECUTION_DUPLICATE', detail: 'once', opId: first.opId }] };
    expect(await refused()).toMatchObject(taken);
    await store.finish(aReport(first, { class: 'AMBIGUOUS' }));
    expect(await refused()).toMatchObject(taken);
    const found = { opId: first.opId, finding: 'failed', method: 'person', isTold: true } as const;
    await store.reconcile({ ...found, person: 'maya', evidence: 'looked' });

    const next = opened().proposal({ once });
    expect((await opened().decide(next)).decision.kind).toBe('allow');
    await store.finish(aReport(next));
    expect(await refused()).toMatchObject({ failures: [{ detail: 'once', opId: next.opId }] });
    const other = opened().proposal({ once: 'another invoice' });
    expect((await opened().decide(other)).decision.kind).toBe('allow');
    expect(await opened().budgets()).toEqual(['amount:10/10', 'calls:1/1']);
  });

  it('EXE-16: the values are taken with the dispatch, not with the question', async () => {
    const [asked, sent] = [opened().proposal({ once }), opened().proposal({ once })];
    await opened().grant(asked);
    expect((await opened().decide(sent)).decision.kind).toBe('allow');
    const granted = opened().proposal({ once, fingerprint: asked.fingerprint });
    expect(outcomeOf((await opened().decide(granted, aCall({ level: 1 }))).decision)).toBe(
      'EXECUTION_DUPLICATE',
    );
    expect(await opened().state(asked.opId)).toBe('CLOSED');
    const late = await opened().decide(opened().proposal({ once }), aCall({ level: 1 }));
    expect(late.decision).toMatchObject({ failures: [{ detail: 'once', opId: sent.opId }] });
  });

  it('EXE-16: a person who approves after a tool error hands the values over', async () => {
    const first = opened().proposal({ once });
    await opened().decide(first);
    await opened().store.finish(aReport(first, { class: 'TOOL_ERROR' }));
    const { fingerprint } = first;
    const again = opened().proposal({ once, fingerprint });
    await opened().grant(again);
    const carried = await opened().decide(
      opened().proposal({ once, fingerprint }),
      aCall({ level: 1 }),
    );
    expect(carried).toMatchObject({ opId: again.opId, decision: { kind: 'allow' } });
    expect(await opened().state(first.opId)).toBe('FAILED');
    await opened().store.finish(aReport(again));
    const { decision } = await opened().decide(opened().proposal({ once }));
    expect(decision).toMatchObject({ failures: [{ detail: 'once', opId: again.opId }] });
  });

  it('EXE-16: of many at once exactly one is sent, in every process', async () => {
    const stores = [opened()];
    if (place().isDurable) stores.push(await OpenedStore.open(place(), { clock: opened().clock }));
    const plans = await Promise.all(
      Array.from({ length: 24 }, (_unused, i) => {
        const each = stores[i % stores.length] as OpenedStore;
        return each.decide(each.proposal({ once }));
      }),
    );
    expect(plans.filter(({ decision }) => decision.kind === 'allow')).toHaveLength(1);
    expect(
      plans.filter(({ decision }) => outcomeOf(decision) === 'EXECUTION_DUPLICATE'),
    ).toHaveLength(23);
    expect(await opened().budgets()).toEqual(['amount:10/0', 'calls:1/0']);
    for (const each of stores.slice(1)) await each.store.close();
  });

  it('EXE-16: values stay taken over a restart', async ({ skip }) => {
    if (!place().isDurable) skip('a memory store forgets');
    const first = opened().proposal({ once });
    await opened().decide(first);
    await opened().store.finish(aReport(first));
    const again = await reopen();
    const { decision } = await again.decide(again.proposal({ once }));
    expect(decision).toMatchObject({ failures: [{ detail: 'once', opId: first.opId }] });
  });

  it('EXE-17: a key stands for the first call that named it, and for one proposal', async () => {
    const { store } = opened();
    const claim = { key: 'k', payload: 'p', opId: testId() };
    expect(await store.claimCallKey(claim)).toEqual({ ...claim, isNew: true });
    const again = await store.claimCallKey({ key: 'k', payload: 'other', opId: testId() });
    expect(again).toEqual({ ...claim, isNew: false });
    const many = await Promise.all(
      Array.from({ length: 8 }, () =>
        store.claimCallKey({ key: 'many', payload: 'p', opId: testId() }),
      ),
    );
    expect(many.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(many.map(({ opId }) => opId)).size).toBe(1);

    const draft = opened().proposal({ opId: claim.opId });
    expect((await opened().decide(draft)).decision.kind).toBe('allow');
    const twice = opened().proposal({ opId: claim.opId });
    await expect(opened().decide(twice)).rejects.toMatchObject({ code: 'STORE_CONFLICT' });
    expect(await opened().budgets()).toEqual(['amount:10/0', 'calls:1/0']);
  });
}

export function testLeases({ opened, place }: StoreTestContext): void {
  /** The process of the running test dies, as far as another one can tell. */
  const survivor = (host = 'host') =>
    OpenedStore.open(place(), {
      clock: opened().clock,
      settings: {
        isAlive: () => isOtherAlive,
        identity: { ...opened().settings.identity, processId: testId(), host },
      },
    });
  let isOtherAlive = true;

  it('EXE-28: a living process takes over what a dead one left, without a restart', async ({
    skip,
  }) => {
    if (!place().isDurable) skip('a memory store has one process');
    isOtherAlive = true;
    const draft = opened().proposal();
    await opened().decide(draft);
    const other = await survivor();
    expect(await other.store.heartbeat()).toEqual([]);
    expect(await other.state(draft.opId)).toBe('DISPATCHING');
    isOtherAlive = false;
    expect(await other.store.heartbeat()).toEqual([draft.opId]);
    expect(await other.state(draft.opId)).toBe('UNKNOWN');
    expect(await other.store.heartbeat()).toEqual([]);
    expect(await other.budgets()).toEqual(['amount:10/0', 'calls:1/0']);

    // The dead one was only asleep: its answer comes late and is used.
    const late = await opened().store.finish(aReport(draft));
    expect(late).toMatchObject({ late: true, state: 'SUCCEEDED' });
    expect(await other.budgets()).toEqual(['amount:0/10', 'calls:0/1']);
    await other.store.close();
  });

  it('EXE-28: a silent process of another host is waited for until the deadline of its call', async ({
    skip,
  }) => {
    if (!place().isDurable) skip('a memory store has one process');
    isOtherAlive = false;
    const { clock } = opened();
    const draft = opened().proposal({ attemptTimeoutMs: 120 * second });
    await opened().decide(draft);
    const other = await survivor('another host');
    expect(await other.state(draft.opId)).toBe('DISPATCHING');
    clock.nowMs += 120 * second - 1;
    expect(await other.store.heartbeat()).toEqual([]);
    clock.nowMs += 1;
    expect(await other.store.heartbeat()).toEqual([draft.opId]);
    await other.store.close();
  });

  it('EXE-53: a process holds its lease for 30 s after it last said that it lives', async ({
    skip,
  }) => {
    if (!place().isDurable) skip('nobody else can take over what a memory store holds');
    const { store, clock } = opened();
    clock.nowMs += 30 * second - 1;
    expect(store.holdsLease()).toBe(true);
    clock.nowMs += 1;
    expect(store.holdsLease()).toBe(false);
    await store.heartbeat();
    expect(store.holdsLease()).toBe(true);
  });
}
