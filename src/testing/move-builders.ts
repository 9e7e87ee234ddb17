// Rows as a store would read them, for tests of the moves.

import { oneApprover, principalAlone } from '../core/checks/quorum.ts';
import type { DecisionRows } from '../core/moves/plan-decision.ts';
import { noRepeat, type RepeatRows } from '../core/moves/repeat-fact.ts';
import { opHash } from '../core/op-hash.ts';
import type { ApprovalRow, BudgetRow, MandateRow, OperationRow, Vote } from '../core/operation.ts';
import { nobody } from '../core/person.ts';
import { testDigest } from './store-builders.ts';

/** The instant of every row here. */
export const testNowMs = 1_800_000_000_000;

export function aMandateRow(over: Partial<MandateRow> = {}): MandateRow {
  return {
    mandateId: 'mandate-1',
    line: 'mandate-1',
    supersedes: undefined,
    budgetRoot: 'mandate-1',
    parent: undefined,
    ancestors: [],
    budgetIds: ['mandate-1/amount', 'mandate-1/calls'],
    principal: 'alice',
    tenant: 'acme',
    agent: 'bookkeeper',
    status: 'active',
    notBeforeMs: testNowMs - 1_000,
    expiresMs: testNowMs + 86_400_000,
    levelMin: 0,
    scopes: ['payments'],
    hash: testDigest,
    ...over,
  };
}

export function aBudgetRow(over: Partial<BudgetRow> = {}): BudgetRow {
  const kind = over.kind ?? 'amount';
  return {
    budgetId: `mandate-1/${kind}`,
    budgetRoot: 'mandate-1',
    kind,
    limit: 1_000,
    reserved: 0,
    spent: 0,
    frozen: false,
    currency: undefined,
    window: { kind: 'life' },
    spread: 'subtree',
    period: undefined,
    endsMs: undefined,
    clockAlarmMs: undefined,
    ...over,
  };
}

export function anOperationRow(over: Partial<OperationRow> = {}): OperationRow {
  return {
    opId: '11'.repeat(16),
    mandateId: 'mandate-1',
    mandateLine: 'mandate-1',
    action: 'payment.send',
    fingerprint: 'f',
    opHash: testDigest,
    state: 'DISPATCHING',
    level: 0,
    effect: 'write',
    attempt: 1,
    owner: 'process-1',
    createdMs: testNowMs - 10,
    movedMs: testNowMs - 10,
    deadlineMs: testNowMs + 1_000,
    outcome: undefined,
    told: true,
    ...over,
  };
}

export function anApprovalRow(over: Partial<ApprovalRow> = {}): ApprovalRow {
  return {
    approvalId: '22'.repeat(16),
    opId: '11'.repeat(16),
    mandateId: 'mandate-1',
    fingerprint: 'f',
    level: 1,
    state: 'REQUESTED',
    createdMs: testNowMs - 10,
    expiresMs: testNowMs + 600_000,
    endedMs: undefined,
    endReason: undefined,
    told: false,
    assurance: undefined,
    channel: undefined,
    terms: over.level === 2 ? oneApprover : principalAlone,
    votes: over.state === 'GRANTED' || over.state === 'CONSUMED' ? [aVote()] : [],
    ...over,
  };
}

/** The principal's own. */
export function aVote(over: Partial<Vote> = {}): Vote {
  return {
    personId: 'alice',
    credentialId: undefined,
    assurance: 'passcode',
    channel: 'page',
    atMs: testNowMs - 5,
    ...over,
  };
}

export function decisionRows(over: Partial<DecisionRows> = {}): DecisionRows {
  return {
    nowMs: testNowMs,
    clockBehindMs: 0,
    mandate: aMandateRow(),
    ancestors: [],
    aged: [],
    budgets: [aBudgetRow(), aBudgetRow({ kind: 'calls' })],
    repeat: noRepeat,
    openApprovals: 0,
    unresolvedReserved: [],
    ...over,
  };
}

/** An operation that waits for a person, as the newest of its fingerprint. */
export function waitingRows(
  approval: Partial<ApprovalRow>,
  over: Partial<NonNullable<RepeatRows['newest']>> = {},
): RepeatRows {
  const asking = { state: 'ASKING', level: 1, attempt: 0, owner: undefined } as const;
  const { preimage } = over;
  const operation = anOperationRow(
    preimage === undefined ? asking : { ...asking, opHash: opHash(preimage) },
  );
  return {
    ...noRepeat,
    newest: {
      operation,
      approval: anApprovalRow(approval),
      preimage: undefined,
      call: undefined,
      people: nobody,
      ...over,
    },
  };
}
