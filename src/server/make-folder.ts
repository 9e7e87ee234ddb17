// Makes the folder of keys and store, step by step: the recursive call of Node never returns where a
// parent cannot be made, as below `/proc`.
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../stores/store.ts';

/** Parents that may be missing; a path is never deeper than this. */
const depthMax = 64;

/** For this user alone. Throws `STORE_NOT_WRITABLE` with the path and the fix. */
export function makeFolder(path: string): void {
  for (const folder of missingFolders(path)) makeOne(folder, path);
}

/** Outermost first. */
function missingFolders(path: string): readonly string[] {
  const missing: string[] = [];
  for (let folder = path; missing.length < depthMax && !isThere(folder, path); ) {
    missing.unshift(folder);
    folder = dirname(folder);
  }
  return missing;
}

function isThere(folder: string, path: string): boolean {
  try {
    if (statSync(folder).isDirectory()) return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw refused(folder, path, error);
  }
  throw refused(folder, path, undefined);
}

function makeOne(folder: string, path: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    const isMade = (error as NodeJS.ErrnoException).code === 'EEXIST' && isThere(folder, path);
    if (!isMade) throw refused(folder, path, error);
  }
}

function refused(folder: string, path: string, cause: unknown): StoreError {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  const why = code === undefined ? 'is no folder' : `cannot be made (${code})`;
  const what = folder === path ? `\`${path}\`` : `\`${folder}\`, which should hold \`${path}\`,`;
  const message = `the data folder ${what} ${why}: name another one in gateway.data`;
  return new StoreError('STORE_NOT_WRITABLE', message, { cause });
}
