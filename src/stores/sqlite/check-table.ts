// Look-ups of operations whose outcome nobody knows.
import type { DatabaseSync } from 'node:sqlite';
import { firstCheckAfterMs } from '../../core/moves/next-check.ts';
import type { CheckDone, CheckJob, CheckWish } from '../check-job.ts';
import { type SqlRow, Statement } from './statement.ts';

/** A process and the time of the store. */
export interface LeaseHolder {
  readonly processId: string;
  readonly nowMs: number;
}

// Another attempt is looked for anew; how long the operation is UNKNOWN already stays known.
const unknown = `SELECT o.n, o.op_id, o.attempt, o.moved_ms, coalesce(j.first_unknown_ms, o.moved_ms),
    iif(j.attempt = o.attempt, j.checks, 0),
    iif(j.attempt = o.attempt, j.due_ms, o.moved_ms + ${firstCheckAfterMs}) AS due_ms, j.alarmed_ms
  FROM operation o INDEXED BY operation_unresolved LEFT JOIN check_job j ON j.operation = o.n
  WHERE o.state IN ('DISPATCHING', 'UNKNOWN') AND +o.state = 'UNKNOWN'
    AND coalesce(j.lease_until_ms, 0) <= ?1`;

export class CheckTable {
  readonly #due: Statement;
  readonly #one: Statement;
  readonly #lease: Statement;
  readonly #holder: Statement;
  readonly #finish: Statement;
  readonly #drop: Statement;

  constructor(database: DatabaseSync) {
    const statement = (sql: string): Statement => new Statement(database, sql);
    this.#due = statement(`SELECT * FROM (${unknown}) WHERE due_ms <= ?1 ORDER BY due_ms LIMIT 1`);
    this.#one = statement(`${unknown} AND o.op_id = ?2`);
    this.#lease = statement(
      `INSERT INTO check_job (operation, attempt, first_unknown_ms, checks, due_ms, alarmed_ms,
         lease_owner, lease_until_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
       ON CONFLICT (operation) DO UPDATE SET attempt = ?2, checks = ?4, due_ms = ?5,
         lease_owner = ?7, lease_until_ms = ?8 WHERE lease_until_ms <= ?9`,
    );
    this.#holder = statement(
      `SELECT o.state FROM check_job j JOIN operation o ON o.n = j.operation
       WHERE j.operation = ? AND j.attempt = ? AND j.lease_owner = ?`,
    );
    this.#finish = statement(
      `UPDATE check_job SET checks = ?, due_ms = ?, alarmed_ms = ?, lease_owner = NULL,
         lease_until_ms = 0 WHERE operation = ?`,
    );
    this.#drop = statement('DELETE FROM check_job WHERE operation = ?');
  }

  /** Only a read: whether it is worth a transaction to claim one. */
  isDue(nowMs: number): boolean {
    return this.#due.get(nowMs) !== undefined;
  }

  claim({ leaseMs, opId }: CheckWish, { processId, nowMs }: LeaseHolder): CheckJob | undefined {
    const row = opId === undefined ? this.#due.get(nowMs) : this.#one.get(nowMs, opId);
    if (row === undefined) return undefined;
    const [n, , attempt, , firstUnknownMs, checks, dueMs, alarmedMs] = row as SqlRow;
    const lease = [n, attempt, firstUnknownMs, checks, dueMs, alarmedMs] as const;
    this.#lease.change(...(lease as SqlRow), processId, nowMs + leaseMs, nowMs);
    return toJob(row, nowMs);
  }

  /** The state of the operation when the lease is this process's; undefined otherwise. */
  finish(n: number, done: CheckDone, processId: string): string | undefined {
    const state = this.#holder.get(n, done.attempt, processId)?.[0];
    if (state === undefined) return undefined;
    if (state === 'UNKNOWN' || state === 'DISPATCHING') {
      this.#finish.change(done.checks, done.dueMs, done.alarmedMs ?? null, n);
    } else this.#drop.change(n);
    return state as string;
  }
}

function toJob(row: SqlRow, nowMs: number): CheckJob {
  return {
    opId: row[1] as string,
    attempt: row[2] as number,
    unknownSinceMs: row[3] as number,
    firstUnknownMs: row[4] as number,
    checks: row[5] as number,
    alarmedMs: (row[7] as number | null) ?? undefined,
    nowMs,
  };
}
