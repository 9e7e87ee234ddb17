// Files that are on the disk, whole, when the call returns; only their owner can read them.
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes a new file; throws when there is one. */
export function writeDurably(path: string, text: string | Buffer): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Puts a file in place of the old one: whoever reads sees one of the two, also after a crash. */
export function replaceDurably(path: string, text: string): void {
  const temporary = temporaryName(path);
  try {
    writeDurably(temporary, text);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/** A name beside the file that nobody else uses. */
export const temporaryName = (path: string): string =>
  `${path}.${randomBytes(8).toString('hex')}.tmp`;

/** Makes names in a folder durable; Windows does it by itself. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
