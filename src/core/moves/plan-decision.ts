// T1: decide on fresh rows and write what was decided; T2 in the same transaction when nobody is asked.

import type { Charge } from '../checks/budget.ts';
import { resolveCall } from '../checks/provenance.ts';
import { decide } from '../decide.ts';
import type { Allow, Ask, Decision, Deny, Level, ResolvedValue } from '../decision.ts';
import type { LiveFacts, MandateFact, OnceFact, StaticFacts } from '../facts.ts';
import type { HistoryRow } from '../history.ts';
import { encodePreimage, opHash } from '../op-hash.ts';
import type { ApprovalRow, BudgetHold, MandateRow, OperationRow } from '../operation.ts';
import { buildPreimage, changedFields } from './build-preimage.ts';
import {
  type BudgetRows,
  chainBudgets,
  clockAlarm,
  isClockBack,
  reservations,
} from './chain-budgets.ts';
import { attemptLeaf, decisionLeaf, proposalLeaf, requestLeaf } from './decision-leaves.ts';
import { endLeaf, planEnd } from './plan-answer.ts';
import { reconcileLeaf } from './plan-reconcile.ts';
import type { ProposalDraft } from './proposal-draft.ts';
import { type RepeatRows, repeatFact } from './repeat-fact.ts';
import { releaseAll } from './settle-budgets.ts';
import { noWrites, type Writes } from './writes.ts';

/** Rows that the transaction read. */
export interface DecisionRows extends BudgetRows {
  readonly repeat: RepeatRows;
  readonly openApprovals: number;
  /** Who has the once key of the draft. */
  readonly once?: OnceFact;
  /** Reservations of `repeat.unresolved` that are still held. */
  readonly unresolvedReserved: readonly BudgetHold[];
}

/** What was decided, and what the transaction writes. `incomplete`: gather that verdict and come again; nothing is written. */
export type DecisionPlan =
  | { readonly kind: 'incomplete'; readonly level: Level }
  | {
      readonly kind: 'decided';
      readonly decision: Decision;
      readonly nowMs: number;
      /** The operation the decision is about: a new one, the joined or the granted one. */
      readonly opId: string | undefined;
      readonly writes: Writes;
    };

/** Runs `decide` on the rows and plans every write. Pure. */
export function planDecision(
  facts: StaticFacts,
  draft: ProposalDraft,
  rows: DecisionRows,
): DecisionPlan {
  const judgement = decide({ ...facts, live: liveFacts(facts, draft, rows) });
  if (judgement.kind === 'incomplete') return judgement;
  const plan = { facts, draft, rows };
  const { nowMs } = rows;
  return { kind: 'decided', decision: judgement, nowMs, ...consequences(judgement, plan) };
}

type Consequences = Pick<Extract<DecisionPlan, { kind: 'decided' }>, 'opId' | 'writes'>;

function consequences(decision: Decision, plan: Plan): Consequences {
  const { opId } = plan.draft;
  if (decision.kind === 'deny') return { opId: undefined, writes: denyWrites(decision, plan) };
  if (decision.kind === 'ask') {
    return decision.joins === undefined
      ? { opId, writes: askWrites(decision, plan) }
      : { opId: decision.joins, writes: joinWrites(decision, plan) };
  }
  return decision.consumes === undefined
    ? { opId, writes: dispatchWrites(decision, plan) }
    : { opId: decision.consumes, writes: consumeWrites(decision, plan) };
}

interface Plan {
  readonly facts: StaticFacts;
  readonly draft: ProposalDraft;
  readonly rows: DecisionRows;
}

/** The rows as facts. */
function liveFacts(facts: StaticFacts, draft: ProposalDraft, rows: DecisionRows): LiveFacts {
  const { mandate, nowMs } = rows;
  return {
    nowMs,
    mandate: mandate === undefined ? undefined : mandateFact(mandate),
    isClockBack: isClockBack(rows),
    ancestors: rows.ancestors.map((row) => (row === undefined ? undefined : mandateFact(row))),
    budgets: chainBudgets(rows, chargeOf(facts)).map(({ fact }) => fact),
    repeat: repeatFact(rows.repeat, {
      nowMs,
      duplicateWindowMs: facts.call.kind === 'read' ? facts.call.contract.duplicateWindowMs : 0,
      isRead: facts.call.kind === 'read' && facts.call.contract.effect === 'read',
      principal: mandate?.principal ?? '',
      changedSince: (preimage) => changedSince(preimage, facts, draft),
    }),
    ...onceFact(rows),
    openApprovals: rows.openApprovals,
  };
}

/** What is settled by a person in the same move is judged as a repeat, not here. */
function onceFact({ once, repeat }: DecisionRows): Pick<LiveFacts, 'once'> {
  return once === undefined || once.opId === repeat.unresolved?.opId ? {} : { once };
}

function mandateFact(row: MandateRow): MandateFact {
  const status = row.status === 'superseded' ? 'revoked' : row.status;
  return {
    id: row.mandateId,
    status,
    notBeforeMs: row.notBeforeMs,
    expiresMs: row.expiresMs,
    scopes: row.scopes,
    levelMin: row.levelMin,
  };
}

