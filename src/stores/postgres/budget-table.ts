// Counters of budgets, and what each operation took of them, as rows of the database.
import { windowText } from '../../core/checks/budget-window.ts';
import type { AgedEntries, BudgetMove, BudgetRow } from '../../core/operation.ts';
import { noEndMs, readEnd, readWindow } from '../budget-columns.ts';
import type { Changed } from './operation-table.ts';
import { type Column, insertRows, type SqlRow, type Statement, updateRows } from './statement.ts';

/** Columns of `b`, in the order of `toBudget`. */
export const budgetColumns = `b.budget_id, b.budget_root, b.kind, b.limit_, b.reserved, b.spent,
  b.frozen, b.currency, b.window_, b.spread, b.period, b.ends_ms, b.clock_alarm_ms`;
/** How many they are. */
export const budgetWidth = 13;

export function toBudget(row: SqlRow): BudgetRow {
  return {
    budgetId: row[0] as string,
    budgetRoot: row[1] as string,
    kind: row[2] as BudgetRow['kind'],
    limit: row[3] as number,
    reserved: row[4] as number,
    spent: row[5] as number,
    frozen: row[6] as boolean,
    currency: (row[7] as string | null) ?? undefined,
    window: readWindow(row[8] as string),
    spread: row[9] as BudgetRow['spread'],
    period: (row[10] as string | null) ?? undefined,
    endsMs: readEnd(row[11] as number),
    clockAlarmMs: (row[12] as number | null) ?? undefined,
  };
}

/**
 * One column about `b`: instant, number and sum of the entries that have aged by then and were not
 * subtracted yet; null when there are none. The store's time is never before the last leaf. An
 * operation under way or unknown never ages out of a window.
 */
export function agedColumn(clock: string): string {
  const untilMs = `greatest(${clock}, (SELECT last_ms FROM intentplane.log_state))`;
  return `(SELECT json_build_array(${untilMs}, count(*), sum(e.amount))
    FROM intentplane.budget_entry e
    WHERE e.budget_id = b.budget_id AND e.ages_ms <= ${untilMs} AND e.state <> 'reserved'
    HAVING count(*) > 0)`;
}

/** Reads that column. */
export function toAged(budgetId: string, column: unknown): AgedEntries | undefined {
  if (column === null || column === undefined) return undefined;
  const [untilMs, entries, amount] = column as readonly [number, number, number];
  return { budgetId, untilMs, entries, amount };
}

/** A new budget, or other terms of one whose used sums stay. */
export function putBudget(budget: BudgetRow): Statement {
  const { budgetId, budgetRoot, kind, limit, currency, window, spread, period, endsMs } = budget;
  const how = [currency ?? null, windowText(window), spread, period ?? null, endsMs ?? noEndMs];
  return {
    sql: `INSERT INTO intentplane.budget AS b (budget_id, budget_root, kind, limit_, ceiling,
        reserved, spent, frozen, currency, window_, spread, period, ends_ms)
      VALUES ($1, $2, $3, $4::bigint, $4::bigint, 0, 0, false, $5, $6, $7, $8, $9)
      ON CONFLICT (budget_id) DO UPDATE
        SET limit_ = $4::bigint, ceiling = greatest($4::bigint, b.reserved + b.spent),
          currency = $5, spread = $7, ends_ms = $9`,
    values: [budgetId, budgetRoot, kind, limit, ...how],
    expect: 1,
  };
}

/** Sums before and after, and how much of the difference no limit held: the target had taken it already. */
export interface BudgetChange extends Changed<BudgetRow> {
  readonly overrun: number;
}

/** Sums move only from what was read, and grow only below the limit; the table checks it again. */
export function updateBudgets(changes: readonly BudgetChange[]): Statement[] {
  return updateRows(
    {
      table: 'budget',
      columns: [
        { name: 'budget_id', type: 'text', read: ({ to }) => to.budgetId },
        { name: 'was_reserved', type: 'bigint', read: ({ from }) => from.reserved },
        { name: 'was_spent', type: 'bigint', read: ({ from }) => from.spent },
        { name: 'reserved', type: 'bigint', read: ({ to }) => to.reserved },
        { name: 'spent', type: 'bigint', read: ({ to }) => to.spent },
        { name: 'overrun', type: 'bigint', read: ({ overrun }) => overrun },
      ],
      set: `reserved = v.reserved, spent = v.spent,
        ceiling = greatest(t.ceiling, v.reserved + v.spent)`,
      where: `t.budget_id = v.budget_id AND t.reserved = v.was_reserved AND t.spent = v.was_spent
        AND (v.reserved + v.spent - v.overrun <= v.was_reserved + v.was_spent
          OR (NOT t.frozen AND v.reserved + v.spent - v.overrun <= t.limit_))`,
    },
    changes,
  );
}

