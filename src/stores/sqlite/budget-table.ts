// Counters of budgets, and what each operation took of them.
import type { DatabaseSync } from 'node:sqlite';
import { windowText } from '../../core/checks/budget-window.ts';
import type { BudgetMark } from '../../core/moves/writes.ts';
import type {
  AgedEntries,
  BudgetHold,
  BudgetMove,
  BudgetRow,
  BudgetTerms,
} from '../../core/operation.ts';
import { noEndMs, readEnd, readWindow } from '../budget-columns.ts';
import { type BudgetSum, conflict } from '../store.ts';
import { type SqlRow, Statement } from './statement.ts';

const columns = `budget_id, budget_root, kind, limit_, reserved, spent, frozen, currency, window_,
  spread, period, ends_ms, clock_alarm_ms`;
const width = 13;

export class BudgetTable {
  readonly #ofRoots: Statement;
  readonly #byId: Statement;
  readonly #unended: Statement;
  readonly #put: Statement;
  readonly #mark: Statement;
  readonly #reserve: Statement;
  readonly #insertEntry: Statement;
  readonly #endEntry: Statement;
  readonly #overrun: Statement;
  readonly #settle: Statement;
  readonly #reserved: Statement;
  readonly #aged: Statement;
  readonly #age: Statement;
  readonly #sums: Statement;
  readonly #freezeAll: Statement;