/** A call that cannot be read is refused before it costs anything. */
const chargeOf = ({ call }: StaticFacts): Charge => (call.kind === 'read' ? call : {});

function changedSince(
  preimage: string,
  facts: StaticFacts,
  draft: ProposalDraft,
): readonly string[] {
  if (facts.call.kind !== 'read') return [];
  const { values } = resolveCall(facts.call);
  const now = buildPreimage(draft, { level: 0, expiresS: 0, values, params: facts.call.params });
  return changedFields(preimage, now);
}

/** A refusal ends a granted request it met, and tells what had not been told. */
function denyWrites(deny: Deny, { facts, draft, rows }: Plan): Writes {
  const opIds = deny.failures.flatMap((failure) => failure.opId ?? []);
  const alarm = clockAlarm(deny, rows);
  const leaves = [proposalLeaf(draft), decisionLeaf(deny, { facts, draft }), ...alarm.leaves];
  const { markBudgets } = alarm;
  const { newest } = rows.repeat;
  const ended = endOfWaiting(deny, rows);
  const tellOperations = deny.tells === undefined ? [] : [deny.tells];
  const countDenials = [{ mandateId: draft.mandateId, atMs: rows.nowMs }];
  const always = { markBudgets, tellOperations, countDenials };
  if (ended !== undefined) return { ...ended, ...always, leaves: [...leaves, ...ended.leaves] };
  const approvalTold =
    newest?.operation.state === 'CLOSED' && opIds.includes(newest.operation.opId);
  return {
    ...noWrites,
    ...always,
    tellApprovals:
      approvalTold && newest.approval !== undefined ? [newest.approval.approvalId] : [],
    leaves,
  };
}

/** A granted request whose dispatch is refused is voided, and any that a success makes pointless; one whose time is over expires. */
function endOfWaiting(deny: Deny, rows: DecisionRows): Writes | undefined {
  const { newest } = rows.repeat;
  if (newest?.operation.state !== 'ASKING' || newest.approval === undefined) return undefined;
  const subject = { approval: newest.approval, operation: newest.operation };
  const end = { nowMs: rows.nowMs, told: true };
  if (rows.nowMs >= newest.approval.expiresMs) {
    return planEnd(subject, { ...end, state: 'EXPIRED', reason: 'expired' });
  }
  if (newest.approval.state !== 'GRANTED' && deny.tells === undefined) return undefined;
  const [first] = deny.failures;
  return planEnd(subject, { ...end, state: 'VOIDED', reason: first.detail ?? first.code });
}

function askWrites(ask: Ask, { facts, draft, rows }: Plan): Writes {
  const expiresMs = Math.min(
    rows.nowMs + draft.approvalExpiresMs[ask.level],
    mandateOf(rows).expiresMs,
  );
  const stored = resolved(ask, { facts, draft, rows }, expiresMs);
  const approval: ApprovalRow = {
    approvalId: draft.approvalId,
    opId: draft.opId,
    mandateId: draft.mandateId,
    fingerprint: draft.fingerprint ?? '',
    level: ask.level,
    state: 'REQUESTED',
    createdMs: rows.nowMs,
    expiresMs,
    endedMs: undefined,
    endReason: undefined,
    told: false,
    assurance: undefined,
    channel: undefined,
    terms: draft.approvalTerms[ask.level],
    votes: [],
  };
  const operation: OperationRow = { ...stored.operation, state: 'ASKING' };
  return {
    ...noWrites,
    insertOperations: [operation],
    insertHistory: historyOf({ facts, draft, rows }),
    insertApprovals: [approval],
    leaves: [
      proposalLeaf(draft),
      decisionLeaf(ask, { facts, draft, preimage: stored.preimage, opHash: operation.opHash }),
      requestLeaf(ask, { draft, approval, opHash: operation.opHash }),
    ],
  };
}

function joinWrites(ask: Ask, { facts, draft }: Plan): Writes {
  return { ...noWrites, leaves: [proposalLeaf(draft), decisionLeaf(ask, { facts, draft })] };
}

function dispatchWrites(allow: Allow, plan: Plan): Writes {
  const { facts, draft, rows } = plan;
  const deadlineMs = rows.nowMs + draft.attemptTimeoutMs;
  const stored = resolved(allow, plan, deadlineMs);
  const operation: OperationRow = {
    ...stored.operation,
    state: 'DISPATCHING',
    attempt: 1,
    owner: draft.owner,
    deadlineMs,
  };
  const reserved = reservations(draft.opId, rows, chargeOf(facts));
  const moves = reserved.budgetMoves;
  return {
    ...noWrites,
    ...reserved,
    insertOperations: [operation],
    insertHistory: historyOf(plan),
    takeOnce: onceTakes(operation.opId, plan),
    leaves: [
      proposalLeaf(draft),
      decisionLeaf(allow, { facts, draft, preimage: stored.preimage, opHash: operation.opHash }),
      attemptLeaf(draft, {
        operation,
        call: draft.call ?? '',
        moves,
        approvals: [],
        prev: undefined,
      }),
    ],
  };
}

