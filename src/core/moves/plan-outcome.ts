// T3: the outcome of an attempt, the budget move and its leaf, in one transaction.
import type { CanonicalValue } from '../canonical-json.ts';
import type { LeafDraft } from '../leaf.ts';
import type { BudgetHold, OperationRow, OperationState, OutcomeClass } from '../operation.ts';
import { planReconcile } from './plan-reconcile.ts';
import {
  isActualAmount,
  oddAmountLeaf,
  releaseAll,
  type Settlement,
  settleAll,
} from './settle-budgets.ts';
import { noWrites, type Writes } from './writes.ts';

/** Results above this many UTF-16 units are committed by their hash and not kept. */
export const resultKeptMax = 65_536;

/** What came back from the target. */
export interface OutcomeReport {
  readonly opId: string;
  readonly attempt: number;
  /** Process that dispatched; another owner in the row makes this a late outcome. */
  readonly owner: string;
  readonly class: OutcomeClass;
  /** JSON text of the result or error; undefined when nothing came back. */
  readonly result: string | undefined;
  /** SHA-256 (hex) of a result that is too large to be kept. */
  readonly resultHash: string | undefined;
  /** One line, no values. */
  readonly reason: string | undefined;
  /** Whether the contract counts a tool error as certainly without effect. */
  readonly toolErrorFails: boolean;
  /** False when the caller is gone: the success answers its next identical call. */
  readonly told: boolean;
  /** What the target says that it really took, in the unit of the amount budgets; absent = it does not say. */
  readonly amount?: number;
  /** The connector broke its contract: somebody must look. */
  readonly isFault?: boolean;
}

/** The report of an attempt of which nothing left the process. */
export function neverSent(
  attempt: Pick<OutcomeReport, 'opId' | 'attempt' | 'owner'>,
  reason: string,
): OutcomeReport {
  const nothing = { result: undefined, resultHash: undefined, toolErrorFails: false };
  return { ...attempt, ...nothing, class: 'NOT_SENT', reason, told: true };
}

/** What the store reads for it. */
export interface OutcomeRows {
  readonly nowMs: number;
  readonly operation: OperationRow | undefined;
  /** Reservations of this operation that are still held. */
  readonly reserved: readonly BudgetHold[];
}

/** The state reached; `late` = the row had moved on when the outcome came. */
export interface OutcomePlan {
  readonly state: OperationState;
  readonly late: boolean;
  readonly writes: Writes;
}

/** Success settles, a certain failure releases, everything else keeps the reservation and is UNKNOWN. */
export function planOutcome(said: OutcomeReport, rows: OutcomeRows): OutcomePlan {
  const { operation } = rows;
  const report = believed(said);
  if (operation === undefined || !isThisAttempt(report, operation))
    return lateOutcome(report, rows);
  const state = stateOf(report, operation);
  const budgets = budgetWrites(state, report, rows);
  const to: OperationRow = {
    ...operation,
    state,
    outcome: report.class,
    movedMs: rows.nowMs,
    told: report.told,
  };
  return {
    state,
    late: false,
    writes: {
      ...noWrites,
      moveOperations: [{ from: 'DISPATCHING', attempt: report.attempt, to }],
      ...budgets,
      leaves: [
        outcomeLeaf(report, { prev: 'DISPATCHING', state, late: false }),
        ...(report.class === 'ODD_ANSWER' ? [alarmLeaf(report, 'odd_answer')] : []),
        ...(report === said ? [] : [oddAmountLeaf(said.opId, said.amount)]),
        ...(report.isFault === true ? [alarmLeaf(report, 'connector_fault')] : []),
        ...budgets.leaves,
      ],
    },
  };
}

/** A target that took an amount which is none is not believed in anything. */
function believed(report: OutcomeReport): OutcomeReport {
  if (isActualAmount(report.amount)) return report;
  const { amount: _amount, ...rest } = report;
  return { ...rest, class: 'AMBIGUOUS', reason: 'the target names an amount that is none' };
}

/** The target says something else than what was decided, or nobody can tell what it said. */
function alarmLeaf({ opId, reason }: OutcomeReport, kind: string): LeafDraft {
  return {
    type: 'alarm',
    code: 'EXECUTION_UNKNOWN',
    open: { kind },
    committed: { op: opId, ...(reason === undefined ? {} : { reason }) },
  };
}

function isThisAttempt(report: OutcomeReport, operation: OperationRow): boolean {
  return (
    operation.state === 'DISPATCHING' &&
    operation.attempt === report.attempt &&
    operation.owner === report.owner
  );
}

