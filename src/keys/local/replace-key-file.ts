// The end of a private key: another one takes its place, and its bytes are overwritten.
import { closeSync, fstatSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from './durable-file.ts';
import { KeyFileError } from './key-file.ts';

/**
 * Puts `next` in place of `path`: whoever reads finds one of the two, also after a crash. The old
 * bytes are overwritten where they lay; what the disk or a snapshot copied elsewhere stays there.
 */
export function replaceKeyFile(path: string, next: string): void {
  const old = openOld(path);
  try {
    renameSync(next, path);
    syncFolder(dirname(path));
    // Only now: a crash before the rename must find a key that works.
    writeSync(old, Buffer.alloc(fstatSync(old).size), 0, undefined, 0);
    fsyncSync(old);
  } catch (error) {
    throw new KeyFileError('KEY_FILE_NOT_WRITABLE', path, error);
  } finally {
    closeSync(old);
  }
}

function openOld(path: string): number {
  try {
    return openSync(path, 'r+');
  } catch (error) {
    throw new KeyFileError('KEY_FILE_NOT_WRITABLE', path, error);
  }
}
