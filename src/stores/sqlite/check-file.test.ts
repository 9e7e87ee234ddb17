import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { StoreError } from '../store.ts';
import { networkFileSystem, prepareFile } from './check-file.ts';

describe('prepareFile', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'store-'));
    path = join(folder, 'store.db');
  });
  afterEach(() => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true });
  });
  const refusal = (at = path): string => {
    try {
      prepareFile(at);
    } catch (error) {
      if (error instanceof StoreError && error.code === 'STORE_NOT_WRITABLE') return error.message;
      throw error;
    }
    return 'none';
  };

  it('makes a file that only its owner reads, and takes it again', () => {
    prepareFile(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    prepareFile(path);
  });

  verifies('EXE-23', 'refuses a file or folder that is open to others, with the fix', () => {
    prepareFile(path);
    chmodSync(path, 0o640);
    expect(refusal()).toBe(`the store \`${path}\` is open to others: chmod 600 ${path}`);
    chmodSync(path, 0o600);
    chmodSync(folder, 0o750);
    expect(refusal()).toBe(`the folder \`${folder}\` is open to others: chmod 700 ${folder}`);
  });

  it('refuses a file or folder that cannot be written, with the fix', () => {
    writeFileSync(path, '', { mode: 0o400 });
    // Another user than root is stopped by the system already, with another sentence.
    expect(refusal()).toMatch(/not writable: chmod 600|cannot be opened for writing/);
    rmSync(path, { force: true });
    chmodSync(folder, 0o500);
    expect(refusal()).toBe(`the folder \`${folder}\` is not writable: chmod 700 ${folder}`);
    expect(existsSync(path)).toBe(false);
  });

  it('refuses a folder that is missing, and what is no folder or no file', () => {
    expect(refusal(join(folder, 'missing', 'store.db'))).toContain('missing` cannot be read');
    prepareFile(path);
    expect(refusal(join(path, 'store.db'))).toContain('is no folder');
    mkdirSync(join(folder, 'other'));
    expect(refusal(join(folder, 'other'))).toContain('cannot be opened for writing');
    expect(refusal('/dev/null')).not.toBe('none');
  });
});

describe('networkFileSystem', () => {
  verifies('EXE-23', 'names file systems that share no memory between machines', () => {
    expect(networkFileSystem(0x6969)).toBe('NFS');
    expect(networkFileSystem(0xfe534d42)).toBe('SMB2');
    expect(networkFileSystem(0xef53)).toBeUndefined();
  });
});
