// The one row that makes a store this store.
import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../store.ts';
import { Statement } from './statement.ts';

export interface StoreIdentity {
  readonly origin: string;
  readonly secret: Uint8Array;
}

export class MetaTable {
  readonly #read: Statement;
  readonly #insert: Statement;
  readonly #rename: Statement;

  constructor(database: DatabaseSync) {
    this.#read = new Statement(database, 'SELECT origin, secret FROM meta');
    this.#insert = new Statement(
      database,
      'INSERT INTO meta (id, origin, secret) VALUES (1, ?, ?)',
    );
    this.#rename = new Statement(database, 'UPDATE meta SET origin = ?');
  }

  read(): StoreIdentity | undefined {
    const row = this.#read.get();
    if (row === undefined) return undefined;
    const [origin, secret] = row as [string, Uint8Array];
    return { origin, secret };
  }

  /** Of a store that was started. */
  get origin(): string {
    const identity = this.read();
    if (identity === undefined) throw new StoreError('STORE_FAILED', 'the store has no origin');
    return identity.origin;
  }

  /** After a restart under another origin. */
  rename(origin: string): void {
    this.#rename.change(origin);
  }

  insert({ origin, secret }: StoreIdentity): void {
    this.#insert.change(origin, secret);
  }
}
