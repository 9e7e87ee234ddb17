import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fsckStore } from '../../server/fsck-store.ts';
import { OpenedStore } from '../../testing/opened-store.ts';
import { aReport } from '../../testing/store-builders.ts';
import type { StoreSettings } from '../store.ts';
import { backupDatabase } from './backup-database.ts';
import { schemaVersion } from './migrate.ts';
import { openSqliteStore } from './sqlite-store.ts';

let folder: string;
let path: string;
let to: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backup-'));
  path = join(folder, 'store.db');
  to = join(folder, 'copy.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const openAt = (at: string): Promise<OpenedStore> =>
  OpenedStore.open({
    isDurable: true,
    open: (settings: StoreSettings) => openSqliteStore(at, settings),
    remove: () => {},
  });

async function pay(opened: OpenedStore, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    const draft = opened.proposal();
    await opened.decide(draft);
    await opened.store.finish(aReport(draft));
  }
}

describe('backupDatabase', () => {
  it('copies a store that is written to meanwhile into one private file that is whole', async () => {
    const opened = await openAt(path);
    await pay(opened, 5);
    const [report] = await Promise.all([backupDatabase(path, to), pay(opened, 20)]);
    expect(statSync(to).mode & 0o777).toBe(0o600);
    expect(report.sizeBytes).toBe(statSync(to).size);
    expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual(['copy.db']);
    await opened.store.close();
    const copy = openSqliteStore(to, opened.settings);
    expect(await copy.readTree()).toEqual({ size: report.size, root: report.root });
    const { faults, leaves } = await fsckStore(copy);
    expect(faults).toEqual([]);
    expect(leaves).toBe(report.size);
    await copy.close();
  });

  it('copies a store that nobody has open, and one that would be migrated, as it is', async () => {
    const opened = await openAt(path);
    await opened.store.close();
    const { size } = await backupDatabase(path, to);
    expect(size).toBe(2);
    const older = new DatabaseSync(path);
    older.exec(`PRAGMA user_version = ${schemaVersion - 1}`);
    older.close();
    const second = join(folder, 'second.db');
    expect(await backupDatabase(path, second)).toMatchObject({ size: 2 });
    const copied = new DatabaseSync(second);
    expect(copied.prepare('PRAGMA user_version').get()).toEqual({
      user_version: schemaVersion - 1,
    });
    copied.close();
  });

  it('replaces no file, makes none from nothing, and leaves nothing behind', async () => {
    await expect(backupDatabase(path, to)).rejects.toMatchObject({
      code: 'STORE_NOT_WRITABLE',
      message: `there is no store at \`${path}\``,
    });
    const opened = await openAt(path);
    await opened.store.close();
    writeFileSync(to, 'mine');
    await expect(backupDatabase(path, to)).rejects.toThrow(`\`${to}\` exists`);
    expect(readFileSync(to, 'utf8')).toBe('mine');
    const nowhere = join(folder, 'missing', 'copy.db');
    await expect(backupDatabase(path, nowhere)).rejects.toThrow('cannot be written');
    const text = join(folder, 'text.db');
    writeFileSync(text, 'x'.repeat(5_000), { mode: 0o600 });
    const copy = join(folder, 'copy-of-text.db');
    await expect(backupDatabase(text, copy)).rejects.toMatchObject({ code: 'STORE_FAILED' });
    expect(existsSync(copy)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes('.tmp'))).toEqual([]);
  });

  it('says that a copy with a changed log is none', async () => {
    const opened = await openAt(path);
    await opened.store.close();
    const database = new DatabaseSync(path);
    database.exec('UPDATE log_state SET root = zeroblob(32)');
    database.close();
    await expect(backupDatabase(path, to)).rejects.toMatchObject({ code: 'LOG_STATE_BAD' });
    expect(existsSync(to)).toBe(false);
  });
});
