// What may be signed: only what extends everything that was signed before, or was about to be.
import { checkAgainstGuard, type GuardedLog, guardMissing } from '../log-guard.ts';
import type { LogGuard } from '../store.ts';
import type { CheckpointRow } from './checkpoint-table.ts';
import { badState } from './log-table.ts';
import type { Tables } from './tables.ts';

/** Runs in a write transaction: size and root are durable before anybody signs them. */
export function claimCheckpoint(
  { log, checkpoints, meta }: Tables,
  guard: LogGuard | undefined,
): CheckpointRow {
  const { size, root } = log.current;
  const last = checkpoints.last();
  if (last !== undefined && last.size > size) {
    throw badState(`it has ${size} leaves, ${last.size} were signed`);
  }
  if (last !== undefined) log.checkRootAt(last.size, last.root);
  if (last?.size === size && last.note !== undefined) return last;
  if (guard !== undefined) {
    moveGuard(guard, { origin: meta.origin, size, root, rootAt: (of) => log.rootAt(of) });
  }
  if (last?.size === size) return last;
  checkpoints.insert(size, root);
  return { size, root, note: undefined };
}

/** Under the lock of the store, so that the guard never moves back: whoever signs next sees this one. */
function moveGuard(
  guard: LogGuard,
  log: GuardedLog & { readonly origin: string; readonly root: Uint8Array },
): void {
  const seen = guard.read(log.origin);
  if (seen === undefined) throw guardMissing(guard);
  checkAgainstGuard(guard, seen, log);
  guard.write(log.origin, { size: log.size, root: log.root });
}
