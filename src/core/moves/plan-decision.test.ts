import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import {
  aBudgetRow,
  aMandateRow,
  anApprovalRow,
  anOperationRow,
  decisionRows,
  testNowMs,
  waitingRows,
} from '../../testing/move-builders.ts';
import { aCall, aProposal, type CallChoice } from '../../testing/store-builders.ts';
import type { StaticFacts } from '../facts.ts';
import { opHash } from '../op-hash.ts';
import { findIllegalMove } from './legal-writes.ts';
import { type DecisionPlan, type DecisionRows, planDecision } from './plan-decision.ts';
import { noRepeat, type RepeatRows } from './repeat-fact.ts';

const draft = aProposal({ mandateId: 'mandate-1', owner: 'process-2' });
const opId = '11'.repeat(16);

type Decided = Extract<DecisionPlan, { kind: 'decided' }>;

function plan(call: StaticFacts | CallChoice = {}, rows: Partial<DecisionRows> = {}): Decided {
  const facts = 'call' in call ? call : aCall(call);
  const planned = planDecision(facts, draft, decisionRows(rows));
  if (planned.kind !== 'decided') throw new Error('incomplete');
  expect(findIllegalMove(planned.writes)).toBeUndefined();
  return planned;
}

const types = ({ writes }: Decided): readonly string[] => writes.leaves.map((leaf) => leaf.type);

/** What a grant stored for the same call: made by asking first. */
function granted(over: Partial<RepeatRows> = {}): RepeatRows {
  const asked = plan({ level: 1 });
  const decision = asked.writes.leaves.find((leaf) => leaf.type === 'decision');
  const { preimage, call } = decision?.committed ?? {};
  return {
    ...waitingRows({ state: 'GRANTED' }, { preimage: preimage as string, call: call as string }),
    ...over,
  };
}

