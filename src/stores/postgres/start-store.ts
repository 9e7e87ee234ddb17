// The first transactions of a process: who the store is, then what dead processes left in it.
import { frontierRoot } from '../../core/merkle.ts';
import { noWrites } from '../../core/moves/writes.ts';
import type { StoreSettings } from '../store.ts';
import { settleOrphans } from '../store-methods.ts';
import { checkGuardAtStart } from './guard-log.ts';
import { checkRootAt } from './log-state.ts';
import { schemaVersion } from './migrate.ts';
import {
  lockProcesses,
  putProcess,
  type RegisteredProcess,
  removeProcesses,
  toProcesses,
} from './process-table.ts';
import type { Transaction } from './transaction.ts';

export interface StoreIdentity {
  readonly origin: string;
  readonly secret: Uint8Array;
}

export const secretSizeBytes = 32;

/** Origin and secret, made with the first leaf; checks the log. Under the lock of the log, so that they are made once. */
export async function identify(
  transaction: Transaction,
  settings: StoreSettings,
  useSecret: (secret: Uint8Array) => void,
): Promise<StoreIdentity> {
  const { frontier } = await transaction.lockLog();
  await checkRootAt({ size: frontier.size, root: frontierRoot(frontier) }, (statements) =>
    transaction.read(statements),
  );
  const [meta] = await transaction.read([{ sql: 'SELECT origin, secret FROM intentplane.meta' }]);
  const known = meta?.rows[0];
  if (settings.guard !== undefined) {
    const origin = (known?.[0] as string | undefined) ?? settings.origin;
    await checkGuardAtStart(transaction, settings.guard, { origin, isNew: known === undefined });
  }
  if (known !== undefined) {
    const secret = Uint8Array.from(known[1] as Uint8Array);
    useSecret(secret);
    return { origin: known[0] as string, secret };
  }
  const { origin } = settings;
  const secret = settings.random(secretSizeBytes);
  useSecret(secret);
  await transaction.write([
    {
      sql: 'INSERT INTO intentplane.meta (id, origin, secret) VALUES (1, $1, $2)',
      values: [origin, secret],
    },
  ]);
  const open = { origin, reason: 'first start' };
  await transaction.change({}, (rows) =>
    rows.apply({ ...noWrites, leaves: [{ type: 'log.start', open, committed: {} }] }),
  );
  return { origin, secret };
}

/** Registers the process and settles operations whose process is dead. */
export async function register(
  transaction: Transaction,
  settings: StoreSettings,
): Promise<{ readonly orphans: readonly string[]; readonly logSize: number }> {
  const [answer] = await transaction.read([lockProcesses]);
  const { dead, live } = sortProcesses(answer === undefined ? [] : toProcesses(answer), settings);
  await transaction.write([
    removeProcesses(dead),
    putProcess(settings.identity, { heartbeatMs: settings.nowMs(), schemaVersion }),
  ]);
  return transaction.change({ orphansBeside: live }, (rows) => {
    const orphans = settleOrphans(rows, live);
    if (dead.length > 0) {
      const figures = { processes: dead.length, orphans: orphans.length };
      const open = { kind: 'unclean_stop', figures };
      rows.apply({ ...noWrites, leaves: [{ type: 'alarm', open, committed: {} }] });
    }
    return { orphans, logSize: rows.logSize };
  });
}

export function sortProcesses(
  all: readonly RegisteredProcess[],
  { identity, isAlive }: StoreSettings,
): { readonly dead: readonly string[]; readonly live: readonly string[] } {
  const others = all.filter((each) => each.processId !== identity.processId);
  const live = others.filter(isAlive);
  const ids = (list: readonly RegisteredProcess[]): readonly string[] =>
    list.map(({ processId }) => processId);
  return { live: ids(live), dead: ids(others.filter((each) => !live.includes(each))) };
}
