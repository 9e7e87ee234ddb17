// T4: what became of an operation whose outcome nobody knew, the budget move and its leaf, in one transaction.
import type { LeafDraft } from '../leaf.ts';
import type { BudgetHold, OperationRow, OperationState } from '../operation.ts';
import { isActualAmount, oddAmountLeaf, releaseAll, settleAll } from './settle-budgets.ts';
import { noWrites, type Writes } from './writes.ts';

/** What was found out about one operation. */
export interface Finding {
  readonly opId: string;
  /** `failed` = certainly no effect. */
  readonly finding: 'succeeded' | 'failed';
  /** `person`: somebody looked; `connector`: the target said so. */
  readonly method: 'person' | 'connector';
  /** Who looked. */
  readonly person: string | undefined;
  /** Where and how it was seen, in words. */
  readonly evidence: string;
  /** The caller learns it with this; else a success answers its next identical call. */
  readonly isTold: boolean;
  /** What the target really took, in the unit of the amount budgets; absent = what was reserved. */
  readonly amount?: number;
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

/** Success settles, failure releases. A finding with an amount that is none settles nothing and alarms. */
export function planReconcile(finding: Finding, rows: ReconcileRows): ReconcilePlan {
  const { operation } = rows;
  if (operation?.state !== 'UNKNOWN') {
    return { isSettled: false, state: operation?.state, writes: noWrites };
  }
  const { opId, attempt } = operation;
  if (!isActualAmount(finding.amount)) {
    const leaves = [oddAmountLeaf(opId, finding.amount)];
    return { isSettled: false, state: 'UNKNOWN', writes: { ...noWrites, leaves } };
  }
  const state = finding.finding === 'succeeded' ? 'SUCCEEDED' : 'FAILED';
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

/** The leaf of a finding about an UNKNOWN operation. */
export function reconcileLeaf({
  opId,
  finding,
  method,
  person,
  evidence,
  ...rest
}: Finding): LeafDraft {
  return {
    type: 'reconcile',
    opId,
    prev: 'UNKNOWN',
    state: finding === 'succeeded' ? 'SUCCEEDED' : 'FAILED',
    open: { method, finding },
    committed: {
      evidence,
      ...(person === undefined ? {} : { person }),
      ...(rest.amount === undefined ? {} : { amount: rest.amount }),
    },
  };
}
