// What was signed last, kept outside the store and its backups: an older or another copy of the
// store is noticed before it signs a second history.
import { isSameHash } from '../core/merkle.ts';
import { type GuardedTree, type LogGuard, StoreError, type StoreErrorCode } from './store.ts';

/** The log as it stands, and any earlier root of it, recomputed. */
export interface GuardedLog {
  readonly size: number;
  readonly rootAt: (size: number) => Uint8Array;
}

/** Throws when the log is not at least what the guard saw; `LOG_BEHIND_CHECKPOINT`, `LOG_FORKED`. */
export function checkAgainstGuard(guard: LogGuard, tree: GuardedTree, log: GuardedLog): void {
  if (tree.size > log.size) throw behindGuard(guard, tree, log.size);
  if (!isSameHash(log.rootAt(tree.size), tree.root)) throw forkedLog(guard, tree);
}

/** The store has less than was signed. */
export function behindGuard(
  guard: Pick<LogGuard, 'place'>,
  tree: GuardedTree,
  size: number,
): StoreError {
  return refused(
    'LOG_BEHIND_CHECKPOINT',
    `the store has ${size} receipts, ${tree.size} were signed (\`${guard.place}\`): it is an old copy. Put the newer store back, or run \`intentplane receipts restart\``,
  );
}

/** The store has something else than was signed. */
export function forkedLog(guard: Pick<LogGuard, 'place'>, tree: GuardedTree): StoreError {
  return refused(
    'LOG_FORKED',
    `the first ${tree.size} receipts are not those that were signed (\`${guard.place}\`): it is another copy or was changed. Run \`intentplane fsck\`, and put the right store back or run \`intentplane receipts restart\``,
  );
}

/** The guard is gone although something was signed. */
export function guardMissing(guard: LogGuard): StoreError {
  return refused(
    'GUARD_MISSING',
    `\`${guard.place}\` is missing, so nobody knows what was signed last: put it back beside the key, or run \`intentplane receipts restart\``,
  );
}

function refused(code: StoreErrorCode, message: string): StoreError {
  return new StoreError(code, message, { fatal: true });
}
