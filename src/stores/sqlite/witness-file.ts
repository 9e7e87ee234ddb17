// The memory of a witness in a SQLite file of its own.
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../store.ts';
import type { WitnessedCheckpoint, WitnessStore } from '../witness-store.ts';
import { prepareFile } from './check-file.ts';
import { toStoreError } from './sqlite-error.ts';
import { Statement } from './statement.ts';

/** Another process may be writing: 5 s. */
const timeoutMs = 5_000;
/** Marks the file as a witness's, so that no other database is taken for one. */
const applicationId = 0x69_70_77_31;

/** Opens or makes the file; throws `StoreError`. */
export function openWitnessFile(path: string): WitnessStore {
  prepareFile(path);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: timeoutMs });
    prepareTable(database, path);
    return new WitnessFile(database);
  } catch (error) {
    database?.close();
    throw toStoreError(error);
  }
}

function prepareTable(database: DatabaseSync, path: string): void {
  const found = Number(database.prepare('PRAGMA application_id').get()?.['application_id']);
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() === undefined;
  if (found !== applicationId && !isEmpty) {
    throw new StoreError('STORE_FAILED', `\`${path}\` is a database of something else`);
  }
  // What was answered must survive a power loss: an older size would be cosigned twice.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec(`BEGIN IMMEDIATE;
    PRAGMA application_id = ${applicationId};
    CREATE TABLE IF NOT EXISTS seen (
      origin TEXT PRIMARY KEY,
      size INTEGER NOT NULL,
      root BLOB NOT NULL CHECK (length(root) = 32),
      note TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    COMMIT`);
}

class WitnessFile implements WitnessStore {
  readonly #database: DatabaseSync;
  readonly #read: Statement;
  readonly #put: Statement;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#read = new Statement(database, 'SELECT size, root, note FROM seen WHERE origin = ?');
    this.#put = new Statement(
      database,
      `INSERT INTO seen (origin, size, root, note) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT (origin) DO UPDATE SET size = ?2, root = ?3, note = ?4`,
    );
  }

  read(origin: string): WitnessedCheckpoint | undefined {
    try {
      return this.#find(origin);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  advance<T>(
    origin: string,
    next: (seen: WitnessedCheckpoint | undefined) => {
      readonly keep?: WitnessedCheckpoint;
      readonly answer: T;
    },
  ): T {
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      const { keep, answer } = next(this.#find(origin));
      if (keep !== undefined) this.#put.change(origin, keep.size, keep.root, keep.note);
      this.#database.exec('COMMIT');
      return answer;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw toStoreError(error);
    }
  }

  close(): void {
    this.#database.close();
  }

  #find(origin: string): WitnessedCheckpoint | undefined {
    const row = this.#read.get(origin);
    if (row === undefined) return undefined;
    const [size, root, note] = row as [number, Uint8Array, string];
    return { size, root, note };
  }
}
