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
import { verifies } from '../../../test/requirements/verifies.ts';
import { StoreError } from '../store.ts';
import { checkStore, schemaVersion, versionOf } from './migrate.ts';
import { applySetting, openDatabase } from './open-database.ts';

describe('openDatabase', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'store-'));
    path = join(folder, 'store.db');
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const refusal = (): StoreError => {
    try {
      openDatabase(path).close();
    } catch (error) {
      if (error instanceof StoreError) return error;
      throw error;
    }
    throw new Error('it was opened');
  };

  verifies('EXE-23', 'opens with the settings that durability rests on', () => {
    const database = openDatabase(path);
    const read = (name: string): unknown =>
      Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect(read('journal_mode')).toBe('wal');
    expect(read('synchronous')).toBe(2);
    expect(read('foreign_keys')).toBe(1);
    expect(read('trusted_schema')).toBe(0);
    expect(read('secure_delete')).toBe(1);
    expect(read('busy_timeout')).toBe(0);
    expect(read('temp_store')).toBe(2);
    expect(versionOf(database)).toBe(schemaVersion);
    for (const suffix of ['', '-wal', '-shm']) {
      expect(statSync(`${path}${suffix}`).mode & 0o777).toBe(0o600);
    }
    database.close();
  });

  verifies('EXE-23', 'refuses a setting that did not become what was asked for', () => {
    const database = openDatabase(path);
    expect(() => applySetting(database, ['synchronous', 'NORMAL', 2])).toThrow(
      'the database has synchronous = 1, not NORMAL',
    );
    expect(() => applySetting(database, ['page_size', 8_192, 8_192])).toThrow(
      'the database has page_size = 4096, not 8192',
    );
    database.close();
  });

  it('opens twice, by two connections', () => {
    const [first, second] = [openDatabase(path), openDatabase(path)];
    expect(versionOf(second)).toBe(schemaVersion);
    first.close();
    second.close();
  });

  it('refuses a store that a newer version wrote, and names both versions', () => {
    const database = openDatabase(path);
    database.exec(`PRAGMA user_version = ${schemaVersion + 6}`);
    database.close();
    const before = readFileSync(path);
    expect(refusal()).toMatchObject({ code: 'STORE_NEWER', fatal: true });
    expect(refusal().message).toContain(`version ${schemaVersion + 6}`);
    expect(refusal().message).toContain(`up to ${schemaVersion}`);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('refuses a database of something else and leaves it as it is', () => {
    writeFileSync(path, '', { mode: 0o600 });
    const other = new DatabaseSync(path);
    other.exec('CREATE TABLE thing (x TEXT)');
    other.close();
    const before = readFileSync(path);
    expect(refusal()).toMatchObject({ code: 'STORE_FAILED' });
    expect(refusal().message).toContain('something else');
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  verifies('EXE-33', 'copies a store of an earlier version before it changes its tables', () => {
    writeFileSync(path, '', { mode: 0o600 });
    const earlier = new DatabaseSync(path);
    const first = new URL('./migrations/0001-start.sql', import.meta.url);
    earlier.exec(`${readFileSync(first, 'utf8')}; PRAGMA user_version = 1;
      INSERT INTO nonce VALUES ('kept', 7)`);
    earlier.close();
    openDatabase(path).close();
    openDatabase(path).close();
    const copy = new DatabaseSync(`${path}.v1`, { readOnly: true });
    expect(versionOf(copy)).toBe(1);
    expect(copy.prepare('SELECT nonce FROM nonce').get()).toEqual({ nonce: 'kept' });
    copy.close();
    expect(statSync(`${path}.v1`).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(['store.db', 'store.db.v1']);
  });

  it('takes a store that another process makes while it looks', () => {
    writeFileSync(path, '', { mode: 0o600 });
    const database = new DatabaseSync(path);
    const { prepare } = DatabaseSync.prototype;
    let isMade = false;
    database.prepare = (sql) => {
      if (!isMade && sql.includes('sqlite_master')) {
        isMade = true;
        openDatabase(path).close();
      }
      return prepare.call(database, sql);
    };
    checkStore(database, path);
    expect(isMade).toBe(true);
    database.close();
  });

  it('refuses a file that is no database', () => {
    writeFileSync(path, 'x'.repeat(5_000), { mode: 0o600 });
    expect(refusal()).toMatchObject({ code: 'STORE_FAILED', fatal: true });
  });

  it('STRICT tables and their rules hold', () => {
    const database = openDatabase(path);
    const insert = (values: string): void =>
      database.exec(
        `INSERT INTO budget (budget_id, budget_root, kind, limit_, ceiling, reserved, spent, frozen, spread)
         VALUES ('b', 'b', 'amount', ${values}, 0, 'subtree')`,
      );
    expect(() => insert(`'many', 10, 0, 0`)).toThrow();
    expect(() => insert('10, 10, 6, 5')).toThrow(/CHECK/);
    expect(() => insert('9007199254740992, 9007199254740992, 0, 0')).toThrow(/CHECK/);
    expect(() => insert('10, 10, -1, 0')).toThrow(/CHECK/);
    insert('10, 10, 5, 5');
    database.close();
  });
});