  constructor(database: DatabaseSync) {
    const statement = (sql: string): Statement => new Statement(database, sql);
    this.#ofRoots = statement(
      `SELECT ${columns} FROM budget WHERE budget_root IN (?, ?) AND ends_ms > ?`,
    );
    this.#byId = statement(`SELECT ${columns} FROM budget WHERE budget_id = ?`);
    this.#unended = statement(`SELECT ${columns} FROM budget WHERE ends_ms > ? ORDER BY budget_id`);
    this.#put = statement(
      `INSERT INTO budget (budget_id, budget_root, kind, limit_, ceiling, reserved, spent, frozen,
         currency, window_, spread, period, ends_ms)
       VALUES (?1, ?2, ?3, ?4, ?4, 0, 0, 0, ?5, ?6, ?7, ?8, ?9)
       ON CONFLICT (budget_id) DO UPDATE SET limit_ = ?4, ceiling = max(?4, reserved + spent),
         currency = ?5, spread = ?7, ends_ms = ?9`,
    );
    this.#mark = statement(
      `UPDATE budget SET frozen = coalesce(?, frozen),
         clock_alarm_ms = coalesce(?, clock_alarm_ms) WHERE budget_id = ?`,
    );
    this.#reserve = statement(
      `UPDATE budget SET reserved = reserved + ?1
       WHERE budget_id = ?2 AND frozen = 0 AND reserved + spent + ?1 <= limit_`,
    );
    this.#insertEntry = statement(
      `INSERT INTO budget_entry (operation, budget_id, part, at_ms, ages_ms, amount, state)
       VALUES (?, ?, 0, ?, ?, ?, 'reserved')`,
    );
    this.#endEntry = statement(
      `UPDATE budget_entry SET state = ?1, amount = ?2,
         ages_ms = iif(?1 = 'settled', ages_ms, NULL)
       WHERE operation = ?3 AND budget_id = ?4 AND part = 0 AND amount = ?5 AND state = 'reserved'`,
    );
    this.#overrun = statement(
      `INSERT INTO budget_entry (operation, budget_id, part, at_ms, ages_ms, amount, state)
       SELECT operation, budget_id, 1, at_ms, ages_ms, ?, 'overrun' FROM budget_entry
       WHERE operation = ? AND budget_id = ? AND part = 0`,
    );
    this.#settle = statement(
      `UPDATE budget SET reserved = reserved - ?1, spent = spent + ?2,
         ceiling = max(ceiling, reserved - ?1 + spent + ?2) WHERE budget_id = ?3`,
    );
    this.#freezeAll = statement('UPDATE budget SET frozen = 1 WHERE frozen = 0');
    this.#reserved = statement(
      `SELECT e.budget_id, e.amount, b.kind, b.reserved + b.spent
       FROM budget_entry e JOIN budget b ON b.budget_id = e.budget_id
       WHERE e.operation = ? AND e.state = 'reserved'`,
    );
    // An operation under way or unknown never ages out of a window.
    this.#aged = statement(
      `SELECT count(*), sum(amount) FROM budget_entry
       WHERE budget_id = ? AND ages_ms <= ? AND state <> 'reserved'`,
    );
    this.#age = statement(
      `UPDATE budget_entry SET state = 'aged', ages_ms = NULL
       WHERE budget_id = ? AND ages_ms <= ? AND state <> 'reserved'`,
    );
    this.#sums = statement(
      `SELECT ${columns.replaceAll(/(\w+)/g, 'b.$1')},
         coalesce(sum(iif(e.state = 'reserved', e.amount, 0)), 0),
         coalesce(sum(iif(e.state = 'settled' OR e.state = 'overrun', e.amount, 0)), 0)
       FROM budget b LEFT JOIN budget_entry e ON e.budget_id = b.budget_id
       GROUP BY b.budget_id ORDER BY b.budget_id`,
    );
  }

  /** Counters beside the sums of their entries. */
  sums(): readonly BudgetSum[] {
    return this.#sums.all().map((row) => ({
      budget: toBudget(row),
      reserved: row[width] as number,
      spent: row[width + 1] as number,
    }));
  }

  /** Life budgets of one root and windows of the line, with periods that are not over. */
  ofRoots(
    { budgetRoot, line }: { readonly budgetRoot: string; readonly line: string },
    nowMs: number,
  ): readonly BudgetRow[] {
    return this.#ofRoots.all(budgetRoot, line, nowMs).map(toBudget);
  }

  byId(budgetId: string): BudgetRow | undefined {
    const row = this.#byId.get(budgetId);
    return row === undefined ? undefined : toBudget(row);
  }

  /** All but the periods that are over. */
  unended(nowMs: number): readonly BudgetRow[] {
    return this.#unended.all(nowMs).map(toBudget);
  }

  /** Of those with a rolling window, what has aged and was not subtracted yet. */
  aged(budgets: readonly BudgetRow[], untilMs: number): readonly AgedEntries[] {
    return budgets.flatMap(({ budgetId, window }) => {
      if (window.kind !== 'rolling') return [];
      const [entries, amount] = this.#aged.get(budgetId, untilMs) as [number, number | null];
      return amount === null ? [] : [{ budgetId, untilMs, entries, amount }];
    });
  }

  reserved(operation: number): readonly BudgetHold[] {
    return this.#reserved.all(operation).map(([budgetId, amount, kind, used]) => ({
      budgetId: budgetId as string,
      amount: amount as number,
      kind: kind as BudgetHold['kind'],
      used: used as number,
    }));
  }

  put(terms: BudgetTerms): void {
    const { budgetId, budgetRoot, kind, limit, currency, window, spread, period, endsMs } = terms;
    const how = [currency ?? null, windowText(window), spread, period ?? null, endsMs ?? noEndMs];
    this.#put.change(budgetId, budgetRoot, kind, limit, ...how);
  }

  mark({ budgetId, frozen, clockAlarmMs }: BudgetMark): void {
    const flag = frozen === undefined ? null : Number(frozen);
    this.#mark.change(flag, clockAlarmMs ?? null, budgetId);
  }

  /** Subtracts exactly the entries that were planned on. */
  age({ budgetId, untilMs, entries, amount }: AgedEntries): void {
    if (this.#age.run(budgetId, untilMs) !== entries) throw conflict(`budget ${budgetId}`);
    this.#settle.change(0, -amount, budgetId);
  }

  /** Nothing is reserved any more; what is held can still be settled or released. */
  freezeAll(): void {
    this.#freezeAll.run();
  }

  /** Reserves only what fits, ends exactly what is held: else no row changes. */
  move(operation: number, move: BudgetMove): void {
    const { budgetId, amount } = move;
    if (move.kind === 'reserve') {
      this.#reserve.change(amount, budgetId);
      this.#insertEntry.change(operation, budgetId, move.atMs, move.agesMs ?? null, amount);
      return;
    }
    const actual = move.kind === 'settle' ? move.actual : 0;
    const state = move.kind === 'settle' ? 'settled' : 'released';
    const kept = move.kind === 'settle' ? Math.min(amount, actual) : amount;
    this.#endEntry.change(state, kept, operation, budgetId, amount);
    if (actual > amount) this.#overrun.change(actual - amount, operation, budgetId);
    this.#settle.change(amount, actual, budgetId);
  }
}

function toBudget(row: SqlRow): BudgetRow {
  return {
    budgetId: row[0] as string,
    budgetRoot: row[1] as string,
    kind: row[2] as BudgetRow['kind'],
    limit: row[3] as number,
    reserved: row[4] as number,
    spent: row[5] as number,
    frozen: row[6] === 1,
    currency: (row[7] as string | null) ?? undefined,
    window: readWindow(row[8] as string),
    spread: row[9] as BudgetRow['spread'],
    period: (row[10] as string | null) ?? undefined,
    endsMs: readEnd(row[11] as number),
    clockAlarmMs: (row[12] as number | null) ?? undefined,
  };
}
