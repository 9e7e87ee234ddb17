// The guard beside the key against the log in the database: at the start, and before each signature.
import { emptyFrontier, frontierRoot } from '../../core/merkle.ts';
import { behindGuard, forkedLog, guardMissing } from '../log-guard.ts';
import { type GuardedTree, type LogGuard, StoreError } from '../store.ts';
import { checkRootAt } from './log-state.ts';
import type { Transaction } from './transaction.ts';

/** Before anything is written; a new log begins with a new guard. */
export async function checkGuardAtStart(
  transaction: Transaction,
  guard: LogGuard,
  known: { readonly origin: string; readonly isNew: boolean },
): Promise<void> {
  const seen = guard.read(known.origin);
  if (seen !== undefined) await checkTree(transaction, guard, seen);
  else if (known.isNew) {
    guard.write(known.origin, { size: 0, root: frontierRoot(emptyFrontier) });
  } else throw guardMissing(guard);
}

/** In a later transaction than the claim, under the lock of the log, so that it never moves back. */
export async function moveGuard(
  transaction: Transaction,
  guard: LogGuard,
  claimed: GuardedTree,
): Promise<void> {
  const [meta] = await transaction.read([{ sql: 'SELECT origin FROM intentplane.meta' }]);
  const origin = meta?.rows[0]?.[0] as string;
  const seen = guard.read(origin);
  if (seen === undefined) throw guardMissing(guard);
  await checkTree(transaction, guard, seen);
  if (seen.size < claimed.size) guard.write(origin, claimed);
}

async function checkTree(
  transaction: Transaction,
  guard: LogGuard,
  seen: GuardedTree,
): Promise<void> {
  const { frontier } = await transaction.lockLog();
  if (seen.size > frontier.size) throw behindGuard(guard, seen, frontier.size);
  try {
    await checkRootAt(seen, (statements) => transaction.read(statements));
  } catch (error) {
    if (!(error instanceof StoreError && error.code === 'LOG_STATE_BAD')) throw error;
    throw forkedLog(guard, seen);
  }
}
