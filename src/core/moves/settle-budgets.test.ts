import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import type { BudgetHold } from '../operation.ts';
import { isActualAmount, settleAll } from './settle-budgets.ts';

const hold: BudgetHold = {
  budgetId: 'm/amount.day:UTC@2026-11-30',
  amount: 10,
  kind: 'amount',
  used: 25,
};
const calls: BudgetHold = { budgetId: 'm/calls', amount: 1, kind: 'calls', used: 3 };
const moveOf = (actual: number | undefined, holds: readonly BudgetHold[] = [hold]) =>
  settleAll('op', holds, actual).budgetMoves.map((move) =>
    move.kind === 'settle' ? move.actual : move.kind,
  );

describe('settleAll', () => {
  verifies('EXE-19', 'spends what was taken of amounts, and one call', () => {
    expect(moveOf(undefined, [hold, calls])).toEqual([10, 1]);
    expect(moveOf(7, [hold, calls])).toEqual([7, 1]);
    expect(moveOf(0, [hold, calls])).toEqual(['release', 1]);
    expect(moveOf(11)).toEqual([11]);
  });

  verifies('EXE-19', 'freezes the budget, not its period, and alarms for what is above', () => {
    const { markBudgets, leaves } = settleAll('op', [hold, calls], 11);
    expect(markBudgets).toEqual([{ budgetId: 'm/amount.day:UTC', frozen: true }]);
    expect(leaves).toEqual([
      {
        type: 'alarm',
        open: { kind: 'budget_overrun' },
        committed: { op: 'op', budget: hold.budgetId, reserved: 10, actual: 11 },
      },
    ]);
    expect(settleAll('op', [hold], 10)).toMatchObject({ markBudgets: [], leaves: [] });
  });

  it('never leaves the safe integers', () => {
    const [spent] = moveOf(Number.MAX_SAFE_INTEGER);
    expect(25 - 10 + (spent as number)).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('isActualAmount', () => {
  it('is a whole number from 0 on, or nothing', () => {
    expect([undefined, 0, 1, Number.MAX_SAFE_INTEGER].map(isActualAmount)).toEqual(
      Array(4).fill(true),
    );
    expect([-1, 0.5, Number.NaN, 2 ** 53, Infinity].map(isActualAmount)).toEqual(
      Array(5).fill(false),
    );
  });
});
