// Processes that use the file now.
import type { DatabaseSync } from 'node:sqlite';
import { leaseMs } from '../lease.ts';
import type { ProcessIdentity } from '../store.ts';
import { type SqlRow, Statement } from './statement.ts';

export interface RegisteredProcess extends ProcessIdentity {
  readonly heartbeatMs: number;
}

export class ProcessTable {
  readonly #all: Statement;
  readonly #put: Statement;
  readonly #remove: Statement;
  readonly #hasNeighbour: Statement;

  constructor(database: DatabaseSync) {
    const statement = (sql: string): Statement => new Statement(database, sql);
    this.#all = statement(
      'SELECT process_id, host, boot_id, pid, pid_start, heartbeat_ms FROM process',
    );
    this.#put = statement(
      `INSERT INTO process (process_id, host, boot_id, pid, pid_start, heartbeat_ms)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (process_id) DO UPDATE SET heartbeat_ms = ?6`,
    );
    this.#remove = statement('DELETE FROM process WHERE process_id = ?');
    this.#hasNeighbour = statement(
      'SELECT EXISTS (SELECT 1 FROM process WHERE process_id <> ? AND heartbeat_ms > ?)',
    );
  }

  all(): readonly RegisteredProcess[] {
    return this.#all.all().map(toProcess);
  }

  /** Registers the process, or says that it still lives. */
  put(process: ProcessIdentity, heartbeatMs: number): void {
    const { processId, host, bootId, pid, pidStart } = process;
    this.#put.change(processId, host, bootId, pid, pidStart, heartbeatMs);
  }

  remove(processId: string): void {
    this.#remove.run(processId);
  }

  hasNeighbour(processId: string, nowMs: number): boolean {
    return this.#hasNeighbour.get(processId, nowMs - leaseMs)?.[0] === 1;
  }
}

function toProcess([
  processId,
  host,
  bootId,
  pid,
  pidStart,
  heartbeatMs,
]: SqlRow): RegisteredProcess {
  return {
    processId: processId as string,
    host: host as string,
    bootId: bootId as string,
    pid: pid as number,
    pidStart: pidStart as string,
    heartbeatMs: heartbeatMs as number,
  };
}
