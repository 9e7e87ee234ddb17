// An earlier checkpoint from a file: what a new bundle has to be consistent with.
import { readFileSync } from 'node:fs';
import { isSameHash } from '../../core/merkle.ts';
import { parsePrevious } from '../../receipts/check-previous.ts';
import type { ConsistencyEvidence } from '../../receipts/history-evidence.ts';
import type { OpenedLog } from '../../server/open-log.ts';
import { readConsistency, readRootAt } from '../../server/read-tree-nodes.ts';
import { StoreError } from '../../stores/store.ts';
import { UsageError } from '../command.ts';

/** The proof from the checkpoint in a file to the one of the log; throws when there can be none. */
export async function consistencyWith(
  log: OpenedLog,
  path: string,
  size: number,
): Promise<ConsistencyEvidence> {
  const previous = parsePrevious(readText(path));
  if (!previous.ok) throw new UsageError(`\`${path}\` is no checkpoint: ${previous.error.code}`);
  const { origin, size: oldSize, root } = previous.value.checkpoint;
  if (origin !== log.origin) {
    throw new UsageError(`\`${path}\` is of the log \`${origin}\`, this one is \`${log.origin}\``);
  }
  if (oldSize > size) {
    const sizes = `${oldSize} receipts, this log ${size}`;
    throw new StoreError('LOG_BEHIND_CHECKPOINT', `\`${path}\` has ${sizes}: the store is older`);
  }
  if (!isSameHash(await readRootAt(log.store, oldSize), root)) {
    const words = `the first ${oldSize} receipts of this store are not those of \`${path}\``;
    throw new StoreError('LOG_FORKED', words);
  }
  return readConsistency(log.store, { oldSize, size });
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`\`${path}\` cannot be read: check the path`);
  }
}
