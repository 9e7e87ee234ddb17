// Opens the database file with the settings that durability rests on, and proves that they hold.
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../store.ts';
import { prepareFile } from './check-file.ts';
import { checkStore, migrate } from './migrate.ts';
import { toStoreError } from './sqlite-error.ts';

/** Another process may be writing or migrating while this one opens: 5 s. */
const openTimeoutMs = 5_000;

/** Each setting with the value that must be read back. */
const settings: readonly (readonly [name: string, value: string | number, readBack: unknown])[] = [
  ['journal_mode', 'WAL', 'wal'],
  // NORMAL would lose the last commits on power loss.
  ['synchronous', 'FULL', 2],
  ['foreign_keys', 'ON', 1],
  ['trusted_schema', 'OFF', 0],
  // Erased values leave the file, not only the table.
  ['secure_delete', 'ON', 1],
  ['temp_store', 'MEMORY', 2],
  // 8 MiB of pages: the rest is the system's cache, and the process stays small.
  ['cache_size', -8_192, -8_192],
  ['journal_size_limit', 67_108_864, 67_108_864],
  // Pages after which a commit also copies the log into the file: longer runs write hot pages once.
  ['wal_autocheckpoint', 2_000, 2_000],
];

/** Throws `StoreError`: `STORE_NOT_WRITABLE`, `STORE_NEWER` or `STORE_FAILED`. */
export function openDatabase(path: string): DatabaseSync {
  prepareFile(path);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: openTimeoutMs });
    // Before the first setting: the journal mode is written into the file.
    checkStore(database, path);
    for (const setting of settings) applySetting(database, setting);
    migrate(database, path);
    // From here on a lock is waited for without blocking the thread.
    database.exec('PRAGMA busy_timeout = 0');
    return database;
  } catch (error) {
    database?.close();
    throw toStoreError(error);
  }
}

/** Throws `STORE_FAILED` when the database does not say what it was told. */
export function applySetting(
  database: DatabaseSync,
  [name, value, readBack]: (typeof settings)[number],
): void {
  database.exec(`PRAGMA ${name} = ${value}`);
  const row = database.prepare(`PRAGMA ${name}`).get();
  const found = row === undefined ? undefined : Object.values(row)[0];
  if (found !== readBack) {
    throw new StoreError('STORE_FAILED', `the database has ${name} = ${found}, not ${value}`);
  }
}
