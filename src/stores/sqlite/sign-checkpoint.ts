// What may be signed: only what extends everything that was signed before, or was about to be.
import { isSameHash } from '../../core/merkle.ts';
import type { CheckpointRow } from './checkpoint-table.ts';
import { badState } from './log-table.ts';
import type { Tables } from './tables.ts';

/** Runs in a write transaction: size and root are durable before anybody signs them. */
export function claimCheckpoint({ log, checkpoints }: Tables): CheckpointRow {
  const { size, root } = log.current;
  const last = checkpoints.last();
  if (last !== undefined && last.size > size) {
    throw badState(`it has ${size} leaves, ${last.size} were signed`);
  }
  if (last !== undefined) log.checkRootAt(last.size, last.root);
  if (last?.size === size && isSameHash(last.root, root)) return last;
  checkpoints.insert(size, root);
  return { size, root, note: undefined };
}
