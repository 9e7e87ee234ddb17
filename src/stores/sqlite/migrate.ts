// Brings the tables of a store to the version that this program knows.
import { readdirSync, readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../store.ts';
import { copyBeforeMigration } from './copy-before-migration.ts';

const folder = new URL('./migrations/', import.meta.url);

const migrations: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .sort();

/** Version of the tables after all migrations. */
export const schemaVersion: number = migrations.length;

/** Runs what is missing, all in one transaction; a store that has something is copied first. */
export function migrate(database: DatabaseSync, path: string): void {
  const version = versionOf(database);
  if (version === schemaVersion) return;
  if (version > 0) copyBeforeMigration(database, path, version);
  database.exec('BEGIN IMMEDIATE');
  try {
    runMissing(database, path);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Throws for a newer store and for a file of something else; only reads. */
export function checkStore(database: DatabaseSync, path: string): void {
  const version = versionOf(database);
  if (version > schemaVersion) throw newerStore(version);
  // Read once more: another process may have made the tables between the two looks.
  if (version === 0 && hasTables(database) && versionOf(database) === 0) {
    throw new StoreError('STORE_FAILED', `\`${path}\` is a database of something else`);
  }
}

/** The version that the file has now; 0 for an empty one. */
export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}

/** Names both versions, so that the reader knows which side to update. */
export function newerStore(version: number): StoreError {
  return new StoreError(
    'STORE_NEWER',
    `the store has version ${version}, this program knows up to ${schemaVersion}: update intentplane`,
    { fatal: true },
  );
}

// The version is read again under the lock: another process may have been faster.
function runMissing(database: DatabaseSync, path: string): void {
  checkStore(database, path);
  for (const name of migrations.slice(versionOf(database))) {
    database.exec(readFileSync(new URL(name, folder), 'utf8'));
  }
  database.exec(`PRAGMA user_version = ${schemaVersion}`);
}

function hasTables(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() !== undefined;
}
