// Every key that a log had, as its own leaves tell it.
import type { Config } from '../config/config.ts';
import { formatVerifierKey } from '../receipts/verifier-key.ts';
import type { Store } from '../stores/store.ts';
import { readLogKeys } from './log-keys.ts';
import { openField, readSections } from './log-sections.ts';

/** One key. */
export interface LogKeyRow {
  /** Eight hex digits, as in signature lines. */
  readonly keyId: string;
  /** The one-line text of the key. */
  readonly key: string;
  /** `next` signs beside the current one until it replaces it. */
  readonly status: 'retired' | 'current' | 'next';
  /** `seq` of the leaf that introduced it; undefined for the first one. */
  readonly since: number | undefined;
  /** `seq` of the last leaf that trees signed by it may hold; undefined when it is believed. */
  readonly distrustedAfter: number | undefined;
}

/** In the order in which they came. */
export async function listLogKeys(
  config: Config,
  { store, origin }: { readonly store: Store; readonly origin: string },
): Promise<readonly LogKeyRow[]> {
  const signing = readLogKeys(config, origin).flatMap((each) => each?.key ?? []);
  const [current, next] = signing.map(formatVerifierKey);
  const leaves = (await readSections(store)).at(-1)?.keyLeaves ?? [];
  const since = new Map<string, number | undefined>();
  const distrusted = new Map<string, number>();
  const note = (key: string, seq: number | undefined): void => {
    if (!since.has(key)) since.set(key, seq);
  };
  for (const leaf of leaves) {
    if (leaf.type === 'key.rotate') {
      note(String(openField(leaf, 'old_key')), undefined);
      note(String(openField(leaf, 'new_key')), leaf.seq);
    } else {
      const [key, after] = [String(openField(leaf, 'key')), Number(openField(leaf, 'after'))];
      distrusted.set(key, Math.min(after, distrusted.get(key) ?? after));
    }
  }
  for (const key of [current, next]) if (key !== undefined) note(key, undefined);
  return [...since].map(([key, seq]) => ({
    keyId: key.split('+')[1] ?? '',
    key,
    status: key === current ? 'current' : key === next ? 'next' : 'retired',
    since: seq,
    distrustedAfter: distrusted.get(key),
  }));
}
