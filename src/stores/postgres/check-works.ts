// Look-ups of operations whose outcome nobody knows, as jobs that one process at a time holds.
import { firstCheckAfterMs } from '../../core/moves/next-check.ts';
import { noWrites } from '../../core/moves/writes.ts';
import type { CheckDone, CheckJob, CheckWish } from '../check-job.ts';
import type { Read } from './read-stored.ts';
import type { SqlRow, Statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

/** A process and the time of the store as it sees it. */
export interface LeaseHolder {
  readonly processId: string;
  readonly nowMs: number;
}

// Another attempt is looked for anew; how long the operation is UNKNOWN already stays known.
const dueMs = `CASE WHEN j.attempt = o.attempt THEN j.due_ms ELSE o.moved_ms + ${firstCheckAfterMs} END`;
const unknown = `FROM intentplane.operation o
  LEFT JOIN intentplane.check_job j ON j.op_id = o.op_id
  WHERE o.state = 'UNKNOWN' AND coalesce(j.lease_until_ms, 0) <= $1::bigint`;

/** Only a read: whether it is worth a transaction to claim one. */
export function isCheckDue(nowMs: number): Read<boolean> {
  return {
    sql: `SELECT EXISTS (SELECT 1 ${unknown} AND ${dueMs} <= $1::bigint)`,
    values: [nowMs],
    toRow: ([isDue]) => isDue === true,
  };
}

/** Rows that another process is looking at are skipped; one that it took just before is left to it. */
function leaseOne({ leaseMs, opId }: CheckWish, { processId, nowMs }: LeaseHolder): Statement {
  const which = opId === undefined ? `${dueMs} <= $1::bigint` : 'o.op_id = $4';
  return {
    sql: `INSERT INTO intentplane.check_job AS c (op_id, attempt, first_unknown_ms, checks, due_ms,
        alarmed_ms, lease_owner, lease_until_ms)
      SELECT o.op_id, o.attempt, coalesce(j.first_unknown_ms, o.moved_ms),
        CASE WHEN j.attempt = o.attempt THEN j.checks ELSE 0 END, ${dueMs}, j.alarmed_ms,
        $2::text, $1::bigint + $3::bigint
      ${unknown} AND ${which}
      ORDER BY ${dueMs}, o.n LIMIT 1 FOR UPDATE OF o SKIP LOCKED
      ON CONFLICT (op_id) DO UPDATE SET attempt = excluded.attempt, checks = excluded.checks,
        due_ms = excluded.due_ms, lease_owner = excluded.lease_owner,
        lease_until_ms = excluded.lease_until_ms
        WHERE c.lease_until_ms <= $1::bigint
          AND (c.attempt <> excluded.attempt OR c.checks = excluded.checks)
      RETURNING c.op_id, c.attempt, c.first_unknown_ms, c.checks, c.alarmed_ms,
        (SELECT o.moved_ms FROM intentplane.operation o WHERE o.op_id = c.op_id)`,
    values: [nowMs, processId, leaseMs, ...(opId === undefined ? [] : [opId])],
  };
}

export async function claimCheck(
  transaction: Transaction,
  wish: CheckWish,
  holder: LeaseHolder,
): Promise<CheckJob | undefined> {
  const [answer] = await transaction.write([leaseOne(wish, holder)]);
  const row = answer?.rows[0];
  return row === undefined ? undefined : toJob(row, holder.nowMs);
}

function toJob(row: SqlRow, nowMs: number): CheckJob {
  return {
    opId: row[0] as string,
    attempt: row[1] as number,
    firstUnknownMs: row[2] as number,
    checks: row[3] as number,
    alarmedMs: (row[4] as number | null) ?? undefined,
    unknownSinceMs: row[5] as number,
    nowMs,
  };
}

/** False when the lease is another process's, or the operation is not UNKNOWN any more. */
export async function finishCheck(
  transaction: Transaction,
  { opId, attempt, checks, dueMs: nextMs, alarmedMs, leaves }: CheckDone,
  processId: string,
): Promise<boolean> {
  const [held] = await transaction.write([
    {
      sql: `SELECT o.state FROM intentplane.check_job j
        JOIN intentplane.operation o ON o.op_id = j.op_id
        WHERE j.op_id = $1 AND j.attempt = $2 AND j.lease_owner = $3 FOR UPDATE OF j`,
      values: [opId, attempt, processId],
    },
  ]);
  const state = held?.rows[0]?.[0];
  if (state === undefined) return false;
  const isOpen = state === 'UNKNOWN' || state === 'DISPATCHING';
  await transaction.write([
    isOpen
      ? {
          sql: `UPDATE intentplane.check_job SET checks = $2, due_ms = $3, alarmed_ms = $4,
            lease_owner = NULL, lease_until_ms = 0 WHERE op_id = $1`,
          values: [opId, checks, nextMs, alarmedMs ?? null],
          expect: 1,
        }
      : { sql: 'DELETE FROM intentplane.check_job WHERE op_id = $1', values: [opId] },
  ]);
  if (state !== 'UNKNOWN') return false;
  if (leaves.length > 0) {
    await transaction.change({}, (rows) => rows.apply({ ...noWrites, leaves }));
  }
  return true;
}
