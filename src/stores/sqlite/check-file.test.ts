import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
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
import { checkFileSystem, networkFileSystem, prepareFile } from './check-file.ts';

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

  it('refuses a file or folder of somebody else', (test) => {
    const self = process.geteuid?.() ?? 1;
    if (self !== 0) test.skip('only the administrator can give a file away');
    prepareFile(path);
    chownSync(path, 12_345, 12_345);
    expect(refusal()).toBe(`\`${path}\` belongs to user 12345: this process runs as 0`);
    chownSync(folder, 12_345, 12_345);
    expect(refusal()).toContain(`\`${folder}\` belongs to user 12345`);
    chownSync(folder, 0, 0);
  });

  it('refuses a file system that is mounted read-only', (test) => {
    const mount = (...options: string[]): boolean =>
      spawnSync('/bin/mount', [...options, folder]).status === 0;
    if (!mount('-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs')) {
      test.skip('only the administrator can mount a file system');
    }
    try {
      prepareFile(path);
      expect(mount('-o', 'remount,ro')).toBe(true);
      expect(refusal()).toBe(`the store \`${path}\` cannot be opened for writing`);
    } finally {
      spawnSync('/bin/umount', [folder]);
    }
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

  it('decides by the table, whatever lies in the folder', (test) => {
    if (process.platform !== 'linux') test.skip('other systems give no such number');
    const decide = (type: number): string => {
      try {
        checkFileSystem('/data', () => type);
        return 'taken';
      } catch (error) {
        return (error as StoreError).message;
      }
    };
    const refused: readonly (readonly [number, string])[] = [
      ...([
        [0x6969, 'NFS'],
        [0x517b, 'SMB'],
        [0xff534d42, 'CIFS'],
        [0xfe534d42, 'SMB2'],
      ] as const),
      ...([
        [0x01021997, '9P'],
        [0x00c36400, 'Ceph'],
        [0x0bd00bd0, 'Lustre'],
      ] as const),
      ...([
        [0x01161970, 'GFS2'],
        [0x19830326, 'BeeGFS'],
        [0x47504653, 'GPFS'],
      ] as const),
    ];
    for (const [type, name] of refused) {
      expect(decide(type)).toBe(
        `\`/data\` lies on ${name}: choose a folder on a disk of this machine`,
      );
    }
    const ext4 = 0xef53;
    const [xfs, btrfs, tmpfs, overlay] = [0x58465342, 0x9123683e, 0x01021994, 0x794c7630];
    for (const type of [ext4, xfs, btrfs, tmpfs, overlay, 0x65735546]) {
      expect(decide(type)).toBe('taken');
    }
  });
});
