// A copy of the store that is whole, made while gateways write to it. Neither keys nor the guard are
// in it: they lie beside the store, never in it.

import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { StoreError } from '../store.ts';
import type { BackupReport } from '../store-admin.ts';
import { LogTable } from './log-table.ts';
import { checkStore, schemaVersion, versionOf } from './migrate.ts';
import { toStoreError } from './sqlite-error.ts';

/** All pages in one step: in several, a gateway that writes in between would begin it anew each time. */
const allPages = 2_147_483_647;
const busyTimeoutMs = 5_000;

/** Throws `StoreError`; then there is no file at `to`. */
export async function backupDatabase(from: string, to: string): Promise<BackupReport> {
  if (!existsSync(from)) throw refused(`there is no store at \`${from}\``);
  if (existsSync(to)) throw refused(`\`${to}\` exists: name a file that does not`);
  const temporary = `${to}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    createPrivately(temporary);
    await copy(from, temporary);
    const tree = checkCopy(temporary);
    syncAndPlace(temporary, to);
    return { sizeBytes: statSync(to).size, ...tree };
  } catch (error) {
    throw toStoreError(error);
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) {
      rmSync(`${temporary}${suffix}`, { force: true });
    }
  }
}

function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
    chmodSync(path, 0o600);
  } catch (error) {
    throw refused(`\`${dirname(path)}\` cannot be written: name a file in another folder`, error);
  }
}

async function copy(from: string, to: string): Promise<void> {
  // Nothing is migrated here: a copy before an update is what it is for.
  const source = new DatabaseSync(from, { readOnly: true, timeout: busyTimeoutMs });
  try {
    checkStore(source, from);
    await backup(source, to, { rate: allPages });
  } finally {
    source.close();
  }
}

/** Size and root of the log in the copy, after its pages and its log were checked. */
function checkCopy(path: string): Pick<BackupReport, 'size' | 'root'> {
  const database = new DatabaseSync(path);
  try {
    // One file instead of three; the next start sets it back.
    database.exec('PRAGMA journal_mode = DELETE');
    const found = database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'];
    if (found !== 'ok') {
      throw new StoreError(
        'STORE_FAILED',
        `the copy is damaged (${String(found)}): check the disk`,
      );
    }
    if (versionOf(database) !== schemaVersion) return readTree(database);
    const log = new LogTable(database);
    const tree = log.readTree();
    log.checkRootAt(tree.size, tree.root);
    return tree;
  } finally {
    database.close();
  }
}

/** Of a store whose tables this program would migrate first. */
function readTree(database: DatabaseSync): Pick<BackupReport, 'size' | 'root'> {
  const row = database.prepare('SELECT size, root FROM log_state').get();
  return {
    size: Number(row?.['size'] ?? 0),
    root: (row?.['root'] ?? new Uint8Array()) as Uint8Array,
  };
}

/** A link never replaces a file that somebody made meanwhile. */
function syncAndPlace(temporary: string, to: string): void {
  sync(temporary, 'r+');
  try {
    linkSync(temporary, to);
  } catch (error) {
    throw refused(`\`${to}\` cannot be made: name a file that does not exist`, error);
  }
  if (process.platform !== 'win32') sync(dirname(to), 'r');
}

function sync(path: string, flags: string): void {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function refused(message: string, cause?: unknown): StoreError {
  return new StoreError('STORE_NOT_WRITABLE', message, { cause });
}
