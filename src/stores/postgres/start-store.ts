// The first transactions of a process: who the store is, then what dead processes left in it.
import { frontierRoot } from '../../core/merkle.ts';
import { noWrites } from '../../core/moves/writes.ts';
import { sortProcesses } from '../sort-processes.ts';
import type { StartReport, StoreSettings } from '../store.ts';
import { buryProcesses } from '../store-methods.ts';
import { checkGuardAtStart } from './guard-log.ts';
import { checkRootAt } from './log-state.ts';
import { schemaVersion } from './migrate.ts';
import {
  forgetBatches,
  lockProcesses,
  putProcess,
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

/** Whether a process is registered that is dead. */
export async function wasUnclean(
  transaction: Transaction,
  settings: StoreSettings,
): Promise<boolean> {
  const [answer] = await transaction.read([lockProcesses]);
  const all = answer === undefined ? [] : toProcesses(answer);
  return sortProcesses(all, settings).dead.length > 0;
}

/** This process lives; what dead ones left is settled by whoever comes by. */
export async function beat(
  transaction: Transaction,
  settings: StoreSettings,
): Promise<Pick<StartReport, 'orphans' | 'logSize'>> {
  const [answer] = await transaction.read([lockProcesses]);
  const all = answer === undefined ? [] : toProcesses(answer);
  const standing = sortProcesses(all, settings);
  const { orphans, gone, logSize } = await transaction.change(
    { orphansBeside: standing.live },
    (rows) => {
      const burial = buryProcesses(rows, standing);
      return { ...burial, logSize: rows.logSize };
    },
  );
  await transaction.write([
    removeProcesses(gone),
    putProcess(settings.identity, { heartbeatMs: settings.nowMs(), schemaVersion }),
    forgetBatches,
  ]);
  return { orphans, logSize };
}
