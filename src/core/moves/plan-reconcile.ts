// T4: what became of an operation whose outcome nobody knew, the budget move and its leaf, in one transaction.
import type { LeafDraft } from '../leaf.ts';
import type { BudgetHold, OperationRow, OperationState } from '../operation.ts';
import { isActualAmount, oddAmountLeaf, releaseAll, settleAll } from './settle-budgets.ts';
import { noWrites, type Writes } from './writes.ts';

/** What was found out about one operation. */
export interface Finding {
  readonly opId: string;
  /** `failed` = certainly no effect; `absent` = nothing was there when somebody looked. */
  readonly finding: 'succeeded' | 'failed' | 'absent';
  /** `person`: somebody looked; `connector`: the target said so. */
  readonly method: 'person' | 'connector';
  /** Who looked. */
  readonly person: string | undefined;
  /** Where and how it was seen, in words. */
  readonly evidence: string;
  /** The caller learns it with this; else a success answers its next identical call. */
  readonly isTold: boolean;
  /** The attempt that was looked for; a finding about an earlier one than the row has settles nothing. */
  readonly attempt?: number;
  /** When it was looked for, in store time: what was absent then may have arrived since. Absent = now. */
  readonly lookedMs?: number;
  /** `absent` means `failed` this long after the deadline of the last attempt; never when not given. */
  readonly absenceFinalAfterMs?: number;
  /** What the target really took, in the unit of the amount budgets; absent = what was reserved. */
  readonly amount?: number;
  /** The target's own name of what happened. */
  readonly reference?: string;
}

/** What the store reads for it. */
export interface ReconcileRows {
  readonly nowMs: number;
  readonly operation: OperationRow | undefined;
  /** Reservations of this operation that are still held. */
  readonly reserved: readonly BudgetHold[];
}

/** `isSettled` is false, and nothing is written, when the operation is not UNKNOWN; `state` is what it is then. */
export interface ReconcilePlan {
  readonly isSettled: boolean;
  readonly state: OperationState | undefined;
  readonly writes: Writes;
}

/** Success settles, failure releases, absence is a failure as soon as nothing can arrive any more. A finding with an amount that is none settles nothing and alarms. */
export function planReconcile(finding: Finding, rows: ReconcileRows): ReconcilePlan {
  const { operation } = rows;
  if (operation?.state !== 'UNKNOWN' || !isCertain(finding, operation, rows.nowMs)) {
    return { isSettled: false, state: operation?.state, writes: noWrites };
  }
  const { opId, attempt } = operation;
  if (!isActualAmount(finding.amount)) {
    const leaves = [oddAmountLeaf(opId, finding.amount)];
    return { isSettled: false, state: 'UNKNOWN', writes: { ...noWrites, leaves } };
  }
  const state = stateOf(finding);
  const to: OperationRow = { ...operation, state, movedMs: rows.nowMs, told: finding.isTold };
  const budgets =
    state === 'SUCCEEDED'
      ? settleAll(opId, rows.reserved, finding.amount)
      : { budgetMoves: releaseAll(opId, rows.reserved), markBudgets: [], leaves: [] };
  return {
    isSettled: true,
    state,
    writes: {
      ...noWrites,
      moveOperations: [{ from: 'UNKNOWN', attempt, to }],
      ...budgets,
      leaves: [reconcileLeaf(finding), ...budgets.leaves],
    },
  };
}

function isCertain(finding: Finding, operation: OperationRow, nowMs: number): boolean {
  const { attempt = operation.attempt, lookedMs = nowMs, absenceFinalAfterMs } = finding;
  if (attempt !== operation.attempt) return false;
  return finding.finding !== 'absent' || isAbsenceFinal(operation, absenceFinalAfterMs, lookedMs);
}

/** A call may still arrive until its deadline, and for as long as the target takes to show it. */
export function isAbsenceFinal(
  { deadlineMs }: OperationRow,
  absenceFinalAfterMs: number | undefined,
  lookedMs: number,
): boolean {
  if (absenceFinalAfterMs === undefined || deadlineMs === undefined) return false;
  return lookedMs >= deadlineMs + absenceFinalAfterMs;
}

const stateOf = ({ finding }: Finding): 'SUCCEEDED' | 'FAILED' =>
  finding === 'succeeded' ? 'SUCCEEDED' : 'FAILED';

/** The leaf of a finding about an UNKNOWN operation. */
export function reconcileLeaf(found: Finding): LeafDraft {
  const { opId, finding, method, person, evidence, amount, reference } = found;
  return {
    type: 'reconcile',
    opId,
    prev: 'UNKNOWN',
    state: stateOf(found),
    open: { method, finding },
    committed: {
      ...(amount === undefined ? {} : { amount }),
      evidence,
      ...(person === undefined ? {} : { person }),
      ...(reference === undefined ? {} : { reference }),
    },
  };
}
