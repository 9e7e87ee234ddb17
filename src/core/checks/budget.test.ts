import { describe, expect, it } from 'vitest';
import type { BudgetFact } from '../facts.ts';
import { budgetCharge, checkBudget } from './budget.ts';

const aBudget = (changes: Partial<BudgetFact> = {}): BudgetFact => ({
  id: 'b',
  kind: 'amount',
  limit: 100,
  reserved: 30,
  spent: 20,
  frozen: false,
  ...changes,
});

describe('checkBudget', () => {
  it('takes exactly what is left and refuses one unit more', () => {
    expect(checkBudget([aBudget()], 50)).toEqual([]);
    expect(checkBudget([aBudget()], 51)).toEqual([{ code: 'BUDGET_AMOUNT' }]);
  });

  it('counts a call as one, whatever its amount', () => {
    const calls = { kind: 'calls', reserved: 1 } as const;
    expect(checkBudget([aBudget({ ...calls, spent: 98 })], 1_000)).toEqual([]);
    expect(checkBudget([aBudget({ ...calls, spent: 99 })], undefined)).toEqual([
      { code: 'BUDGET_CALLS' },
    ]);
  });

  it('names every budget that does not hold the charge', () => {
    const budgets = [aBudget(), aBudget({ limit: 1_000 }), aBudget({ kind: 'calls', limit: 50 })];
    expect(checkBudget(budgets, 51).map(({ code }) => code)).toEqual([
      'BUDGET_AMOUNT',
      'BUDGET_CALLS',
    ]);
  });

  it('takes nothing from a frozen budget, and does not ask it about a call without amount', () => {
    const frozen = aBudget({ frozen: true });
    expect(checkBudget([frozen], 1)).toEqual([{ code: 'BUDGET_AMOUNT', detail: 'frozen' }]);
    expect(checkBudget([frozen], undefined)).toEqual([]);
  });

  it('does not round where the sum leaves the safe integers', () => {
    const full = aBudget({
      limit: Number.MAX_SAFE_INTEGER,
      spent: Number.MAX_SAFE_INTEGER - 1,
      reserved: 0,
    });
    expect(checkBudget([full], 1)).toEqual([]);
    expect(checkBudget([full], 2)).toEqual([{ code: 'BUDGET_AMOUNT' }]);
    expect(checkBudget([full], Number.MAX_SAFE_INTEGER)).toEqual([{ code: 'BUDGET_AMOUNT' }]);
  });
});

describe('budgetCharge', () => {
  it('is nothing for a call without an amount', () => {
    expect(budgetCharge(aBudget(), undefined)).toBe(0);
    expect(budgetCharge(aBudget(), 7)).toBe(7);
  });
});
