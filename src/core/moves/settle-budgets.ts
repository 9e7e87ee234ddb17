// How the reservations of one operation end: spent as far as the target really took it, or free again.
import type { LeafDraft } from '../leaf.ts';
import { type BudgetHold, type BudgetMove, budgetOfCounter } from '../operation.ts';
import type { Writes } from './writes.ts';

/** What a settlement writes. */
export type Settlement = Pick<Writes, 'budgetMoves' | 'markBudgets'> & {
  readonly leaves: readonly LeafDraft[];
};

/** All of it is free again. */
export function releaseAll(opId: string, holds: readonly BudgetHold[]): readonly BudgetMove[] {
  return holds.map(({ budgetId, amount }) => ({ kind: 'release', opId, budgetId, amount }));
}

/** True for an amount that a target can have taken; absent = it did not say. */
export function isActualAmount(amount: number | undefined): boolean {
  return amount === undefined || (Number.isSafeInteger(amount) && amount >= 0);
}

/**
 * Spends what was reserved, or `actual` of every amount budget. More than was reserved is spent
 * too: the target has it. The budget is frozen until a person has looked.
 */
export function settleAll(
  opId: string,
  holds: readonly BudgetHold[],
  actual: number | undefined,
): Settlement {
  const moves = holds.map((hold) => settle(opId, hold, actual));
  const overruns = moves.filter((move) => move.kind === 'settle' && move.actual > move.amount);
  return {
    budgetMoves: moves,
    markBudgets: overruns.map(({ budgetId }) => ({
      budgetId: budgetOfCounter(budgetId),
      frozen: true,
    })),
    // INVARIANT: without an actual amount nothing is taken beyond the reservation.
    leaves: overruns.map((move) => overrunLeaf(move, actual as number)),
  };
}

/** Every counter stays a safe integer: a sum beyond that is spent up to there. */
function settle(
  opId: string,
  { budgetId, amount, kind, used }: BudgetHold,
  actual: number | undefined,
): BudgetMove {
  const wanted = kind === 'calls' ? amount : (actual ?? amount);
  if (wanted === 0) return { kind: 'release', opId, budgetId, amount };
  const spent = Math.min(wanted, amount + (Number.MAX_SAFE_INTEGER - used));
  return { kind: 'settle', opId, budgetId, amount, actual: spent };
}

function overrunLeaf({ opId, budgetId, amount }: BudgetMove, actual: number): LeafDraft {
  return {
    type: 'alarm',
    open: { kind: 'budget_overrun' },
    committed: { op: opId, budget: budgetId, reserved: amount, actual },
  };
}

/** A target that names an amount which is none: somebody must look. */
export function oddAmountLeaf(opId: string, amount: number | undefined): LeafDraft {
  return {
    type: 'alarm',
    code: 'EXECUTION_UNKNOWN',
    open: { kind: 'odd_amount' },
    committed: { op: opId, amount: String(amount) },
  };
}
