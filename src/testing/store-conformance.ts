// What every store must do, run by each of them: parts of it are in files of their own.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreError } from '../stores/store.ts';
import { OpenedStore, outcomeOf, type StorePlace, type StoreTestContext } from './opened-store.ts';
import { testBudgetLedger } from './store-budget-conformance.ts';
import { aCall, aMandateDraft, anAnswer, aReport, testDigest, testId } from './store-builders.ts';
import { testHistory } from './store-history-conformance.ts';
import { testStoreLog } from './store-log-conformance.ts';
import { testPeople } from './store-people-conformance.ts';
import { testLeases, testOnce, testReconcile } from './store-reconcile-conformance.ts';
import { testRedaction } from './store-redaction-conformance.ts';
import { testStart } from './store-start-conformance.ts';
import { testUnknown } from './store-unknown-conformance.ts';

/** Registers the whole suite for one kind of store; each test gets a place of its own. */
export function testStore(name: string, makePlace: () => StorePlace | Promise<StorePlace>): void {
  describe(name, () => {
    let place: StorePlace;
    let opened: OpenedStore;
    const reopen = async (): Promise<OpenedStore> => {
      await opened.store.close();
      opened = await OpenedStore.open(place, { clock: opened.clock });
      return opened;
    };
    beforeEach(async () => {
      place = await makePlace();
      opened = await OpenedStore.open(place);
    });
    afterEach(async () => {
      await opened.store.close();
      await place.remove();
    });
    const context = { opened: () => opened, reopen, place: () => place };
    describe('operations', () => testOperations(context));
    describe('unknown outcomes', () => testUnknown(context));
    describe('look-ups', () => testReconcile(context));
    describe('once', () => testOnce(context));
    describe('leases', () => testLeases(context));
    describe('repeats', () => testRepeats(context));
    describe('budgets', () => testBudgets(context));
    describe('ledger', () => testBudgetLedger(context));
    describe('approvals', () => testApprovals(context));
    describe('people', () => testPeople(context));
    describe('history', () => testHistory(context));
    describe('mandates', () => testMandates(context));
    describe('guards', () => testGuards(context));
    describe('log', () => testStoreLog(context));
    describe('redaction', () => testRedaction(context));
    describe('start', () => testStart(context));
  });
}

