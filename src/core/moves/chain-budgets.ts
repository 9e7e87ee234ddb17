// The budgets that one operation is charged to, as they count at this instant: those of its mandate
// and of every mandate above it.
import { budgetCharge, type Charge } from '../checks/budget.ts';
import { periodAt } from '../checks/budget-window.ts';
import type { Deny } from '../decision.ts';
import type { BudgetFact } from '../facts.ts';
import type { AgedEntries, BudgetMove, BudgetRow, BudgetTerms, MandateRow } from '../operation.ts';
import type { Writes } from './writes.ts';

/** A step of the clock back by more than this stops what is counted by time: one minute. */
const clockStepMaxMs = 60_000;

/** Aged entries that are subtracted although the counter still holds what is asked for: reading them again costs more. */
const agedMax = 64;

/** Rows of one transaction, as far as budgets go. */
export interface BudgetRows {
  readonly nowMs: number;
  /** How far the clock stands behind `nowMs`. */
  readonly clockBehindMs: number;
  readonly mandate: MandateRow | undefined;
  /** For each of its lines of ancestors the newest mandate, nearest first; undefined = there is none. */
  readonly ancestors: readonly (MandateRow | undefined)[];
  /** Rows of all their budgets, with those periods of calendar windows that are not over. */
  readonly budgets: readonly BudgetRow[];
  /** What has aged and was not subtracted yet, of rolling windows that have any. */
  readonly aged: readonly AgedEntries[];
}

/** One budget of the chain with the counter that is charged. */
export interface ChainBudget {
  readonly fact: BudgetFact;
  readonly budget: BudgetRow;
  /** The budget itself, or its period of now. */
  readonly counter: BudgetRow;
  /** The period has no row yet, or one with a limit that was changed since. */
  readonly mustPut: boolean;
  /** Subtracted from the counter already; to be written with a reservation. */
  readonly aged: AgedEntries | undefined;
}

/** True when the clock stands so far behind the last stored instant that windows cannot be counted. */
export const isClockBack = ({ clockBehindMs }: Pick<BudgetRows, 'clockBehindMs'>): boolean =>
  clockBehindMs > clockStepMaxMs;

/** Own budgets in the order of the mandate, then those of ancestors that count what is below them. */
export function chainBudgets(rows: BudgetRows, charge: Charge): readonly ChainBudget[] {
  const { mandate, ancestors } = rows;
  if (mandate === undefined) return [];
  const above = ancestors.flatMap((each) => (each === undefined ? [] : budgetsOf(each, rows)));
  return [
    ...budgetsOf(mandate, rows).map((row) => chainBudget(row, { rows, charge, owner: 'own' })),
    ...above
      .filter(({ spread }) => spread === 'subtree')
      .map((row) => chainBudget(row, { rows, charge, owner: 'ancestor' })),
  ];
}

function budgetsOf(
  { budgetIds }: MandateRow,
  { budgets }: Pick<BudgetRows, 'budgets'>,
): readonly BudgetRow[] {
  return budgetIds.flatMap((id) => budgets.find(({ budgetId }) => budgetId === id) ?? []);
}

function chainBudget(
  budget: BudgetRow,
  {
    rows,
    charge,
    owner,
  }: {
    readonly rows: BudgetRows;
    readonly charge: Charge;
    readonly owner: BudgetFact['owner'];
  },
): ChainBudget {
  const { row, mustPut } = counterOf(budget, rows);
  const aged = agedOf(row, { rows, charge });
  const counter = aged === undefined ? row : { ...row, spent: row.spent - aged.amount };
  const { kind, limit, frozen, currency, window } = budget;
  const { budgetId: id, reserved, spent } = counter;
  const windowed = window.kind !== 'life';
  const sums = { id, kind, limit, reserved, spent };
  const fact = { ...sums, frozen, windowed, currency, owner };
  return { fact, budget, counter, mustPut, aged };
}

/** The counter that an operation of this instant is charged to. */
function counterOf(
  budget: BudgetRow,
  { budgets, nowMs }: Pick<BudgetRows, 'budgets' | 'nowMs'>,
): { readonly row: BudgetRow; readonly mustPut: boolean } {
  if (budget.window.kind !== 'calendar') return { row: budget, mustPut: false };
  const { id: period, endsMs } = periodAt(budget.window, nowMs);
  const budgetId = `${budget.budgetId}@${period}`;
  const row = budgets.find((each) => each.budgetId === budgetId);
  if (row !== undefined) return { row, mustPut: row.limit !== budget.limit };
  const sums = { reserved: 0, spent: 0, frozen: false, clockAlarmMs: undefined };
  return { row: { ...budget, ...sums, budgetId, period, endsMs }, mustPut: true };
}

