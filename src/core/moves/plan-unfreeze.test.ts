import { describe, expect } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { aBudgetRow } from '../../testing/move-builders.ts';
import { planUnfreeze } from './plan-unfreeze.ts';
import { noWrites } from './writes.ts';

describe('planUnfreeze', () => {
  verifies('EXE-19', 'lifts the freeze of a budget that has one, and says who did', () => {
    const frozen = aBudgetRow({ frozen: true });
    expect(planUnfreeze(frozen, 'alice')).toMatchObject({
      isLifted: true,
      writes: {
        markBudgets: [{ budgetId: frozen.budgetId, frozen: false }],
        leaves: [
          {
            type: 'alarm',
            open: { kind: 'budget_unfrozen' },
            committed: { budget: frozen.budgetId, person: 'alice' },
          },
        ],
      },
    });
    for (const budget of [undefined, aBudgetRow()]) {
      expect(planUnfreeze(budget, 'alice')).toEqual({ isLifted: false, budget, writes: noWrites });
    }
  });
});
