// What the database itself finds wrong with its pages.
import type { DatabaseSync } from 'node:sqlite';

/** Above this a start would wait too long: what it reads of the file is checked by hashes anyway. 1 GiB. */
const quickMaxBytes = 1_073_741_824;

/** First fault in its own words; undefined when there is none, or the file is too large for a quick look. */
export function findFileFault(
  database: DatabaseSync,
  how: 'quick' | 'full',
  quickMax: number = quickMaxBytes,
): string | undefined {
  if (how === 'quick' && sizeBytes(database) > quickMax) return undefined;
  const pragma = how === 'quick' ? 'quick_check' : 'integrity_check';
  const words = String(database.prepare(`PRAGMA ${pragma}(1)`).get()?.[pragma]);
  return words === 'ok' ? undefined : words;
}

function sizeBytes(database: DatabaseSync): number {
  const read = (name: string): number => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
  return read('page_count') * read('page_size');
}
