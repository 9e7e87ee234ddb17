// Statements as data: the tables say what to run, a transaction sends many of them in one flight.
import { StoreError } from '../store.ts';
import { encodeText } from './stored-text.ts';

type SqlScalar = string | number | boolean | Uint8Array | null;
export type SqlValue = SqlScalar | readonly SqlScalar[];
export type SqlRow = readonly SqlScalar[];

export interface Statement {
  readonly sql: string;
  readonly values?: readonly SqlValue[];
  /** Rows that must change: any other number means that the plan was made on other rows. */
  readonly expect?: number;
}

/**
 * The same write, checked by the server: an update, or an insert with a condition, that writes another
 * number of rows than it must fails (SQLSTATE 22012), and the transaction with it. So a commit may follow before
 * its answer is seen. A plain insert writes every row or fails by itself.
 */
export function enforced({ sql, values, expect }: Statement): Statement {
  const isChecked = expect !== undefined && /^UPDATE|\bWHERE\b/u.test(sql);
  return {
    sql: isChecked
      ? `WITH written AS (${sql} RETURNING 1) SELECT 1 / (count(*) = ${expect})::int FROM written`
      : sql,
    ...(values === undefined ? {} : { values }),
  };
}

/** Collects the values of one statement. */
export class Values {
  readonly list: SqlValue[] = [];

  /** The place of a value in the text. */
  bind(value: SqlValue, type: string): string {
    this.list.push(value);
    return `$${this.list.length}::${type}`;
  }
}

/** A column of a table, and where its value comes from. */
export interface Column<T> {
  readonly name: string;
  readonly type: string;
  readonly read: (row: T) => SqlScalar | undefined;
}

/** Writes all rows by one statement whose text does not depend on their number. */
export function insertRows<T>(
  table: string,
  columns: readonly Column<T>[],
  rows: readonly T[],
): Statement[] {
  if (rows.length === 0) return [];
  const values = new Values();
  const lists = unnested(columns, rows, values);
  const names = columns.map(({ name }) => name).join(', ');
  const sql = `INSERT INTO intentplane.${table} (${names}) SELECT * FROM unnest(${lists})`;
  return [{ sql, values: values.list, expect: rows.length }];
}

/** What a conditional update changes, and on which rows. */
export interface Update<T> {
  readonly table: string;
  /** Columns of `v`, of which `set` and `where` make use. */
  readonly columns: readonly Column<T>[];
  readonly set: string;
  /** `t` is the table. */
  readonly where: string;
}

/** Every row must meet its condition. */
export function updateRows<T>(
  { table, columns, set, where }: Update<T>,
  rows: readonly T[],
): Statement[] {
  if (rows.length === 0) return [];
  const values = new Values();
  const lists = unnested(columns, rows, values);
  const names = columns.map(({ name }) => name).join(', ');
  const sql = `UPDATE intentplane.${table} t SET ${set} FROM unnest(${lists}) AS v (${names}) WHERE ${where}`;
  return [{ sql, values: values.list, expect: rows.length }];
}

function unnested<T>(columns: readonly Column<T>[], rows: readonly T[], values: Values): string {
  return columns
    .map(({ type, read }) =>
      values.bind(
        rows.map((row) => read(row) ?? null),
        `${type}[]`,
      ),
    )
    .join(', ');
}

/** The value as the driver takes it; what the database would change or guess at is refused. */
export function encodeValue(value: SqlValue): unknown {
  if (Array.isArray(value)) return (value as readonly SqlScalar[]).map(encodeScalar);
  return encodeScalar(value as SqlScalar);
}

function encodeScalar(value: SqlScalar): unknown {
  if (typeof value === 'string') return encodeText(value);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  throw new StoreError('STORE_FAILED', `a ${typeof value} of this kind cannot be stored`);
}
