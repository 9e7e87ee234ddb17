// What may be signed: only what extends everything that was signed before, or was about to be.
import { checkAgainstGuard, guardMissing } from '../log-guard.ts';
import type { LogGuard } from '../store.ts';
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
  if (last?.size === size) return last;
  checkpoints.insert(size, root);
  return { size, root, note: undefined };
}

/**
 * Runs in a later write transaction than the claim: the guard must never know of leaves that a
 * crash could still take back. Under the lock of the store, so that it never moves back.
 */
export function moveGuard({ log, meta }: Tables, guard: LogGuard, claimed: CheckpointRow): void {
  const { origin } = meta;
  const seen = guard.read(origin);
  if (seen === undefined) throw guardMissing(guard);
  checkAgainstGuard(guard, seen, { size: log.current.size, rootAt: (size) => log.rootAt(size) });
  if (seen.size < claimed.size) guard.write(origin, claimed);
}