function testOperations({ opened, reopen, place }: StoreTestContext): void {
  it('EXE-03 RCP-02: commits decision, reservation and leaves of an allowed call together', async () => {
    const { store } = opened();
    const draft = opened().proposal();
    const plan = await opened().decide(draft);
    expect(plan).toMatchObject({ opId: draft.opId, decision: { kind: 'allow', level: 0 } });
    expect(await opened().budgets()).toEqual(['amount:10/0', 'calls:1/0']);
    expect(await opened().types(draft.opId)).toEqual(['proposal', 'decision', 'attempt']);
    const stored = await store.readOperation(draft.opId);
    expect(stored).toMatchObject({ call: draft.call, result: undefined, approval: undefined });
    expect(stored?.row).toMatchObject({ state: 'DISPATCHING', attempt: 1, owner: draft.owner });
    expect(JSON.parse(stored?.preimage ?? '')).toMatchObject({ op_id: draft.opId, level: 0 });

    expect(await store.finish(aReport(draft))).toMatchObject({ state: 'SUCCEEDED', late: false });
    expect(await opened().budgets()).toEqual(['amount:0/10', 'calls:0/1']);
    expect(await opened().types(draft.opId)).toEqual([
      'proposal',
      'decision',
      'attempt',
      'outcome',
    ]);
    expect(await store.readOperation(draft.opId)).toMatchObject({
      row: { state: 'SUCCEEDED', outcome: 'SUCCESS', told: true },
      result: aReport(draft).result,
    });
  });

  it('EXE-22: a refusal has leaves, no row and no cost', async () => {
    const draft = opened().proposal();
    const { decision, opId } = await opened().decide(draft, aCall({ amount: 1_001 }));
    expect(outcomeOf(decision)).toBe('BUDGET_AMOUNT');
    expect(opId).toBeUndefined();
    expect(await opened().types(draft.opId)).toEqual(['proposal', 'decision']);
    expect(await opened().store.readOperation(draft.opId)).toBeUndefined();
    expect(await opened().budgets()).toEqual(['amount:0/0', 'calls:0/0']);
  });

  it('refuses a call under a mandate that it does not know', async () => {
    const draft = opened().proposal({ mandateId: 'nobody' });
    expect(outcomeOf((await opened().decide(draft)).decision)).toBe('AUTHN_TOKEN_INVALID');
    expect(await opened().types(draft.opId)).toEqual(['proposal', 'decision']);
  });

  it('writes nothing while a verdict is missing', async () => {
    const before = await opened().store.readTree();
    const draft = opened().proposal();
    const plan = await opened().store.decide(aCall({ policy: {} }), draft);
    expect(plan).toEqual({ kind: 'incomplete', level: 0 });
    expect(await opened().store.readTree()).toEqual(before);
  });

  it('EXE-22: a certain failure releases, an unknown outcome keeps the reservation', async () => {
    const [failed, unknown] = [opened().proposal(), opened().proposal()];
    await opened().decide(failed);
    await opened().decide(unknown);
    await opened().store.finish(aReport(failed, { class: 'REJECTED', result: undefined }));
    expect(await opened().state(failed.opId)).toBe('FAILED');
    expect(await opened().budgets()).toEqual(['amount:10/0', 'calls:1/0']);
    await opened().store.finish(aReport(unknown, { class: 'AMBIGUOUS', reason: 'cut' }));
    expect(await opened().state(unknown.opId)).toBe('UNKNOWN');
    expect(await opened().budgets()).toEqual(['amount:10/0', 'calls:1/0']);
  });

  it('records an outcome of somebody else and changes nothing', async () => {
    const draft = opened().proposal();
    await opened().decide(draft);
    await opened().store.finish(aReport(draft, { class: 'AMBIGUOUS', result: undefined }));
    const foreign = await opened().store.finish(
      aReport({ ...draft, owner: 'another process' }, { class: 'AMBIGUOUS', result: undefined }),
    );
    expect(foreign.late).toBe(true);
    expect(await opened().state(draft.opId)).toBe('UNKNOWN');
    expect((await opened().store.readOperation(draft.opId))?.result).toBeUndefined();
    const nobody = await opened().store.finish(aReport({ ...draft, opId: testId() }));
    expect(nobody).toMatchObject({ state: 'UNKNOWN', late: true });
  });

  it('RCP-03: a receipt that cannot be written leaves no operation and no reservation', async () => {
    const before = await opened().store.readTree();
    const draft = opened().proposal({ action: 'a'.repeat(17_000) });
    const refused = opened().decide(draft);
    await expect(refused).rejects.toMatchObject({ code: 'STORE_FAILED', fatal: false });
    await expect(refused).rejects.toBeInstanceOf(StoreError);
    expect(await opened().store.readOperation(draft.opId)).toBeUndefined();
    expect(await opened().budgets()).toEqual(['amount:0/0', 'calls:0/0']);
    expect(await opened().store.readTree()).toEqual(before);
    expect(outcomeOf((await opened().decide(opened().proposal())).decision)).toBe('allow');
  });

  it('EXE-24: one write that fails does not hurt those committed with it', async () => {
    const good = [opened().proposal(), opened().proposal(), opened().proposal()] as const;
    const bad = opened().proposal({ action: 'a'.repeat(17_000) });
    const results = await Promise.allSettled(
      [good[0], bad, good[1], { ...opened().proposal(), opId: good[0].opId }, good[2]].map(
        (draft) => opened().decide(draft),
      ),
    );
    expect(results.map((each) => each.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(results[3]).toMatchObject({ reason: { code: 'STORE_CONFLICT' } });
    expect(await opened().budgets()).toEqual(['amount:30/0', 'calls:3/0']);
    for (const draft of good) expect(await opened().state(draft.opId)).toBe('DISPATCHING');
  });

  it('EXE-08: operations and their reservations are still there after a restart', async (test) => {
    if (!place().isDurable) test.skip('a memory store forgets');
    const [unknown, done] = [opened().proposal(), opened().proposal()];
    await opened().decide(unknown);
    await opened().store.finish(aReport(unknown, { class: 'AMBIGUOUS' }));
    await opened().decide(done);
    await opened().store.finish(aReport(done));
    const again = await reopen();
    expect(again.mandate.mandateId).toBe((await again.status()).mandate.mandateId);
    expect(await again.state(unknown.opId)).toBe('UNKNOWN');
    expect(await again.state(done.opId)).toBe('SUCCEEDED');
    expect(await again.budgets()).toEqual(['amount:10/10', 'calls:1/1']);
    const repeat = again.proposal({ fingerprint: unknown.fingerprint });
    expect(outcomeOf((await again.decide(repeat)).decision)).toBe('EXECUTION_DUPLICATE');
  });
}

function testRepeats({ opened }: StoreTestContext): void {
  it('EXE-14: refuses the same call while the first one is under way or unknown', async () => {
    const first = opened().proposal();
    const repeat = () => opened().proposal({ fingerprint: first.fingerprint });
    await opened().decide(first);
    const during = (await opened().decide(repeat())).decision;
    expect(during).toMatchObject({ failures: [{ detail: 'in_flight', opId: first.opId }] });
    await opened().store.finish(aReport(first, { class: 'AMBIGUOUS' }));
    const after = (await opened().decide(repeat())).decision;
    expect(after).toMatchObject({ failures: [{ detail: 'unknown', opId: first.opId }] });
  });

  it('EXE-14: of many equal calls at once exactly one is sent', async () => {
    const first = opened().proposal();
    const drafts = Array.from({ length: 16 }, () =>
      opened().proposal({ fingerprint: first.fingerprint }),
    );
    const plans = await Promise.all(drafts.map((draft) => opened().decide(draft)));
    expect(plans.filter(({ decision }) => decision.kind === 'allow')).toHaveLength(1);
    expect(await opened().budgets()).toEqual(['amount:10/0', 'calls:1/0']);
  });

  it('answers the next identical call with a success that was never told, once', async () => {
    const first = opened().proposal();
    const repeat = () => opened().proposal({ fingerprint: first.fingerprint });
    await opened().decide(first);
    await opened().store.finish(aReport(first, { told: false }));
    expect((await opened().decide(repeat())).decision).toMatchObject({ tells: first.opId });
    expect((await opened().decide(repeat())).decision.kind).toBe('allow');
    expect((await opened().store.readOperation(first.opId))?.row.told).toBe(true);
  });

  it('tells a success without a second call', async () => {
    const first = opened().proposal();
    await opened().decide(first);
    await opened().store.finish(aReport(first, { told: false }));
    await opened().store.tell(first.opId);
    await opened().store.tell(testId());
    const { decision } = await opened().decide(
      opened().proposal({ fingerprint: first.fingerprint }),
    );
    expect(decision.kind).toBe('allow');
  });

  it('EXE-15: asks within the duplicate window of the newest success, not after it', async () => {
    const first = opened().proposal();
    const repeat = () => opened().proposal({ fingerprint: first.fingerprint });
    const call = aCall({ duplicateWindowMs: 1_000 });
    await opened().decide(first, call);
    await opened().store.finish(aReport(first));
    const failed = repeat();
    opened().clock.nowMs += 999;
    const inside = await opened().decide(failed, call);
    expect(inside.decision).toMatchObject({
      kind: 'ask',
      reasons: [{ kind: 'duplicate', opId: first.opId }],
    });
    await opened().store.cancelApproval(failed.opId, 'enough');
    opened().clock.nowMs += 1;
    expect((await opened().decide(repeat(), call)).decision.kind).toBe('allow');
  });

  it('keeps a success in mind behind calls that failed after it', async () => {
    const first = opened().proposal();
    const call = aCall({ duplicateWindowMs: 60_000 });
    await opened().decide(first);
    await opened().store.finish(aReport(first));
    for (let i = 0; i < 3; i += 1) {
      const failing = opened().proposal({ fingerprint: first.fingerprint });
      await opened().decide(failing);
      await opened().store.finish(aReport(failing, { class: 'NOT_SENT', result: undefined }));
    }
    const repeat = opened().proposal({ fingerprint: first.fingerprint });
    expect((await opened().decide(repeat, call)).decision).toMatchObject({
      reasons: [{ kind: 'duplicate', opId: first.opId }],
    });
  });

  it('looks at the line of the mandate only: a renewal frees nothing, another agent is free', async () => {
    const first = opened().proposal();
    await opened().decide(first);
    const renewed = await opened().store.joinMandate(aMandateDraft({ terms: 'cd'.repeat(32) }));
    const { fingerprint } = first;
    const sameLine = opened().proposal({ fingerprint, mandateId: renewed.mandateId });
    expect(outcomeOf((await opened().decide(sameLine)).decision)).toBe('EXECUTION_DUPLICATE');
    const other = await opened().store.joinMandate(aMandateDraft({ agent: 'another' }));
    const otherLine = opened().proposal({ fingerprint, mandateId: other.mandateId });
    expect((await opened().decide(otherLine)).decision.kind).toBe('allow');
  });

  it('lets reads repeat', async () => {
    const read = aCall({ effect: 'read' });
    for (const fingerprint of [undefined, '']) {
      const { decision } = await opened().decide(opened().proposal({ fingerprint }), read);
      expect(decision.kind).toBe('allow');
    }
  });
}

function testBudgets({ opened, reopen, place }: StoreTestContext): void {
  it('EXE-18: 64 callers at once never reserve above the limit, and reach it exactly', async () => {
    const facts = aCall({ amount: 40 });
    const plans = await Promise.all(
      Array.from({ length: 64 }, () => opened().decide(opened().proposal(), facts)),
    );
    const outcomes = plans.map(({ decision }) => outcomeOf(decision));
    expect(outcomes.filter((each) => each === 'allow')).toHaveLength(25);
    expect(outcomes.filter((each) => each === 'BUDGET_AMOUNT')).toHaveLength(39);
    expect(await opened().budgets()).toEqual(['amount:1000/0', 'calls:25/0']);
  });

  it('EXE-18: counts calls to the exact limit', async () => {
    const draft = aMandateDraft({ agent: 'caller', budgets: [{ kind: 'calls', limit: 2 }] });
    const { mandateId } = await opened().store.joinMandate(draft);
    const decide = async (): Promise<string> =>
      outcomeOf((await opened().decide(opened().proposal({ mandateId }))).decision);
    expect([await decide(), await decide(), await decide()]).toEqual([
      'allow',
      'allow',
      'BUDGET_CALLS',
    ]);
  });

  it('EXE-19: what was released can be reserved again, what was settled cannot', async () => {
    const facts = aCall({ amount: 600 });
    const [first, second, third] = [opened().proposal(), opened().proposal(), opened().proposal()];
    await opened().decide(first, facts);
    expect(outcomeOf((await opened().decide(second, facts)).decision)).toBe('BUDGET_AMOUNT');
    await opened().store.finish(aReport(first, { class: 'NOT_SENT', result: undefined }));
    await opened().decide(third, facts);
    await opened().store.finish(aReport(third));
    expect(await opened().budgets()).toEqual(['amount:0/600', 'calls:0/1']);
    const fourth = opened().proposal();
    expect(outcomeOf((await opened().decide(fourth, facts)).decision)).toBe('BUDGET_AMOUNT');
  });

  it('a restart keeps what was spent', async (test) => {
    if (!place().isDurable) test.skip('a memory store forgets');
    const draft = opened().proposal();
    await opened().decide(draft);
    await opened().store.finish(aReport(draft));
    expect(await (await reopen()).budgets()).toEqual(['amount:0/10', 'calls:0/1']);
  });

  it('EXE-21: an amendment below what was used refuses further calls and keeps the sums', async () => {
    const draft = opened().proposal();
    await opened().decide(draft, aCall({ amount: 700 }));
    const budgets = [
      { kind: 'amount', limit: 500 },
      { kind: 'calls', limit: 100 },
    ] as const;
    const { mandateId } = await opened().store.joinMandate(
      aMandateDraft({ terms: 'cd'.repeat(32), budgets }),
    );
    const repeat = opened().proposal({ mandateId });
    const refused = await opened().decide(repeat, aCall({ amount: 1 }));
    expect(outcomeOf(refused.decision)).toBe('BUDGET_AMOUNT');
    const status = await opened().store.readStatus(mandateId);
    expect(status?.budgets[0]).toMatchObject({ limit: 500, reserved: 700 });
    await opened().store.finish(aReport(draft, { class: 'NOT_SENT', result: undefined }));
    const fitting = opened().proposal({ mandateId });
    expect(outcomeOf((await opened().decide(fitting, aCall({ amount: 500 }))).decision)).toBe(
      'allow',
    );
  });
}

function testApprovals({ opened, reopen, place }: StoreTestContext): void {
  it('asks, is joined, granted and consumed by the next identical call', async () => {
    const asked = opened().proposal();
    const { approvalId, opHash } = await opened().ask(asked);
    const repeat = () => opened().proposal({ fingerprint: asked.fingerprint });
    const call = aCall({ level: 1 });
    const joined = await opened().decide(repeat(), call);
    expect(joined).toMatchObject({ opId: asked.opId, decision: { joins: asked.opId } });
    expect(await opened().budgets()).toEqual(['amount:0/0', 'calls:0/0']);

    const plan = await opened().store.answer(anAnswer({ approvalId, opHash }));
    expect(plan.result).toEqual({ ok: true, state: 'GRANTED', suspended: false });
    const consumed = await opened().decide(repeat(), call);
    expect(consumed).toMatchObject({ opId: asked.opId, decision: { consumes: asked.opId } });
    const stored = await opened().store.readApproval(approvalId);
    expect(stored?.approval).toMatchObject({ state: 'CONSUMED', assurance: 'passcode' });
    expect(stored?.operation.row).toMatchObject({ state: 'DISPATCHING', attempt: 1 });
    expect(await opened().budgets()).toEqual(['amount:10/0', 'calls:1/0']);
    expect(await opened().store.finish(aReport(asked))).toMatchObject({ state: 'SUCCEEDED' });
    expect(await opened().types(asked.opId)).toEqual([
      'proposal',
      'decision',
      'approval.request',
      'approval.answer',
      'approval.end',
      'attempt',
      'outcome',
    ]);
  });

  it('a grant is used by one of many callers', async () => {
    const asked = opened().proposal();
    await opened().grant(asked);
    const repeats = Array.from({ length: 8 }, () =>
      opened().proposal({ fingerprint: asked.fingerprint }),
    );
    const call = aCall({ level: 1 });
    const plans = await Promise.all(repeats.map((draft) => opened().decide(draft, call)));
    const outcomes = plans.map(({ decision }) => outcomeOf(decision));
    expect(outcomes.filter((each) => each === 'allow')).toHaveLength(1);
    expect(outcomes.filter((each) => each === 'EXECUTION_DUPLICATE')).toHaveLength(7);
    expect(await opened().budgets()).toEqual(['amount:10/0', 'calls:1/0']);
  });

  it('shows what a person sees', async () => {
    const asked = opened().proposal();
    await opened().ask(asked);
    const stored = await opened().store.readApproval(asked.approvalId);
    expect(stored?.approval).toMatchObject({ state: 'REQUESTED', opId: asked.opId, level: 1 });
    expect(JSON.parse(stored?.view ?? '')).toMatchObject({ sentence: asked.sentence });
    expect(stored?.operation.call).toBe(asked.call);
    expect((await opened().status()).openApprovals).toEqual([stored?.approval]);
    expect(await opened().store.readApproval(testId())).toBeUndefined();
  });

  it('refuses the same call for a while after a reject', async () => {
    const asked = opened().proposal();
    const request = await opened().ask(asked);
    const answer = anAnswer(request, { verdict: 'reject', reason: 'wrong vendor' });
    expect((await opened().store.answer(answer)).result).toMatchObject({ state: 'REJECTED' });
    expect(await opened().state(asked.opId)).toBe('CLOSED');
    const repeat = opened().proposal({ fingerprint: asked.fingerprint });
    expect(outcomeOf((await opened().decide(repeat)).decision)).toBe('APPROVAL_REJECTED');
    expect((await opened().store.answer(anAnswer(request))).result).toMatchObject({
      code: 'ENDED',
      state: 'REJECTED',
    });
  });

  it('suspends the mandate at the third reject within an hour, until it is resumed', async () => {
    const reject = async (): Promise<unknown> => {
      const request = await opened().ask(opened().proposal());
      return (await opened().store.answer(anAnswer(request, { verdict: 'reject' }))).result;
    };
    const { mandateId } = opened().mandate;
    expect(await reject()).toMatchObject({ suspended: false });
    opened().clock.nowMs += 3_600_000;
    expect(await reject()).toMatchObject({ suspended: false });
    expect(await reject()).toMatchObject({ suspended: false });
    expect(await reject()).toMatchObject({ suspended: true });
    const refused = await opened().decide(opened().proposal());
    expect(outcomeOf(refused.decision)).toBe('AUTHN_MANDATE_SUSPENDED');
    expect(await opened().store.resumeMandate(mandateId, 'alice')).toMatchObject({
      status: 'active',
    });
    expect(await opened().store.resumeMandate(mandateId, 'alice')).toBeUndefined();
    expect(await opened().store.resumeMandate('nobody', 'alice')).toBeUndefined();
    expect((await opened().decide(opened().proposal())).decision.kind).toBe('allow');
  });

  it('changes nothing for another hash or an unknown request, and notes a stranger', async () => {
    const request = await opened().ask(opened().proposal());
    const before = await opened().store.readTree();
    const codeOf = async (answer: ReturnType<typeof anAnswer>): Promise<unknown> => {
      const { result } = await opened().store.answer(answer);
      return result.ok ? 'ok' : result.code;
    };
    expect(await codeOf(anAnswer(request, { opHash: testDigest }))).toBe('EXECUTION_CHANGED');
    expect(await codeOf(anAnswer(request, { approvalId: testId() }))).toBe('NOT_FOUND');
    expect(await opened().store.readTree()).toEqual(before);
    expect(await codeOf(anAnswer(request, { person: 'mallory' }))).toBe('APPROVAL_NOT_ELIGIBLE');
    expect((await opened().allLeaves()).at(-1)?.type).toBe('alarm');
    expect((await opened().status()).openApprovals).toMatchObject([{ state: 'REQUESTED' }]);
  });

  it('ends a request by cancelling it, once', async () => {
    const asked = opened().proposal();
    await opened().ask(asked);
    const ended = await opened().store.cancelApproval(asked.opId, 'the client went away');
    expect(ended).toMatchObject({ state: 'CANCELLED', endReason: 'the client went away' });
    expect(await opened().state(asked.opId)).toBe('CLOSED');
    expect(await opened().store.cancelApproval(asked.opId, 'again')).toBeUndefined();
    expect(await opened().store.cancelApproval(testId(), 'nobody')).toBeUndefined();
    expect((await opened().status()).openApprovals).toEqual([]);
  });

  it('ends requests at the instant their time is over, and tells the next call', async () => {
    const asked = opened().proposal();
    await opened().ask(asked);
    opened().clock.nowMs += asked.approvalExpiresMs[1] - 1;
    expect(await opened().store.expireApprovals()).toEqual([]);
    opened().clock.nowMs += 1;
    expect((await opened().status()).openApprovals).toEqual([]);
    const [ended, ...others] = await opened().store.expireApprovals();
    expect(ended).toMatchObject({ approvalId: asked.approvalId, state: 'EXPIRED' });
    expect(others).toEqual([]);
    const repeat = () => opened().proposal({ fingerprint: asked.fingerprint });
    expect(outcomeOf((await opened().decide(repeat())).decision)).toBe('APPROVAL_EXPIRED');
    expect((await opened().decide(repeat())).decision.kind).toBe('allow');
  });

  it('marks the end of a request as told', async () => {
    const asked = opened().proposal();
    await opened().ask(asked);
    opened().clock.nowMs += asked.approvalExpiresMs[1];
    await opened().store.expireApprovals();
    await opened().store.tell(asked.opId);
    const repeat = opened().proposal({ fingerprint: asked.fingerprint });
    expect((await opened().decide(repeat)).decision.kind).toBe('allow');
  });

  it('counts open requests of the mandate', async () => {
    await opened().ask(opened().proposal());
    const full = aCall({ level: 1, openApprovalsMax: 1 });
    const refused = await opened().decide(opened().proposal(), full);
    expect(outcomeOf(refused.decision)).toBe('APPROVAL_TOO_MANY');
  });

  it('a restart keeps open and granted requests', async (test) => {
    if (!place().isDurable) test.skip('a memory store forgets');
    const [open, granted] = [opened().proposal(), opened().proposal()];
    await opened().ask(open);
    await opened().grant(granted);
    const again = await reopen();
    expect((await again.status()).openApprovals).toHaveLength(2);
    const repeat = again.proposal({ fingerprint: granted.fingerprint });
    const plan = await again.decide(repeat, aCall({ level: 1 }));
    expect(plan).toMatchObject({ opId: granted.opId, decision: { consumes: granted.opId } });
  });
}

function testMandates({ opened }: StoreTestContext): void {
  it('C06: joins the mandate of the same terms, whoever asks', async () => {
    const { store, mandate } = opened();
    expect(await store.joinMandate(aMandateDraft())).toEqual(mandate);
    expect(await store.findMandate({ principal: 'alice', agent: 'bookkeeper' })).toEqual(mandate);
    expect(await store.findMandate({ principal: 'bob', agent: 'bookkeeper' })).toBeUndefined();
    expect(await store.readStatus('nobody')).toBeUndefined();
  });

  it('amends a mandate whose terms changed and keeps its budgets', async () => {
    const { store, mandate } = opened();
    await opened().decide(opened().proposal());
    const next = await store.joinMandate(
      aMandateDraft({ terms: 'cd'.repeat(32), budgets: [{ kind: 'amount', limit: 50 }] }),
    );
    expect(next).toMatchObject({
      supersedes: mandate.mandateId,
      line: mandate.line,
      budgetRoot: mandate.budgetRoot,
    });
    expect((await opened().status()).mandate.status).toBe('superseded');
    const status = await store.readStatus(next.mandateId);
    expect(status?.budgets).toMatchObject([{ kind: 'amount', limit: 50, reserved: 10 }]);
    const old = await opened().decide(opened().proposal());
    expect(outcomeOf(old.decision)).toBe('AUTHN_MANDATE_REVOKED');
  });

  it('renews a mandate whose time is over with fresh budgets', async () => {
    const { store, mandate, clock } = opened();
    await opened().decide(opened().proposal());
    clock.nowMs = mandate.expiresMs;
    const next = await store.joinMandate(aMandateDraft());
    expect(next).toMatchObject({ line: mandate.line, budgetRoot: next.mandateId });
    const status = await store.readStatus(next.mandateId);
    expect(status?.budgets).toMatchObject([{ reserved: 0 }, { reserved: 0 }]);
  });
}

function testGuards({ opened }: StoreTestContext): void {
  it('uses a nonce once, and never after its time', async () => {
    const { store, clock } = opened();
    const untilMs = clock.nowMs + 1_000;
    expect(await store.useNonce('n1', untilMs)).toBe(true);
    expect(await store.useNonce('n1', untilMs)).toBe(false);
    expect(await store.useNonce('n2', clock.nowMs)).toBe(false);
    clock.nowMs += 1_000;
    expect(await store.useNonce('n1', untilMs)).toBe(false);
  });

  it('locks a person after five wrong passcodes, twice as long each time', async () => {
    const { store, clock } = opened();
    for (let i = 0; i < 4; i += 1) expect(await store.countPasscodeFailure('alice')).toBe(0);
    expect(await store.countPasscodeFailure('alice')).toBe(clock.nowMs + 60_000);
    expect(await store.countPasscodeFailure('alice')).toBe(clock.nowMs + 120_000);
    expect(await store.readPasscodeLock('alice')).toEqual({
      failures: 6,
      lockedUntilMs: clock.nowMs + 120_000,
    });
    expect(await store.readPasscodeLock('bob')).toEqual({ failures: 0, lockedUntilMs: 0 });
    await store.clearPasscodeFailures('alice');
    expect(await store.readPasscodeLock('alice')).toEqual({ failures: 0, lockedUntilMs: 0 });
  });

  it('keeps the newest recorded definition of each tool', async () => {
    const { store } = opened();
    const first = {
      server: 'bank',
      tool: 'send_money',
      identity: testDigest,
      digest: testDigest,
      definition: '{"name":"send_money"}',
      instructions: undefined,
      recordedMs: 1,
    };
    const second = { ...first, digest: 'cd'.repeat(32), instructions: 'be careful' };
    const other = { ...first, tool: 'a_tool' };
    const change = {
      type: 'config.change',
      open: { kind: 'pin', old: '', new: testDigest },
      committed: {},
    } as const;
    await store.recordDefinitions([first, other], [change]);
    await store.recordDefinitions([second], []);
    const stored = await store.readDefinitions();
    expect(stored.toSorted((a, b) => (a.tool < b.tool ? -1 : 1))).toEqual([other, second]);
    expect((await opened().allLeaves()).at(-1)?.type).toBe('config.change');
  });

  it('says that it lives, and closes twice', async () => {
    await opened().store.heartbeat();
    await opened().store.close();
    await opened().store.close();
  });
}
