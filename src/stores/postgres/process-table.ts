// Processes that use the database now.
import type { ProcessIdentity } from '../store.ts';
import type { Answer } from './connection.ts';
import type { Statement } from './statement.ts';

export interface RegisteredProcess extends ProcessIdentity {
  readonly heartbeatMs: number;
}

/** Locked, so that a dead one is buried by one of those who start. */
export const lockProcesses: Statement = {
  sql: `SELECT process_id, host, boot_id, pid, pid_start, heartbeat_ms
    FROM intentplane.process ORDER BY process_id FOR UPDATE`,
};

export function toProcesses({ rows }: Answer): readonly RegisteredProcess[] {
  return rows.map((row) => ({
    processId: row[0] as string,
    host: row[1] as string,
    bootId: row[2] as string,
    pid: row[3] as number,
    pidStart: row[4] as string,
    heartbeatMs: row[5] as number,
  }));
}

/** Registers the process, or says that it still lives. */
export function putProcess(
  { processId, host, bootId, pid, pidStart }: ProcessIdentity,
  heartbeat: { readonly heartbeatMs: number; readonly schemaVersion: number },
): Statement {
  return {
    sql: `INSERT INTO intentplane.process
        (process_id, host, boot_id, pid, pid_start, heartbeat_ms, schema_version)
      VALUES ($1, $2, $3, $4, $5, $6::bigint, $7)
      ON CONFLICT (process_id) DO UPDATE SET heartbeat_ms = $6::bigint`,
    values: [
      ...[processId, host, bootId, pid, pidStart],
      ...[heartbeat.heartbeatMs, heartbeat.schemaVersion],
    ],
    expect: 1,
  };
}

export function removeProcesses(processIds: readonly string[]): Statement {
  return {
    sql: 'DELETE FROM intentplane.process WHERE process_id = ANY ($1::text[])',
    values: [processIds],
  };
}

/** Nobody asks about a commit of an hour ago any more. */
export const forgetBatches: Statement = {
  sql: `DELETE FROM intentplane.batch WHERE created < now() - interval '1 hour'`,
};
