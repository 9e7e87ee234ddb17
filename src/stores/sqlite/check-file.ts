// Whether a file can be the store: private, writable, on a disk of this machine.
import { closeSync, openSync, type Stats, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../store.ts';

/**
 * Magic numbers of Linux `statfs` for file systems that share no memory between machines. FUSE is
 * not among them: what lies behind it is a disk of this machine as often as not.
 */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9P'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x7461636f, 'OCFS2'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x01161970, 'GFS2'],
  [0x19830326, 'BeeGFS'],
  [0xaad7aaea, 'PanFS'],
  [0x564c, 'NCP'],
  [0x6b414653, 'AFS'],
  [0x786f4256, 'VirtualBox shared folder'],
]);

/** Name of a file system on which the write-ahead log cannot work. */
export function networkFileSystem(type: number): string | undefined {
  return networkFileSystems.get(type);
}

/** Makes the file when it is missing; throws `STORE_NOT_WRITABLE` with the fix. */
export function prepareFile(path: string): void {
  const folder = dirname(path);
  checkFolder(folder, statOf(folder));
  checkFileSystem(folder);
  createPrivately(path);
  checkFile(path, statOf(path));
}

const isPosix = process.platform !== 'win32';
const ownerOnly = 0o077;

function checkFolder(folder: string, stats: Stats): void {
  if (!stats.isDirectory()) throw refused(`\`${folder}\` is no folder`);
  if (!isPosix) return;
  checkOwner(folder, stats);
  if ((stats.mode & 0o300) !== 0o300) {
    throw refused(`the folder \`${folder}\` is not writable: chmod 700 ${folder}`);
  }
  if ((stats.mode & ownerOnly) !== 0) {
    throw refused(`the folder \`${folder}\` is open to others: chmod 700 ${folder}`);
  }
}

function checkFile(path: string, stats: Stats): void {
  if (!stats.isFile()) throw refused(`\`${path}\` is no file`);
  if (!isPosix) return;
  checkOwner(path, stats);
  if ((stats.mode & 0o600) !== 0o600) {
    throw refused(`the store \`${path}\` is not writable: chmod 600 ${path}`);
  }
  if ((stats.mode & ownerOnly) !== 0) {
    throw refused(`the store \`${path}\` is open to others: chmod 600 ${path}`);
  }
}

function checkOwner(path: string, stats: Stats): void {
  const self = process.geteuid?.();
  if (self !== undefined && stats.uid !== self) {
    throw refused(`\`${path}\` belongs to user ${stats.uid}: this process runs as ${self}`);
  }
}

/** `typeOf` = magic number of the file system under a folder, as Linux gives it. */
export function checkFileSystem(
  folder: string,
  typeOf: (folder: string) => number = (at) => statfsSync(at).type,
): void {
  if (process.platform !== 'linux') return;
  const name = networkFileSystem(typeOf(folder));
  if (name !== undefined) {
    throw refused(`\`${folder}\` lies on ${name}: choose a folder on a disk of this machine`);
  }
}

function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw refused(`the store \`${path}\` cannot be opened for writing`, error);
  }
}

function statOf(path: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    throw refused(`\`${path}\` cannot be read: make it first`, error);
  }
}

function refused(message: string, cause?: unknown): StoreError {
  return new StoreError('STORE_NOT_WRITABLE', message, { cause });
}
