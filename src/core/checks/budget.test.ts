import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import type { Failure } from '../decision.ts';
import type { BudgetFact } from '../facts.ts';
import { budgetCharge, type Charge, checkBudget as check } from './budget.ts';

const aBudget = (changes: Partial<BudgetFact> = {}): BudgetFact => ({
  id: 'b',
  kind: 'amount',
  limit: 100,
  reserved: 30,
  spent: 20,
  frozen: false,
  windowed: false,
  currency: undefined,
  owner: 'own',
  ...changes,
});

const checkBudget = (
  budgets: readonly BudgetFact[],
  amount: number | undefined,
  { isClockBack = false, ...charge }: Charge & { readonly isClockBack?: boolean } = {},
): readonly Failure[] =>
  check({ budgets, isClockBack }, amount === undefined ? charge : { ...charge, amount });

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

  verifies(
    'EXE-20',
    'has a code of its own for a window, and none of it while the clock is back',
    () => {
      const month = aBudget({ windowed: true });
      expect(checkBudget([month], 51)).toEqual([{ code: 'BUDGET_PERIOD' }]);
      const calls = aBudget({ windowed: true, kind: 'calls', spent: 70 });
      expect(checkBudget([calls], 1)).toEqual([{ code: 'BUDGET_PERIOD' }]);
      const isClockBack = true;
      expect(checkBudget([month], 1, { isClockBack })).toEqual([
        { code: 'BUDGET_PERIOD', detail: 'clock_regressed' },
      ]);
      expect(checkBudget([aBudget()], 1, { isClockBack })).toEqual([]);
      expect(checkBudget([month], undefined, { isClockBack })).toEqual([]);
    },
  );

  verifies('EXE-40', 'takes no amount of another currency, or of none', () => {
    const euros = aBudget({ currency: 'EUR' });
    const refused = {
      code: 'BUDGET_AMOUNT',
      detail: 'currency_mismatch',
      expected: 'an amount in EUR',
    };
    expect(checkBudget([euros], 1, { currency: 'EUR' })).toEqual([]);
    expect(checkBudget([euros], 1, { currency: 'JPY' })).toEqual([refused]);
    expect(checkBudget([euros], 1)).toEqual([refused]);
    expect(checkBudget([{ ...euros, windowed: true }], 1)).toEqual([refused]);
    expect(checkBudget([aBudget()], 1, { currency: 'JPY' })).toEqual([]);
    expect(checkBudget([aBudget({ kind: 'calls', currency: 'EUR' })], 1)).toEqual([]);
  });

  verifies('EXE-21', 'tells of ancestors that there is one, once, and no figure of it', () => {
    const ancestor = aBudget({ owner: 'ancestor', currency: 'EUR' });
    const all = [aBudget({ limit: 60 }), ancestor, ancestor];
    expect(checkBudget(all, 51, { currency: 'EUR' })).toEqual([
      { code: 'BUDGET_AMOUNT' },
      { code: 'BUDGET_AMOUNT', detail: 'ancestor' },
    ]);
    expect(checkBudget([ancestor], 1)).toEqual([
      { code: 'BUDGET_AMOUNT', detail: 'ancestor_currency_mismatch' },
    ]);
    expect(checkBudget([{ ...ancestor, frozen: true }, ancestor], 51, { currency: 'EUR' })).toEqual(
      [
        { code: 'BUDGET_AMOUNT', detail: 'ancestor_frozen' },
        { code: 'BUDGET_AMOUNT', detail: 'ancestor' },
      ],
    );
    const calls = aBudget({ owner: 'ancestor', kind: 'calls', limit: 50 });
    expect(checkBudget([ancestor, calls], 51, { currency: 'EUR' })).toEqual([
      { code: 'BUDGET_AMOUNT', detail: 'ancestor' },
      { code: 'BUDGET_CALLS', detail: 'ancestor' },
    ]);
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
    expect(budgetCharge(aBudget(), {})).toBe(0);
    expect(budgetCharge(aBudget(), { amount: 7 })).toBe(7);
  });
});
