// Life budgets, and what each operation holds of them.
import type { DatabaseSync } from 'node:sqlite';
import type { BudgetTerms } from '../../core/moves/writes.ts';
import type { BudgetMove, BudgetRow } from '../../core/operation.ts';
import type { Reservation } from '../rows.ts';
import type { BudgetSum } from '../store.ts';
import { type SqlRow, Statement } from './statement.ts';

export class BudgetTable {
  readonly #ofRoot: Statement;
  readonly #put: Statement;
  readonly #reserve: Statement;
  readonly #insertEntry: Statement;
  readonly #endEntry: Statement;
  readonly #settle: Statement;
  readonly #reserved: Statement;
  readonly #sums: Statement;
  readonly #freezeAll: Statement;

  constructor(database: DatabaseSync) {
    const statement = (sql: string): Statement => new Statement(database, sql);
    this.#ofRoot = statement(
      `SELECT budget_id, budget_root, kind, limit_, reserved, spent, frozen
       FROM budget WHERE budget_root = ? ORDER BY budget_id`,
    );
    this.#put = statement(
      `INSERT INTO budget (budget_id, budget_root, kind, limit_, ceiling, reserved, spent, frozen)
       VALUES (?1, ?2, ?3, ?4, ?4, 0, 0, 0)
       ON CONFLICT (budget_id) DO UPDATE SET limit_ = ?4, ceiling = max(?4, reserved + spent)`,
    );
    this.#reserve = statement(
      `UPDATE budget SET reserved = reserved + ?1
       WHERE budget_id = ?2 AND frozen = 0 AND reserved + spent + ?1 <= limit_`,
    );
    this.#insertEntry = statement(
      `INSERT INTO budget_entry (operation, budget_id, amount, state) VALUES (?, ?, ?, 'reserved')`,
    );
    this.#endEntry = statement(
      `UPDATE budget_entry SET state = ? WHERE operation = ? AND budget_id = ? AND amount = ?
       AND state = 'reserved'`,
    );
    this.#settle = statement(
      'UPDATE budget SET reserved = reserved - ?1, spent = spent + ?2 WHERE budget_id = ?3',
    );
    this.#sums = statement(
      `SELECT b.budget_id, b.budget_root, b.kind, b.limit_, b.reserved, b.spent, b.frozen,
         coalesce(sum(iif(e.state = 'reserved', e.amount, 0)), 0),
         coalesce(sum(iif(e.state = 'settled', e.amount, 0)), 0)
       FROM budget b LEFT JOIN budget_entry e ON e.budget_id = b.budget_id
       GROUP BY b.budget_id ORDER BY b.budget_id`,
    );
    this.#freezeAll = statement('UPDATE budget SET frozen = 1 WHERE frozen = 0');
    this.#reserved = statement(
      `SELECT budget_id, amount FROM budget_entry WHERE operation = ? AND state = 'reserved'`,
    );
  }

  /** Counters beside the sums of their entries. */
  sums(): readonly BudgetSum[] {
    return this.#sums.all().map((row) => ({
      budget: toBudget(row),
      reserved: row[7] as number,
      spent: row[8] as number,
    }));
  }

  ofRoot(budgetRoot: string): readonly BudgetRow[] {
    return this.#ofRoot.all(budgetRoot).map(toBudget);
  }

  reserved(operation: number): readonly Reservation[] {
    return this.#reserved
      .all(operation)
      .map(([budgetId, amount]) => ({ budgetId: budgetId as string, amount: amount as number }));
  }

  put({ budgetId, budgetRoot, kind, limit }: BudgetTerms): void {
    this.#put.change(budgetId, budgetRoot, kind, limit);
  }

  /** Nothing is reserved any more; what is held can still be settled or released. */
  freezeAll(): void {
    this.#freezeAll.run();
  }

  /** Reserves only what fits, ends exactly what is held: else no row changes. */
  move(operation: number, { kind, budgetId, amount }: BudgetMove): void {
    if (kind === 'reserve') {
      this.#reserve.change(amount, budgetId);
      this.#insertEntry.change(operation, budgetId, amount);
      return;
    }
    const isSettled = kind === 'settle';
    this.#endEntry.change(isSettled ? 'settled' : 'released', operation, budgetId, amount);
    this.#settle.change(amount, isSettled ? amount : 0, budgetId);
  }
}

function toBudget([budgetId, budgetRoot, kind, limit, reserved, spent, frozen]: SqlRow): BudgetRow {
  return {
    budgetId: budgetId as string,
    budgetRoot: budgetRoot as string,
    kind: kind as BudgetRow['kind'],
    limit: limit as number,
    reserved: reserved as number,
    spent: spent as number,
    frozen: frozen === 1,
  };
}