type GrantedRow = NonNullable<RepeatRows['newest']> & { readonly approval: ApprovalRow };

/** The granted operation is dispatched as it was approved; the approval is used up in the same transaction. */
function consumeWrites(allow: Allow, plan: Plan): Writes {
  const { facts, draft, rows } = plan;
  // INVARIANT: `consumes` comes from the newest row, which is granted and has an approval.
  const granted = rows.repeat.newest as GrantedRow;
  const { operation, approval } = granted;
  const to: OperationRow = {
    ...operation,
    state: 'DISPATCHING',
    attempt: operation.attempt + 1,
    owner: draft.owner,
    movedMs: rows.nowMs,
    deadlineMs: rows.nowMs + draft.attemptTimeoutMs,
  };
  const reserved = reservations(operation.opId, rows, chargeOf(facts));
  const moves = reserved.budgetMoves;
  const settled = settleUnresolved(rows);
  const consumed: ApprovalRow = {
    ...approval,
    state: 'CONSUMED',
    endedMs: rows.nowMs,
    endReason: 'consumed',
    told: true,
  };
  return {
    ...noWrites,
    ...reserved,
    moveOperations: [{ from: 'ASKING', attempt: operation.attempt, to }, ...settled.moveOperations],
    moveApprovals: [{ from: 'GRANTED', votes: approval.votes.length, to: consumed }],
    budgetMoves: [...settled.budgetMoves, ...moves],
    takeOnce: onceTakes(operation.opId, plan),
    leaves: [
      proposalLeaf(draft),
      decisionLeaf(allow, { facts, draft }),
      ...settled.leaves,
      endLeaf(approval, { state: 'CONSUMED', reason: 'consumed' }),
      attemptLeaf(draft, {
        operation: to,
        call: granted.call ?? '',
        moves,
        approvals: [approval.approvalId],
        prev: 'ASKING',
      }),
    ],
  };
}

/** A person who saw the error and approved says that the first attempt had no effect. */
function settleUnresolved(
  rows: DecisionRows,
): Pick<Writes, 'moveOperations' | 'budgetMoves' | 'leaves'> {
  const { unresolved } = rows.repeat;
  if (unresolved?.state !== 'UNKNOWN') return { moveOperations: [], budgetMoves: [], leaves: [] };
  const { opId, attempt } = unresolved;
  const to: OperationRow = { ...unresolved, state: 'FAILED', movedMs: rows.nowMs };
  return {
    moveOperations: [{ from: 'UNKNOWN', attempt, to }],
    budgetMoves: releaseAll(opId, rows.unresolvedReserved),
    leaves: [
      reconcileLeaf({
        opId,
        finding: 'failed',
        method: 'person',
        person: undefined,
        evidence: 'approved the same call after seeing its error',
        isTold: true,
      }),
    ],
  };
}

/** The key is taken with the dispatch, so that nothing is sent without it. */
function onceTakes(opId: string, { draft, rows }: Plan): Writes['takeOnce'] {
  return draft.once === undefined ? [] : [{ once: draft.once, opId, from: rows.once?.opId }];
}

/** What later requests are compared with. The amount is what was charged, whatever the target takes. */
function historyOf({ facts, draft, rows }: Plan): readonly HistoryRow[] {
  const { opId, compared } = draft;
  if (compared === undefined) return [];
  const { amount, currency } = chargeOf(facts);
  return [{ ...compared, opId, amount, currency, atMs: rows.nowMs }];
}

/** The row of a new operation without its state, and its preimage. */
function resolved(
  granted: { readonly level: Level; readonly values: readonly ResolvedValue[] },
  { facts, draft, rows }: Plan,
  expiresMs: number,
): { readonly operation: OperationRow; readonly preimage: string } {
  const { contract, params } = callOf(facts);
  const preimage = encodePreimage(
    buildPreimage(draft, {
      level: granted.level,
      expiresS: Math.ceil(expiresMs / 1000),
      values: granted.values,
      params,
    }),
  );
  const operation: OperationRow = {
    opId: draft.opId,
    mandateId: draft.mandateId,
    mandateLine: mandateOf(rows).line,
    action: draft.action,
    fingerprint: draft.fingerprint ?? '',
    opHash: opHash(preimage),
    state: 'ASKING',
    level: granted.level,
    effect: contract.effect,
    attempt: 0,
    owner: undefined,
    createdMs: rows.nowMs,
    movedMs: rows.nowMs,
    deadlineMs: undefined,
    outcome: undefined,
    told: true,
  };
  return { operation, preimage };
}

// INVARIANT: a call that cannot be read and a mandate that is not there are refused before anything
// is allowed or asked.
const callOf = ({ call }: StaticFacts): Extract<StaticFacts['call'], { kind: 'read' }> =>
  call as Extract<StaticFacts['call'], { kind: 'read' }>;
const mandateOf = ({ mandate }: DecisionRows): MandateRow => mandate as MandateRow;
