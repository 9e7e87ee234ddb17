// Compiled code is kept between starts, in the user's own state folder: half of a start is compiling.
import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { readEnvironment } from '../config/environment.ts';
import { stateFolder } from '../config/state-folder.ts';

/** Never fails: a folder that cannot be made only costs time. */
export function keepCompiledCode(): void {
  try {
    const folder = join(stateFolder(readEnvironment()), 'compile-cache');
    // Nobody else may put code there.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    enableCompileCache(folder);
  } catch {
    // Started without a cache.
  }
}