describe('planDecision', () => {
  it('asks for a missing verdict and plans nothing', () => {
    const facts = aCall({ policy: { 0: { effect: 'no_permit', rules: [] } } });
    expect(planDecision(facts, draft, decisionRows())).toEqual({ kind: 'incomplete', level: 1 });
  });

  verifies('EXE-03', 'dispatches an allowed call: row, reservations and leaves', () => {
    const allowed = plan();
    expect(allowed).toMatchObject({ opId: draft.opId, nowMs: testNowMs });
    const preimage = allowed.writes.leaves[1]?.committed['preimage'] as string;
    expect(allowed.writes.insertOperations).toEqual([
      {
        opId: draft.opId,
        mandateId: 'mandate-1',
        mandateLine: 'mandate-1',
        action: 'payment.send',
        fingerprint: draft.fingerprint,
        opHash: opHash(preimage),
        state: 'DISPATCHING',
        level: 0,
        effect: 'write',
        attempt: 1,
        owner: 'process-2',
        createdMs: testNowMs,
        movedMs: testNowMs,
        deadlineMs: testNowMs + draft.attemptTimeoutMs,
        outcome: undefined,
        told: true,
      },
    ]);
    const { opId } = draft;
    const begun = { kind: 'reserve', opId, atMs: testNowMs, agesMs: undefined };
    expect(allowed.writes.budgetMoves).toEqual([
      { ...begun, budgetId: 'mandate-1/amount', amount: 10 },
      { ...begun, budgetId: 'mandate-1/calls', amount: 1 },
    ]);
    expect(types(allowed)).toEqual(['proposal', 'decision', 'attempt']);
  });

  verifies('EXE-22', 'refuses with two leaves and nothing else', () => {
    const denied = plan({ amount: 1_001 });
    expect(denied.opId).toBeUndefined();
    expect(denied.writes).toMatchObject({ insertOperations: [], budgetMoves: [] });
    expect(types(denied)).toEqual(['proposal', 'decision']);
    expect(plan({ amount: 1_000 }).decision.kind).toBe('allow');
  });

  it('refuses without a mandate, and with one that was superseded', () => {
    const codeOf = ({ decision }: Decided) =>
      decision.kind === 'deny' ? decision.failures[0].code : decision.kind;
    expect(codeOf(plan({}, { mandate: undefined, budgets: [] }))).toBe('AUTHN_TOKEN_INVALID');
    const superseded = aMandateRow({ status: 'superseded' });
    expect(codeOf(plan({}, { mandate: superseded }))).toBe('AUTHN_MANDATE_REVOKED');
    const suspended = aMandateRow({ status: 'suspended' });
    expect(codeOf(plan({}, { mandate: suspended }))).toBe('AUTHN_MANDATE_SUSPENDED');
  });

  it('refuses a call that cannot be read', () => {
    const call = { kind: 'unreadable', faults: [{ code: 'CONTRACT_UNKNOWN_ACTION' }] } as const;
    const denied = plan({ ...aCall(), call });
    expect(types(denied)).toEqual(['proposal', 'decision']);
    const unread = { ...decisionRows(), repeat: granted() };
    expect(plan({ ...aCall(), call }, unread).decision.kind).toBe('deny');
  });

  it('uses only the budgets of the mandate, and none that is charged nothing', () => {
    const mandate = aMandateRow({ budgetIds: ['mandate-1/amount'] });
    const moves = (call: StaticFacts) => plan(call, { mandate }).writes.budgetMoves;
    expect(moves(aCall())).toMatchObject([{ budgetId: 'mandate-1/amount' }]);
    const free = aCall();
    const { amount: _, ...call } = free.call as Extract<StaticFacts['call'], { kind: 'read' }>;
    expect(moves({ ...free, call })).toEqual([]);
  });

  it('asks: the operation waits and holds no money', () => {
    const asked = plan({ level: 1 });
    expect(asked.writes).toMatchObject({
      insertOperations: [{ state: 'ASKING', attempt: 0, owner: undefined, level: 1 }],
      insertApprovals: [
        {
          approvalId: draft.approvalId,
          opId: draft.opId,
          state: 'REQUESTED',
          expiresMs: testNowMs + draft.approvalExpiresMs[1],
        },
      ],
      budgetMoves: [],
    });
    expect(types(asked)).toEqual(['proposal', 'decision', 'approval.request']);
  });

  it('asks no longer than the mandate lives', () => {
    const expiresMs = testNowMs + 5_000;
    const asked = plan({ level: 1 }, { mandate: aMandateRow({ expiresMs }) });
    expect(asked.writes.insertApprovals[0]?.expiresMs).toBe(expiresMs);
  });

  it('keeps no fingerprint of a call that has none', () => {
    const facts = aCall({ level: 1 });
    const rows = decisionRows();
    const asked = planDecision(facts, { ...draft, fingerprint: undefined }, rows);
    expect(asked).toMatchObject({
      writes: { insertOperations: [{ fingerprint: '' }], insertApprovals: [{ fingerprint: '' }] },
    });
    const sent = planDecision(aCall(), { ...draft, fingerprint: undefined, call: undefined }, rows);
    expect(sent).toMatchObject({ writes: { insertOperations: [{ fingerprint: '' }] } });
  });

  it('joins an open question', () => {
    const joined = plan({ level: 1 }, { repeat: waitingRows({}) });
    expect(joined.opId).toBe(opId);
    expect(joined.writes).toMatchObject({ insertOperations: [], insertApprovals: [] });
    expect(types(joined)).toEqual(['proposal', 'decision']);
  });

  it('carries out a granted operation and uses its approval up', () => {
    const consumed = plan({ level: 1 }, { repeat: granted() });
    expect(consumed.opId).toBe(opId);
    expect(consumed.writes).toMatchObject({
      insertOperations: [],
      moveOperations: [
        {
          from: 'ASKING',
          attempt: 0,
          to: { opId, state: 'DISPATCHING', attempt: 1, owner: 'process-2' },
        },
      ],
      moveApprovals: [{ from: 'GRANTED', to: { state: 'CONSUMED', told: true } }],
      budgetMoves: [
        { opId, amount: 10 },
        { opId, amount: 1 },
      ],
    });
    expect(types(consumed)).toEqual(['proposal', 'decision', 'approval.end', 'attempt']);
  });

  it('sends nothing when the arguments of a granted operation were erased', () => {
    const erased = granted();
    const newest = erased.newest && { ...erased.newest, call: undefined };
    const consumed = plan({ level: 1 }, { repeat: { ...erased, newest } });
    expect(consumed.writes.leaves.at(-1)?.type).toBe('attempt');
  });

  it('settles a tool error as failed when the person approved the repeat', () => {
    const unresolved = anOperationRow({
      opId: '33'.repeat(16),
      state: 'UNKNOWN',
      outcome: 'TOOL_ERROR',
    });
    const consumed = plan(
      { level: 1 },
      {
        repeat: granted({ unresolved }),
        unresolvedReserved: [
          { budgetId: 'mandate-1/amount', amount: 10, kind: 'amount', used: 10 },
        ],
      },
    );
    expect(consumed.writes.moveOperations[1]).toMatchObject({
      from: 'UNKNOWN',
      to: { opId: unresolved.opId, state: 'FAILED' },
    });
    expect(consumed.writes.budgetMoves[0]).toEqual({
      kind: 'release',
      opId: unresolved.opId,
      budgetId: 'mandate-1/amount',
      amount: 10,
    });
    expect(types(consumed)).toEqual([
      ...['proposal', 'decision', 'reconcile'],
      ...['approval.end', 'attempt'],
    ]);
  });

  it('voids a grant whose dispatch is refused, and says why in one word', () => {
    const refused = plan({ level: 1, amount: 10 }, { repeat: granted(), budgets: [full()] });
    expect(refused.writes).toMatchObject({
      moveOperations: [{ from: 'ASKING', to: { state: 'CLOSED' } }],
      moveApprovals: [{ to: { state: 'VOIDED', endReason: 'BUDGET_AMOUNT', told: true } }],
    });
    expect(types(refused)).toEqual(['proposal', 'decision', 'approval.end']);
    const changed = { ...granted().newest, preimage: 'unreadable' } as RepeatRows['newest'];
    const voided = plan({ level: 1 }, { repeat: { ...noRepeat, newest: changed } });
    expect(voided.writes.moveApprovals[0]?.to).toMatchObject({ endReason: 'preimage' });
  });

  it('leaves an open question alone when a repeat is refused', () => {
    const refused = plan({ level: 1 }, { repeat: waitingRows({}), budgets: [full()] });
    expect(refused.decision.kind).toBe('deny');
    expect(refused.writes.moveApprovals).toEqual([]);
  });

  it('ends a question whose time is over and tells it', () => {
    const late = plan({ level: 1 }, { repeat: waitingRows({ expiresMs: testNowMs }) });
    expect(late.decision).toMatchObject({ failures: [{ code: 'APPROVAL_EXPIRED' }] });
    expect(late.writes.moveApprovals).toMatchObject([{ to: { state: 'EXPIRED', told: true } }]);
  });

  it('tells once how a question ended', () => {
    const operation = anOperationRow({ state: 'CLOSED', level: 1 });
    const approval = anApprovalRow({ state: 'EXPIRED' });
    const texts = { preimage: undefined, call: undefined, people: undefined };
    const newest = { operation, approval, ...texts };
    const told = plan({ level: 1 }, { repeat: { ...noRepeat, newest } });
    expect(told.writes.tellApprovals).toEqual([approval.approvalId]);
    const silent = { ...newest, approval: undefined };
    expect(plan({}, { repeat: { ...noRepeat, newest: silent } }).writes.tellApprovals).toEqual([]);
  });

  it('tells a success that nobody was told', () => {
    const row = anOperationRow({ state: 'SUCCEEDED', told: false });
    const texts = { preimage: undefined, call: undefined, people: undefined };
    const newest = { operation: row, approval: undefined, ...texts };
    const told = plan({}, { repeat: { ...noRepeat, newest, untold: row, success: row } });
    expect(told.decision).toMatchObject({ tells: opId });
    expect(told.writes.tellOperations).toEqual([opId]);
  });

  it.each(['REQUESTED', 'GRANTED'] as const)(
    'a success that turned up later voids the %s question about its repeat',
    (state) => {
      const row = anOperationRow({ opId: '0'.repeat(32), state: 'SUCCEEDED', told: false });
      const repeat = { ...waitingRows({ state }), untold: row, success: row };
      const told = plan({}, { repeat });
      expect(told.decision).toMatchObject({ kind: 'deny', tells: row.opId });
      expect(told.writes.tellOperations).toEqual([row.opId]);
      expect(told.writes.moveOperations).toMatchObject([{ to: { state: 'CLOSED' } }]);
      expect(told.writes.moveApprovals).toMatchObject([
        { from: state, to: { state: 'VOIDED', endReason: 'untold_success' } },
      ]);
    },
  );
});

