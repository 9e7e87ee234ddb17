// One write transaction: the lock, the state of the log under it, and the rows it may change.
import type { DatabaseSync } from 'node:sqlite';
import type { AppendStamp } from '../../core/log-append.ts';
import { configStamp } from '../config-stamp.ts';
import { createSaltSource } from '../salt-source.ts';
import { StoreError, type StoreSettings } from '../store.ts';
import { newerStore, schemaVersion } from './migrate.ts';
import { SqliteRows } from './sqlite-rows.ts';
import { Statement } from './statement.ts';
import type { Tables } from './tables.ts';
import type { WriteTransaction } from './write-queue.ts';

export class SqliteTransaction implements WriteTransaction {
  readonly #database: DatabaseSync;
  readonly #tables: Tables;
  readonly #settings: StoreSettings;
  readonly #salts: () => Uint8Array;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #savepoint: Statement;
  readonly #release: Statement;
  readonly #version: Statement;
  #rows: SqliteRows | undefined;
  #stamp: string | undefined;
  #hasNeighbour = false;

  constructor(database: DatabaseSync, tables: Tables, settings: StoreSettings) {
    this.#database = database;
    this.#tables = tables;
    this.#settings = settings;
    this.#salts = createSaltSource(settings.random);
    // A deferred transaction that turns into a writer fails at once in spite of every timeout.
    this.#begin = new Statement(database, 'BEGIN IMMEDIATE');
    this.#commit = new Statement(database, 'COMMIT');
    this.#savepoint = new Statement(database, 'SAVEPOINT one');
    this.#release = new Statement(database, 'RELEASE one');
    this.#version = new Statement(database, 'PRAGMA user_version');
  }

  get hasNeighbour(): boolean {
    return this.#hasNeighbour;
  }

  /** Rows of the transaction that runs now. */
  get rows(): SqliteRows {
    if (this.#rows === undefined) throw new StoreError('STORE_FAILED', 'no transaction is open');
    return this.#rows;
  }

  begin(): void {
    this.#begin.run();
    const version = this.#version.get()?.[0] as number;
    if (version > schemaVersion) throw newerStore(version);
    const { log, processes } = this.#tables;
    log.begin();
    const clockMs = this.#settings.nowMs();
    this.#hasNeighbour = processes.hasNeighbour(this.#settings.identity.processId, clockMs);
    const stamp = (): string => this.#configStamp();
    const leafStamp: AppendStamp = {
      ts: Math.max(clockMs, log.lastMs),
      gw: this.#settings.gatewayVersion,
      // Read late: the first transaction makes the secret before its first leaf.
      get config() {
        return stamp();
      },
      salts: this.#salts,
    };
    this.#rows = new SqliteRows(this.#tables, leafStamp, clockMs);
  }

  #configStamp(): string {
    if (this.#stamp === undefined) {
      const secret = this.#tables.meta.read()?.secret;
      if (secret === undefined) throw new StoreError('STORE_FAILED', 'the store has no secret');
      this.#stamp = configStamp(secret, this.#settings.configDigest);
    }
    return this.#stamp;
  }

  commit(): void {
    this.#tables.log.finish(this.rows.nowMs);
    this.#commit.run();
    this.#rows = undefined;
  }

  // The database undoes a transaction by itself after some errors; a second undo would throw.
  rollback(): void {
    this.#rows = undefined;
    // The secret may have been made in this transaction.
    this.#stamp = undefined;
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
  }

  isolated<T>(work: () => T): T {
    const { log } = this.#tables;
    const { frontier } = log;
    this.#savepoint.run();
    try {
      const value = work();
      this.#release.run();
      return value;
    } catch (error) {
      log.restore(frontier);
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK TO one; RELEASE one');
      throw error;
    }
  }
}
