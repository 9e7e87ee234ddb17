import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { aBudgetRow, aMandateRow, decisionRows, testNowMs } from '../../testing/move-builders.ts';
import type { Deny } from '../decision.ts';
import type { BudgetRow } from '../operation.ts';
import {
  chainBudgets,
  clockAlarm,
  currentBudgets,
  isClockBack,
  listBudgets,
  reservations,
} from './chain-budgets.ts';

const dayMs = 86_400_000;
const rolling = aBudgetRow({
  budgetId: 'mandate-1/amount.1d',
  window: { kind: 'rolling', ms: dayMs },
  spent: 990,
});
const daily = aBudgetRow({
  budgetId: 'mandate-1/amount.day:UTC',
  window: { kind: 'calendar', unit: 'day', zone: 'UTC' },
});
// The instant of the rows is 2027-01-15T08:00:00Z.
const counter: BudgetRow = {
  ...daily,
  budgetId: `${daily.budgetId}@2027-01-15`,
  period: '2027-01-15',
  endsMs: Date.parse('2027-01-16T00:00:00Z'),
  spent: 7,
};
const aged = (entries: number, amount: number) => ({
  budgetId: rolling.budgetId,
  untilMs: testNowMs,
  entries,
  amount,
});
const rowsOf = (budgets: readonly BudgetRow[], over: Parameters<typeof decisionRows>[0] = {}) => {
  const budgetIds = budgets.filter(({ period }) => period === undefined).map((b) => b.budgetId);
  return decisionRows({ mandate: aMandateRow({ budgetIds }), budgets, ...over });
};

describe('chainBudgets', () => {
  it('has none without a mandate, and leaves out what is not there', () => {
    expect(chainBudgets(decisionRows({ mandate: undefined }), {})).toEqual([]);
    const mandate = aMandateRow({ budgetIds: ['mandate-1/amount', 'gone'] });
    expect(chainBudgets(decisionRows({ mandate, ancestors: [undefined] }), {})).toHaveLength(1);
  });

  verifies('EXE-20', 'subtracts what has aged when the counter refuses, or when it is many', () => {
    const spentFor = (amount: number, entries = 1) =>
      chainBudgets(rowsOf([rolling], { aged: [aged(entries, 90)] }), { amount })[0]?.fact.spent;
    expect(spentFor(10)).toBe(990);
    expect(spentFor(11)).toBe(900);
    expect(spentFor(1, 63)).toBe(990);
    expect(spentFor(1, 64)).toBe(900);
    expect(chainBudgets(rowsOf([rolling]), { amount: 11 })[0]?.fact.spent).toBe(990);
  });

  verifies('EXE-21', 'takes from ancestors what counts what is below them', () => {
    const own = aBudgetRow();
    const above = aBudgetRow({ budgetId: 'above/amount', budgetRoot: 'above' });
    const self = aBudgetRow({ budgetId: 'above/calls', kind: 'calls', spread: 'self' });
    const ancestor = aMandateRow({
      mandateId: 'above',
      budgetIds: ['above/amount', 'above/calls'],
    });
    const rows = decisionRows({ budgets: [above, self, own], ancestors: [ancestor] });
    expect(chainBudgets(rows, { amount: 1 }).map(({ fact }) => [fact.id, fact.owner])).toEqual([
      ['mandate-1/amount', 'own'],
      ['above/amount', 'ancestor'],
    ]);
  });
});

describe('reservations', () => {
  verifies('EXE-20', 'fix time and period, and say when a rolling entry ages', () => {
    const rows = rowsOf([rolling, daily], { aged: [aged(1, 90)] });
    const { putBudgets, ageBudgets, budgetMoves } = reservations('op', rows, { amount: 11 });
    const begun = { kind: 'reserve', opId: 'op', amount: 11, atMs: testNowMs };
    expect(budgetMoves).toEqual([
      { ...begun, budgetId: rolling.budgetId, agesMs: testNowMs + dayMs },
      { ...begun, budgetId: counter.budgetId, agesMs: undefined },
    ]);
    expect(ageBudgets).toEqual([aged(1, 90)]);
    expect(putBudgets).toMatchObject([
      { budgetId: counter.budgetId, period: '2027-01-15', endsMs: counter.endsMs, limit: 1_000 },
    ]);
  });

  it('write the terms of a period only when they are new', () => {
    const putsFor = (budget: BudgetRow) =>
      reservations('op', rowsOf([budget, counter]), { amount: 1 }).putBudgets;
    expect(putsFor(daily)).toEqual([]);
    expect(putsFor({ ...daily, limit: 5 })).toMatchObject([{ limit: 5, period: '2027-01-15' }]);
  });

  it('leave alone what is charged nothing', () => {
    expect(reservations('op', rowsOf([rolling, daily]), {}).budgetMoves).toEqual([]);
  });
});

describe('clockAlarm', () => {
  const deny = (detail?: string): Deny => ({
    kind: 'deny',
    stage: 'budget',
    failures: [{ code: 'BUDGET_PERIOD', ...(detail === undefined ? {} : { detail }) }],
  });
  const back = { clockBehindMs: 60_001 };

  verifies('EXE-20', 'is told once for the instant that the clock fell behind', () => {
    const rows = rowsOf([aBudgetRow(), rolling], back);
    expect([isClockBack(rows), isClockBack({ clockBehindMs: 60_000 })]).toEqual([true, false]);
    for (const detail of ['clock_regressed', 'ancestor_clock_regressed']) {
      expect(clockAlarm(deny(detail), rows)).toEqual({
        markBudgets: [{ budgetId: rolling.budgetId, clockAlarmMs: testNowMs }],
        leaves: [
          {
            type: 'alarm',
            open: { kind: 'clock_regressed', figures: { behind_ms: 60_001 } },
            committed: {},
          },
        ],
      });
    }
    const told = rowsOf([{ ...rolling, clockAlarmMs: testNowMs }], back);
    const silence = { markBudgets: [], leaves: [] };
    expect(clockAlarm(deny('clock_regressed'), told)).toEqual(silence);
    expect(clockAlarm(deny(), rows)).toEqual(silence);
    const later = rowsOf([{ ...rolling, clockAlarmMs: testNowMs - 1 }], back);
    expect(clockAlarm(deny('clock_regressed'), later).leaves).toHaveLength(1);
  });
});

describe('currentBudgets', () => {
  it('are the period of now under the id of the budget, and without what has aged', () => {
    const rows = rowsOf([rolling, daily, counter], { aged: [aged(1, 90)] });
    const expected = [
      { ...rolling, spent: 900 },
      { ...counter, budgetId: daily.budgetId },
    ];
    expect(currentBudgets({ ...rows, mandate: aMandateRow(rows.mandate) })).toEqual(expected);
    expect(listBudgets(rows)).toEqual(expected);
  });

  it('show the terms of the budget where its period has older ones', () => {
    const [shown] = listBudgets(rowsOf([{ ...daily, limit: 5, frozen: true }, counter]));
    expect(shown).toMatchObject({ limit: 5, frozen: true, spent: 7 });
  });
});
