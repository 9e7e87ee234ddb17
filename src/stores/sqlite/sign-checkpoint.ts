// What may be signed: only what extends everything that was signed before, or was about to be.
import { checkAgainstGuard, guardMissing } from '../log-guard.ts';
import type { LogGuard, SignedCheckpoint } from '../store.ts';
import type { CheckpointRow } from './checkpoint-table.ts';
import { badState } from './log-table.ts';
import type { StartContext } from './start-store.ts';
import type { Tables } from './tables.ts';

/** The next checkpoint, or the one of this size: claim, guard and signature in a transaction each. */
export async function signNext(
  { tables, settings: { guard } }: StartContext,
  write: <T>(work: () => T) => Promise<T>,
  sign: (size: number, root: Uint8Array) => string,
): Promise<SignedCheckpoint> {
  const claimed = await write(() => claimCheckpoint(tables));
  const { size, root, note } = claimed;
  if (note !== undefined) return { size, root, note };
  if (guard !== undefined) await write(() => moveGuard(tables, guard, claimed));
  const signed = sign(size, root);
  await write(() => tables.checkpoints.setNote(size, signed));
  return { size, root, note: signed };
}

/** Runs in a write transaction: size and root are durable before anybody signs them. */
function claimCheckpoint({ log, checkpoints }: Tables): CheckpointRow {
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
function moveGuard({ log, meta }: Tables, guard: LogGuard, claimed: CheckpointRow): void {
  const { origin } = meta;
  const seen = guard.read(origin);
  if (seen === undefined) throw guardMissing(guard);
  checkAgainstGuard(guard, seen, { size: log.current.size, rootAt: (size) => log.rootAt(size) });
  if (seen.size < claimed.size) guard.write(origin, claimed);
}
