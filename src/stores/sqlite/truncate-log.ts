// Empties the write-ahead log: until then it holds pages as they were before values were erased.
import type { DatabaseSync } from 'node:sqlite';
import { isBusy } from './sqlite-error.ts';

const pauseMs = 20;

/** False when another process kept using it for so long. */
export async function truncateLog(database: DatabaseSync, waitMs: number): Promise<boolean> {
  const untilMs = performance.now() + waitMs;
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