/** The counter can only refuse too much: what has aged is looked at when it does, or is too long a list. */
function agedOf(
  counter: BudgetRow,
  { rows, charge }: { readonly rows: BudgetRows; readonly charge: Charge },
): AgedEntries | undefined {
  const aged = rows.aged.find(({ budgetId }) => budgetId === counter.budgetId);
  if (aged === undefined || aged.entries >= agedMax) return aged;
  const { reserved, spent, limit } = counter;
  return reserved + spent + budgetCharge(counter, charge) > limit ? aged : undefined;
}

/** What a dispatch writes: all reservations, or none of it. The time and the period of each are fixed here. */
export function reservations(
  opId: string,
  rows: BudgetRows,
  charge: Charge,
): Pick<Writes, 'putBudgets' | 'ageBudgets'> & { readonly budgetMoves: readonly BudgetMove[] } {
  const charged = chainBudgets(rows, charge).filter(
    ({ budget }) => budgetCharge(budget, charge) > 0,
  );
  return {
    putBudgets: charged.flatMap(({ budget, counter, mustPut }) =>
      mustPut ? [{ ...termsOf(counter), limit: budget.limit }] : [],
    ),
    ageBudgets: charged.flatMap(({ aged }) => aged ?? []),
    budgetMoves: charged.map(({ budget, counter }) => ({
      kind: 'reserve',
      opId,
      budgetId: counter.budgetId,
      amount: budgetCharge(budget, charge),
      atMs: rows.nowMs,
      agesMs: budget.window.kind === 'rolling' ? rows.nowMs + budget.window.ms : undefined,
    })),
  };
}

function termsOf(row: BudgetRow): BudgetTerms {
  const { budgetId, budgetRoot, kind, limit, currency, window, spread, period, endsMs } = row;
  return { budgetId, budgetRoot, kind, limit, currency, window, spread, period, endsMs };
}

/** A refusal because of the clock is told once for each instant that the clock fell behind, not at every call. */
export function clockAlarm(
  { failures }: Deny,
  rows: BudgetRows,
): Pick<Writes, 'markBudgets' | 'leaves'> {
  const isRefused = failures.some(({ detail }) => detail?.endsWith('clock_regressed'));
  if (!isRefused) return { markBudgets: [], leaves: [] };
  const { nowMs, clockBehindMs } = rows;
  const silent = chainBudgets(rows, {}).filter(
    ({ budget }) => budget.window.kind !== 'life' && budget.clockAlarmMs !== nowMs,
  );
  if (silent.length === 0) return { markBudgets: [], leaves: [] };
  return {
    markBudgets: silent.map(({ budget }) => ({ budgetId: budget.budgetId, clockAlarmMs: nowMs })),
    leaves: [
      {
        type: 'alarm',
        open: { kind: 'clock_regressed', figures: { behind_ms: clockBehindMs } },
        committed: {},
      },
    ],
  };
}

/** Budgets of one mandate as they count now: the period of today, and no entry that has aged. */
export function currentBudgets(
  rows: Pick<BudgetRows, 'nowMs' | 'budgets' | 'aged'> & { readonly mandate: MandateRow },
): readonly BudgetRow[] {
  return budgetsOf(rows.mandate, rows).map((budget) => currentBudget(budget, rows));
}

function currentBudget(
  budget: BudgetRow,
  rows: Pick<BudgetRows, 'nowMs' | 'budgets' | 'aged'>,
): BudgetRow {
  const { row } = counterOf(budget, rows);
  const aged = rows.aged.find(({ budgetId }) => budgetId === row.budgetId)?.amount ?? 0;
  const { limit, frozen, clockAlarmMs } = budget;
  return {
    ...row,
    limit,
    frozen,
    clockAlarmMs,
    budgetId: budget.budgetId,
    spent: row.spent - aged,
  };
}

/** Every budget of a store as it counts now. */
export function listBudgets(
  rows: Pick<BudgetRows, 'nowMs' | 'budgets' | 'aged'>,
): readonly BudgetRow[] {
  return rows.budgets
    .filter(({ period }) => period === undefined)
    .map((budget) => currentBudget(budget, rows));
}