/** Freezes, lifts, and notes that the clock was behind. */
export function markBudgets(changes: readonly Changed<BudgetRow>[]): Statement[] {
  return updateRows(
    {
      table: 'budget',
      columns: [
        { name: 'budget_id', type: 'text', read: ({ to }) => to.budgetId },
        { name: 'frozen', type: 'boolean', read: ({ to }) => to.frozen },
        { name: 'clock_alarm_ms', type: 'bigint', read: ({ to }) => to.clockAlarmMs },
      ],
      set: 'frozen = v.frozen, clock_alarm_ms = v.clock_alarm_ms',
      where: 't.budget_id = v.budget_id',
    },
    changes,
  );
}

/** Subtracts exactly the entries that were planned on; before any other entry moves. */
export function ageEntries(aged: readonly AgedEntries[]): Statement[] {
  return aged.map(({ budgetId, untilMs, entries }) => ({
    sql: `UPDATE intentplane.budget_entry SET state = 'aged', ages_ms = NULL
      WHERE budget_id = $1 AND ages_ms <= $2 AND state <> 'reserved'`,
    values: [budgetId, untilMs],
    expect: entries,
  }));
}

/** Reservations begin, and end once with the amount they began with. */
export function moveEntries(moves: readonly BudgetMove[]): Statement[] {
  const begun = moves.filter((move) => move.kind === 'reserve');
  const ended = moves.filter((move) => move.kind !== 'reserve');
  const overruns = ended.filter((move) => overrunOf(move) > 0);
  return [
    ...insertRows('budget_entry', entryColumns, begun),
    ...updateRows(entryEnd, ended),
    ...overruns.map(insertOverrun),
  ];
}

/** What the target took beyond the reservation. */
export function overrunOf(move: BudgetMove): number {
  return move.kind === 'settle' ? Math.max(0, move.actual - move.amount) : 0;
}

type Begun = Extract<BudgetMove, { kind: 'reserve' }>;
type Ended = Exclude<BudgetMove, { kind: 'reserve' }>;

const entryColumns: readonly Column<Begun>[] = [
  { name: 'op_id', type: 'text', read: ({ opId }) => opId },
  { name: 'budget_id', type: 'text', read: ({ budgetId }) => budgetId },
  { name: 'at_ms', type: 'bigint', read: ({ atMs }) => atMs },
  { name: 'ages_ms', type: 'bigint', read: ({ agesMs }) => agesMs },
  { name: 'amount', type: 'bigint', read: ({ amount }) => amount },
  { name: 'state', type: 'text', read: () => 'reserved' },
];

const endColumns: readonly Column<Ended>[] = [
  { name: 'op_id', type: 'text', read: ({ opId }) => opId },
  { name: 'budget_id', type: 'text', read: ({ budgetId }) => budgetId },
  { name: 'amount', type: 'bigint', read: ({ amount }) => amount },
  {
    name: 'kept',
    type: 'bigint',
    read: (move) => (move.kind === 'settle' ? Math.min(move.amount, move.actual) : move.amount),
  },
  {
    name: 'state',
    type: 'text',
    read: ({ kind }) => (kind === 'settle' ? 'settled' : 'released'),
  },
];

const entryEnd = {
  table: 'budget_entry',
  columns: endColumns,
  set: `state = v.state, amount = v.kept,
    ages_ms = CASE WHEN v.state = 'settled' THEN t.ages_ms END`,
  where: `t.op_id = v.op_id AND t.budget_id = v.budget_id AND t.part = 0
    AND t.amount = v.amount AND t.state = 'reserved'`,
};

function insertOverrun(move: Ended): Statement {
  return {
    sql: `INSERT INTO intentplane.budget_entry
        (op_id, budget_id, part, at_ms, ages_ms, amount, state)
      SELECT op_id, budget_id, 1, at_ms, ages_ms, $3, 'overrun' FROM intentplane.budget_entry
      WHERE op_id = $1 AND budget_id = $2 AND part = 0`,
    values: [move.opId, move.budgetId, overrunOf(move)],
    expect: 1,
  };
}
