// T3: the outcome of an attempt, the budget move and its leaf, in one transaction.
import type { CanonicalValue } from '../canonical-json.ts';
import type { LeafDraft } from '../leaf.ts';
import type { BudgetMove, OperationRow, OperationState, OutcomeClass } from '../operation.ts';
import { planReconcile } from './plan-reconcile.ts';
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
  readonly reserved: readonly { readonly budgetId: string; readonly amount: number }[];
}

/** The state reached; `late` = the row had moved on when the outcome came. */
export interface OutcomePlan {
  readonly state: OperationState;
  readonly late: boolean;
  readonly writes: Writes;
}

/** Success settles, a certain failure releases, everything else keeps the reservation and is UNKNOWN. */
export function planOutcome(report: OutcomeReport, rows: OutcomeRows): OutcomePlan {
  const { operation } = rows;
  if (operation === undefined || !isThisAttempt(report, operation))
    return lateOutcome(report, rows);
  const state = stateOf(report, operation);
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
      budgetMoves: budgetMoves(state, report.opId, rows),
      leaves: [
        outcomeLeaf(report, { prev: 'DISPATCHING', state, late: false }),
        ...(report.class === 'ODD_ANSWER' ? [oddAnswerLeaf(report)] : []),
      ],
    },
  };
}

/** The target says something else than what was decided: somebody must look. */
function oddAnswerLeaf({ opId, reason }: OutcomeReport): LeafDraft {
  return {
    type: 'alarm',
    code: 'EXECUTION_UNKNOWN',
    open: { kind: 'odd_answer' },
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

const certainStates: ReadonlyMap<OutcomeClass, OperationState> = new Map([
  ['SUCCESS', 'SUCCEEDED'],
  ['NOT_SENT', 'FAILED'],
  ['REJECTED', 'FAILED'],
]);

/** What the outcome says for certain; undefined = the effect is possible. */
function certainState({
  class: outcome,
  toolErrorFails,
}: OutcomeReport): OperationState | undefined {
  return outcome === 'TOOL_ERROR' && toolErrorFails ? 'FAILED' : certainStates.get(outcome);
}

/** Everything else is ambiguous, also a class that nobody listed; a read has no effect to wait for. */
function stateOf(report: OutcomeReport, operation: OperationRow): OperationState {
  return certainState(report) ?? (operation.effect === 'read' ? 'FAILED' : 'UNKNOWN');
}

function budgetMoves(
  state: OperationState,
  opId: string,
  rows: OutcomeRows,
): readonly BudgetMove[] {
  if (state === 'UNKNOWN') return [];
  const kind = state === 'SUCCEEDED' ? 'settle' : 'release';
  return rows.reserved.map(({ budgetId, amount }) => ({ kind, budgetId, opId, amount }));
}

/** Recorded in any case. A certain one about the attempt that is UNKNOWN settles it; about anything else somebody must look. */
function lateOutcome(report: OutcomeReport, rows: OutcomeRows): OutcomePlan {
  const { operation } = rows;
  const state = operation?.state ?? 'UNKNOWN';
  const leaf = outcomeLeaf(report, { prev: state, state, late: true });
  const certain = certainState(report);
  if (operation?.state !== 'UNKNOWN' || operation.attempt !== report.attempt || !certain) {
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
