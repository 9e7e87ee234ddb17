// Empties the write-ahead log: until then it holds pages as they were before values were erased.
import type { DatabaseSync } from 'node:sqlite';
import { isBusy } from './sqlite-error.ts';

/** How long another process that reads or writes is waited for: 5 s. */
const waitMaxMs = 5_000;
const pauseMs = 20;

/** False when another process kept using it all the time. */
export async function truncateLog(database: DatabaseSync): Promise<boolean> {
  const untilMs = performance.now() + waitMaxMs;
  for (;;) {
    if (tryTruncate(database)) return true;
    if (performance.now() > untilMs) return false;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

function tryTruncate(database: DatabaseSync): boolean {
  try {
    const row = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
    return row?.['busy'] === 0;
  } catch (error) {
    if (!isBusy(error)) throw error;
    return false;
  }
}