const full = () => aBudgetRow({ limit: 10, spent: 1 });

describe('planDecision, values that count once', () => {
  const once = { ...draft, once: 'k' };
  const planOnce = (rows: Partial<DecisionRows>): Decided => {
    const planned = planDecision(aCall(), once, decisionRows(rows));
    if (planned.kind !== 'decided') throw new Error('incomplete');
    return planned;
  };

  verifies('EXE-16', 'are taken with the dispatch, from nobody or from one that failed', () => {
    const take = { once: 'k', opId: draft.opId };
    expect(planOnce({}).writes.takeOnce).toEqual([{ ...take, from: undefined }]);
    const failed = { once: { opId, state: 'FAILED' } } as const;
    expect(planOnce(failed).writes.takeOnce).toEqual([{ ...take, from: opId }]);
    expect(plan().writes.takeOnce).toEqual([]);
  });

  verifies('EXE-16', 'are refused while another has them', () => {
    const held = planOnce({ once: { opId, state: 'UNKNOWN' } });
    expect(held.decision).toMatchObject({ kind: 'deny', failures: [{ detail: 'once', opId }] });
    expect(held.writes.takeOnce).toEqual([]);
  });

  verifies('EXE-16', 'of an equal call after a tool error are a question, not a refusal', () => {
    const unresolved = anOperationRow({ state: 'UNKNOWN', outcome: 'TOOL_ERROR' });
    const asked = planOnce({
      once: { opId, state: 'UNKNOWN' },
      repeat: { ...noRepeat, unresolved },
    });
    expect(asked.decision.kind).toBe('ask');
  });
});
