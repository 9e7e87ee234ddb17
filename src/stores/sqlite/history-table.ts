// What requests are compared with, and how many proposals were denied lately.
import type { DatabaseSync } from 'node:sqlite';
import {
  amountsMax,
  type Denial,
  denialSlot,
  denialSlots,
  type EarlierOperations,
  earlierMax,
  type HistoryRow,
} from '../../core/history.ts';
import { amendmentWindowMs, type EqualApproval } from '../../core/moves/plan-amendment.ts';
import { readFields, readPaths } from '../history-columns.ts';
import { Statement } from './statement.ts';

// Earlier ones that succeeded, of one recipient: ?1, and before an instant: ?2.
const succeeded = `FROM history h CROSS JOIN operation o ON o.n = h.operation
  WHERE h.recipient_key = ?1 AND h.recipient_key <> '' AND h.at_ms < ?2 AND o.state = 'SUCCEEDED'`;
const newestFirst = 'ORDER BY h.at_ms DESC, h.operation DESC';

/** Equal approvals that are looked at: more than this in 30 days are no other habit. */
const equalMax = 100;

export class HistoryTable {
  readonly #insert: Statement;
  readonly #own: Statement;
  readonly #count: Statement;
  readonly #first: Statement;
  readonly #amounts: Statement;
  readonly #last: Statement;
  readonly #equal: Statement;
  readonly #erase: Statement;

  constructor(database: DatabaseSync) {
    const statement = (sql: string): Statement => new Statement(database, sql);
    this.#insert = statement(
      `INSERT INTO history (operation, recipient_key, recipient_paths, fields, amount, currency, at_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#own = statement(
      `SELECT recipient_key, recipient_paths, fields, amount, currency, at_ms FROM history
       WHERE operation = ? AND recipient_key <> ''`,
    );
    this.#count = statement(`SELECT count(*) FROM (SELECT 1 ${succeeded} LIMIT ${earlierMax})`);
    this.#first = statement(`SELECT h.at_ms ${succeeded} ORDER BY h.at_ms, h.operation LIMIT 1`);
    this.#amounts = statement(
      `SELECT h.amount ${succeeded} AND h.amount IS NOT NULL AND h.currency IS ?3
       ${newestFirst} LIMIT ${amountsMax}`,
    );
    this.#last = statement(`SELECT h.fields ${succeeded} ${newestFirst} LIMIT 1`);
    this.#equal = statement(
      `SELECT a.approval_id, h.amount FROM history h CROSS JOIN operation o ON o.n = h.operation
       CROSS JOIN approval a ON a.op_id = o.op_id
       WHERE h.recipient_key = ?1 AND h.recipient_key <> '' AND h.at_ms > ?2
         AND h.amount IS NOT NULL AND h.currency IS ?3 AND o.mandate_line = ?4 AND o.level = 1
         AND a.state IN ('GRANTED', 'CONSUMED')
       ${newestFirst} LIMIT ${equalMax}`,
    );
    this.#erase = statement(
      `UPDATE history SET recipient_key = '', recipient_paths = '', fields = '', amount = NULL,
         currency = NULL WHERE operation = ?`,
    );
  }

  /** `n` = number of the operation. */
  insert(n: number, row: HistoryRow): void {
    this.#insert.change(
      n,
      row.recipientKey,
      JSON.stringify(row.recipientPaths),
      JSON.stringify(row.fields),
      row.amount ?? null,
      row.currency ?? null,
      row.atMs,
    );
  }

  /** Undefined when the operation is compared with nothing, or was erased. */
  own(n: number, opId: string): HistoryRow | undefined {
    const row = this.#own.get(n);
    if (row === undefined) return undefined;
    return {
      opId,
      recipientKey: row[0] as string,
      recipientPaths: readPaths(row[1] as string),
      fields: readFields(row[2] as string),
      amount: (row[3] as number | null) ?? undefined,
      currency: (row[4] as string | null) ?? undefined,
      atMs: row[5] as number,
    };
  }

  earlier({ recipientKey, atMs, currency }: HistoryRow): EarlierOperations {
    const last = this.#last.get(recipientKey, atMs)?.[0] as string | undefined;
    return {
      count: this.#count.get(recipientKey, atMs)?.[0] as number,
      firstMs: this.#first.get(recipientKey, atMs)?.[0] as number | undefined,
      amounts: this.#amounts
        .all(recipientKey, atMs, currency ?? null)
        .map(([amount]) => amount as number),
      lastFields: last === undefined ? undefined : readFields(last),
    };
  }

  /** What the principal approved alone of the same action, recipient, currency and line; oldest first. */
  equal(
    { recipientKey, currency }: HistoryRow,
    { mandateLine, nowMs }: { readonly mandateLine: string; readonly nowMs: number },
  ): readonly EqualApproval[] {
    return this.#equal
      .all(recipientKey, nowMs - amendmentWindowMs, currency ?? null, mandateLine)
      .map(([approvalId, amount]) => ({
        approvalId: approvalId as string,
        amount: amount as number,
      }))
      .toReversed();
  }

  erase(n: number): void {
    this.#erase.run(n);
  }
}

export class DenialTable {
  readonly #count: Statement;
  readonly #recent: Statement;

  constructor(database: DatabaseSync) {
    this.#count = new Statement(
      database,
      `INSERT INTO denial (mandate_id, slot, minute, denials) VALUES (?1, ?2, ?3, 1)
       ON CONFLICT (mandate_id, slot) DO UPDATE
         SET denials = iif(minute = ?3, denials + 1, 1), minute = ?3`,
    );
    this.#recent = new Statement(
      database,
      'SELECT coalesce(sum(denials), 0) FROM denial WHERE mandate_id = ? AND minute > ?',
    );
  }

  count({ mandateId, atMs }: Denial): void {
    const { minute, slot } = denialSlot(atMs);
    this.#count.change(mandateId, slot, minute);
  }

  /** Within the last hour. */
  recent(mandateId: string, nowMs: number): number {
    const { minute } = denialSlot(nowMs);
    return this.#recent.get(mandateId, minute - denialSlots)?.[0] as number;
  }
}