const certainStates: ReadonlyMap<OutcomeClass, 'SUCCEEDED' | 'FAILED'> = new Map([
  ['SUCCESS', 'SUCCEEDED'],
  ['NOT_SENT', 'FAILED'],
  ['REJECTED', 'FAILED'],
]);

/** Everything else is ambiguous, also a class that nobody listed; a read has no effect to wait for. */
function stateOf(report: OutcomeReport, operation: OperationRow): OperationState {
  return certainStateOf(report) ?? (operation.effect === 'read' ? 'FAILED' : 'UNKNOWN');
}

/** What the outcome says for certain. A later attempt that failed says nothing about the first one, whose outcome nobody knew. */
function certainStateOf(report: OutcomeReport): 'SUCCEEDED' | 'FAILED' | undefined {
  const isDefinite = report.class === 'TOOL_ERROR' && report.toolErrorFails;
  const certain = isDefinite ? 'FAILED' : certainStates.get(report.class);
  return certain === 'FAILED' && report.attempt > 1 ? undefined : certain;
}

function budgetWrites(
  state: OperationState,
  { opId, amount }: OutcomeReport,
  { reserved }: OutcomeRows,
): Settlement {
  if (state === 'SUCCEEDED') return settleAll(opId, reserved, amount);
  const budgetMoves = state === 'UNKNOWN' ? [] : releaseAll(opId, reserved);
  return { budgetMoves, markBudgets: [], leaves: [] };
}

/** Recorded in any case. A certain one about the UNKNOWN attempt settles it, and so does a success of an earlier one; about anything else somebody must look. */
function lateOutcome(report: OutcomeReport, rows: OutcomeRows): OutcomePlan {
  const { operation } = rows;
  const state = operation?.state ?? 'UNKNOWN';
  const leaf = outcomeLeaf(report, { prev: state, state, late: true });
  const certain = operation === undefined ? undefined : lateStateOf(report, operation);
  if (certain === undefined) {
    return { state, late: true, writes: { ...noWrites, leaves: [leaf, lateLeaf(report)] } };
  }
  const { opId } = report;
  const found = planReconcile(
    {
      opId,
      finding: certain === 'SUCCEEDED' ? 'succeeded' : 'failed',
      method: 'connector',
      person: undefined,
      evidence: 'its answer came late',
      isTold: report.told,
      ...(report.amount === undefined ? {} : { amount: report.amount }),
    },
    rows,
  );
  const leaves = [leaf, ...found.writes.leaves];
  // The row names the outcome that settled it, so that a success is found by its own answer.
  const moveOperations = found.writes.moveOperations.map((move) => ({
    ...move,
    to: { ...move.to, outcome: report.class },
  }));
  return { state: certain, late: true, writes: { ...found.writes, moveOperations, leaves } };
}

/** What a late answer settles: every attempt of an operation is the same effect under one key. */
function lateStateOf(
  report: OutcomeReport,
  { state, attempt }: OperationRow,
): 'SUCCEEDED' | 'FAILED' | undefined {
  const certain = certainStateOf(report);
  if (state !== 'UNKNOWN' || report.attempt > attempt) return undefined;
  return certain === 'SUCCEEDED' || report.attempt === attempt ? certain : undefined;
}

/** An answer that fits nothing that is open. */
function lateLeaf({ opId, attempt }: OutcomeReport): LeafDraft {
  return { type: 'alarm', open: { kind: 'late_outcome' }, committed: { op: opId, attempt } };
}

function outcomeLeaf(
  report: OutcomeReport,
  move: { readonly prev: OperationState; readonly state: OperationState; readonly late: boolean },
): LeafDraft {
  const committed: Record<string, CanonicalValue> = {};
  if (report.result !== undefined) committed['result'] = report.result;
  if (report.resultHash !== undefined) committed['result_sha256'] = report.resultHash;
  if (report.reason !== undefined) committed['reason'] = report.reason;
  if (report.amount !== undefined) committed['amount'] = report.amount;
  const code = { UNKNOWN: 'EXECUTION_UNKNOWN', FAILED: 'EXECUTION_FAILED' } as const;
  return {
    type: 'outcome',
    opId: report.opId,
    prev: move.prev,
    state: move.state,
    ...(move.state === 'UNKNOWN' || move.state === 'FAILED' ? { code: code[move.state] } : {}),
    open: { class: report.class, attempt: report.attempt, late: move.late },
    committed,
  };
}
