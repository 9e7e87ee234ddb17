// A person lifts the freeze that an overrun put on a budget.
import type { BudgetRow } from '../operation.ts';
import { noWrites, type Writes } from './writes.ts';

/** `isLifted` is false, and nothing is written, when there is no such budget or it is not frozen. */
export interface UnfreezePlan {
  readonly isLifted: boolean;
  /** As it was; undefined = there is no such budget. */
  readonly budget: BudgetRow | undefined;
  readonly writes: Writes;
}

/** Sums and limit stay: what was taken is spent. Periods are not frozen by themselves. */
export function planUnfreeze(budget: BudgetRow | undefined, person: string): UnfreezePlan {
  if (budget?.frozen !== true) return { isLifted: false, budget, writes: noWrites };
  const { budgetId } = budget;
  return {
    isLifted: true,
    budget,
    writes: {
      ...noWrites,
      markBudgets: [{ budgetId, frozen: false }],
      leaves: [
        {
          type: 'alarm',
          open: { kind: 'budget_unfrozen' },
          committed: { budget: budgetId, person },
        },
      ],
    },
  };
}
