// Prepared statements as the tables use them: rows come as lists in the order of the columns
// named in the SQL, and no text is bound that the database would silently change.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { StoreError } from '../store.ts';

export type SqlValue = string | number | Uint8Array | null;
export type SqlRow = readonly SqlValue[];

export class Statement {
  readonly #statement: StatementSync;

  constructor(database: DatabaseSync, sql: string) {
    this.#statement = database.prepare(sql);
    this.#statement.setReturnArrays(true);
  }

  /** First row. */
  get(...values: SqlValue[]): SqlRow | undefined {
    checkTexts(values);
    // The types know rows as objects only.
    return this.#statement.get(...values) as unknown as SqlRow | undefined;
  }

  all(...values: SqlValue[]): readonly SqlRow[] {
    checkTexts(values);
    return this.#statement.all(...values) as unknown as readonly SqlRow[];
  }

  /** Number of rows that were inserted, changed or deleted. */
  run(...values: SqlValue[]): number {
    checkTexts(values);
    return Number(this.#statement.run(...values).changes);
  }

  /** One row must change: anything else means that the plan was made on other rows. */
  change(...values: SqlValue[]): void {
    if (this.run(...values) !== 1) {
      throw new StoreError('STORE_CONFLICT', 'a row is not what the transaction was planned on');
    }
  }
}

// A lone surrogate would be stored as U+FFFD without an error.
function checkTexts(values: readonly SqlValue[]): void {
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i];
    if (typeof value === 'string' && !value.isWellFormed()) {
      throw new StoreError('STORE_FAILED', 'a text with a lone surrogate cannot be stored');
    }
  }
}
