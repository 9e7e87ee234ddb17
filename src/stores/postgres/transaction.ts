// One transaction of the writer: begin and read under locks, plan in memory, write and commit. Two
// round trips, whatever its size. It never spans a wait for anything but the server.
import { randomBytes } from 'node:crypto';
import type { AppendStamp } from '../../core/log-append.ts';
import { StoreError } from '../store.ts';
import type { Answer, Connection } from './connection.ts';
import { type Loaded, loadRows } from './load-rows.ts';
import { type LogRow, lockLog, toLogRow } from './log-state.ts';
import { newerStore, schemaVersion } from './migrate.ts';
import type { Needs } from './needs.ts';
import { PlannedRows } from './planned-rows.ts';
import { LostConnectionError, UncertainCommitError } from './postgres-error.ts';
import { enforced, type Statement } from './statement.ts';

/** What stamps the leaves of one process. */
export interface WriterContext {
  readonly nowMs: () => number;
  readonly gatewayVersion: string;
  readonly salts: () => Uint8Array;
  /** Keyed name of the configuration; known once the store has its secret. */
  readonly config: () => string;
}

// Set for the transaction alone: a pooler may give the session to somebody else afterwards. Without
// compiled plans: the server takes statements over many rows for long ones and spends 20 ms on each.
const begin: Statement = {
  sql: `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
    SET LOCAL statement_timeout = '5s'; SET LOCAL lock_timeout = '3s';
    SET LOCAL idle_in_transaction_session_timeout = '2s'; SET LOCAL jit = off`,
};
const readVersion: Statement = { sql: 'SELECT version FROM intentplane.schema_version' };
// A commit that waits for a standby must end with an answer or with the connection, not half-way.
const unlimited: Statement = { sql: 'SET LOCAL statement_timeout = 0' };

export class Transaction {
  readonly #connection: Connection;
  readonly #context: WriterContext;
  readonly #batchId = randomBytes(16).toString('hex');
  #isBegun = false;
  #isWriting = false;
  #rest: readonly Statement[] = [];

  constructor(connection: Connection, context: WriterContext) {
    this.#connection = connection;
    this.#context = context;
  }

  /** Reads; the first flight begins the transaction. */
  async read(statements: readonly Statement[]): Promise<readonly Answer[]> {
    if (this.#isBegun) return this.#connection.flight(statements);
    this.#isBegun = true;
    // INVARIANT: this row is acknowledged before a commit is sent. Whoever asks later how the commit
    // ended waits at it for this session, even when the commit is still on its way.
    const batch: Statement = {
      sql: 'INSERT INTO intentplane.batch (batch_id) VALUES ($1)',
      values: [this.#batchId],
    };
    const [, version, , ...answers] = await this.#connection.flight([
      begin,
      readVersion,
      batch,
      ...statements,
    ]);
    const found = version?.rows[0]?.[0] as number;
    if (found > schemaVersion) throw newerStore(found);
    return answers;
  }

  /** Writes at once. Nothing is sent before the transaction has begun for certain. */
  async write(statements: readonly Statement[]): Promise<readonly Answer[]> {
    if (!this.#isBegun) await this.read([]);
    this.#isWriting = true;
    return this.#connection.flight(statements);
  }

  async lockLog(): Promise<LogRow> {
    const [answer] = await this.read([lockLog]);
    return toLogRow(answer?.rows[0]);
  }

  /** Plans on rows that nobody else changes; what came of it is written with the commit. Once per transaction. */
  async change<T>(needs: Needs, plan: (rows: PlannedRows) => T): Promise<T> {
    return this.plan(needs, (fresh) => {
      const rows = fresh();
      return { rows, value: plan(rows) };
    });
  }

  /** The same for a plan that may begin anew on the rows as they were read. */
  async plan<T>(
    needs: Needs,
    work: (fresh: () => PlannedRows) => { readonly rows: PlannedRows; readonly value: T },
  ): Promise<T> {
    const loaded = await loadRows(needs, this.#context.nowMs(), (statements) =>
      this.read(statements),
    );
    const { rows, value } = work(() => this.#fresh(loaded));
    this.#rest = rows.statements();
    return value;
  }

  #fresh(loaded: Loaded): PlannedRows {
    const { nowMs, gatewayVersion, salts, config } = this.#context;
    const clockMs = nowMs();
    const stamp: AppendStamp = {
      ts: Math.max(clockMs, loaded.log.lastMs),
      gw: gatewayVersion,
      salts,
      // Read late: the first transaction makes the secret before its first leaf.
      get config() {
        return config();
      },
    };
    return PlannedRows.of(loaded, { stamp, clockMs });
  }

  /** Throws `UncertainCommitError` when nobody can tell; any other error undid everything. */
  async commit(): Promise<void> {
    if (!this.#isWriting && this.#rest.length === 0) {
      await this.rollback();
      return;
    }
    const { command } = await this.#commit();
    if (command !== 'COMMIT') throw new StoreError('STORE_CONFLICT', 'the transaction was undone');
  }

  /** In the flight of the last writes: after a failing one the server undoes the transaction by itself. */
  async #commit(): Promise<Answer> {
    const flight = [...this.#rest.map(enforced), unlimited, { sql: 'COMMIT' }];
    try {
      return (await this.#connection.flight(flight)).at(-1) as Answer;
    } catch (error) {
      if (error instanceof LostConnectionError)
        throw new UncertainCommitError(this.#batchId, error);
      throw error;
    }
  }

  /** Harmless when there is none. */
  async rollback(): Promise<void> {
    if (!this.#isBegun || this.#connection.isLost) return;
    try {
      await this.#connection.query({ sql: 'ROLLBACK' });
    } catch {
      // The connection is gone, and the transaction with it.
    }
  }
}

/**
 * Whether that transaction committed. Its row is inserted once more: this waits for a session that is
 * still about to commit, and finds the row or proves that it never comes.
 */
export async function wasCommitted(connection: Connection, batchId: string): Promise<boolean> {
  const [, answer] = await connection.flight([
    begin,
    {
      sql: 'INSERT INTO intentplane.batch (batch_id) VALUES ($1) ON CONFLICT DO NOTHING',
      values: [batchId],
    },
    { sql: 'ROLLBACK' },
  ]);
  return answer?.count === 0;
}
