// Life budgets, and what each operation holds of them, as rows of the database.
import type { BudgetMove, BudgetRow } from '../../core/operation.ts';
import type { Changed } from './operation-table.ts';
import { insertRows, type SqlRow, type Statement, updateRows } from './statement.ts';

/** Columns of `b`, in the order of `toBudget`. */
export const budgetColumns =
  'b.budget_id, b.budget_root, b.kind, b.limit_, b.reserved, b.spent, b.frozen';

export function toBudget(row: SqlRow): BudgetRow {
  return {
    budgetId: row[0] as string,
    budgetRoot: row[1] as string,
    kind: row[2] as BudgetRow['kind'],
    limit: row[3] as number,
    reserved: row[4] as number,
    spent: row[5] as number,
    frozen: row[6] as boolean,
  };
}

/** A new budget, or another limit on one whose used sums stay. */
export function putBudget({ budgetId, budgetRoot, kind, limit }: BudgetRow): Statement {
  return {
    sql: `INSERT INTO intentplane.budget AS b
        (budget_id, budget_root, kind, limit_, ceiling, reserved, spent, frozen)
      VALUES ($1, $2, $3, $4::bigint, $4::bigint, 0, 0, false)
      ON CONFLICT (budget_id) DO UPDATE
        SET limit_ = $4::bigint, ceiling = greatest($4::bigint, b.reserved + b.spent)`,
    values: [budgetId, budgetRoot, kind, limit],
    expect: 1,
  };
}

/** Sums move only from what was read, and grow only below the limit; the table checks it again. */
export function updateBudgets(changes: readonly Changed<BudgetRow>[]): Statement[] {
  return updateRows(
    {
      table: 'budget',
      columns: [
        { name: 'budget_id', type: 'text', read: ({ to }) => to.budgetId },
        { name: 'was_reserved', type: 'bigint', read: ({ from }) => from.reserved },
        { name: 'was_spent', type: 'bigint', read: ({ from }) => from.spent },
        { name: 'reserved', type: 'bigint', read: ({ to }) => to.reserved },
        { name: 'spent', type: 'bigint', read: ({ to }) => to.spent },
      ],
      set: 'reserved = v.reserved, spent = v.spent',
      where: `t.budget_id = v.budget_id AND t.reserved = v.was_reserved AND t.spent = v.was_spent
        AND (v.reserved + v.spent <= v.was_reserved + v.was_spent
          OR (NOT t.frozen AND v.reserved + v.spent <= t.limit_))`,
    },
    changes,
  );
}

/** Reservations begin, and end once with the amount they began with. */
export function moveEntries(moves: readonly BudgetMove[]): Statement[] {
  const begun = moves.filter(({ kind }) => kind === 'reserve');
  const ended = moves.filter(({ kind }) => kind !== 'reserve');
  return [...insertRows('budget_entry', entryColumns, begun), ...updateRows(entryEnd, ended)];
}

const entryColumns = [
  { name: 'op_id', type: 'text', read: (move: BudgetMove) => move.opId },
  { name: 'budget_id', type: 'text', read: (move: BudgetMove) => move.budgetId },
  { name: 'amount', type: 'bigint', read: (move: BudgetMove) => move.amount },
  {
    name: 'state',
    type: 'text',
    read: ({ kind }: BudgetMove) => entryStates[kind],
  },
];

const entryStates: Readonly<Record<BudgetMove['kind'], string>> = {
  reserve: 'reserved',
  settle: 'settled',
  release: 'released',
};

const entryEnd = {
  table: 'budget_entry',
  columns: entryColumns,
  set: 'state = v.state',
  where: `t.op_id = v.op_id AND t.budget_id = v.budget_id AND t.amount = v.amount
    AND t.state = 'reserved'`,
};
