// A whole copy of a store that is about to get other tables.
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/** At `<path>.v<version>`, mode 0600, unless an earlier try left one there. Nothing is open on the database. */
export function copyBeforeMigration(database: DatabaseSync, path: string, version: number): void {
  const to = `${path}.v${version}`;
  if (existsSync(to)) return;
  const temporary = `${to}.${randomBytes(8).toString('hex')}.tmp`;
  closeSync(openSync(temporary, 'wx', 0o600));
  try {
    database.exec(`VACUUM INTO '${temporary.replaceAll("'", "''")}'`);
    renameSync(temporary, to);
  } finally {
    rmSync(temporary, { force: true });
  }
}
