// The first transaction of a process: registers it, checks the log, settles what dead ones left.

import { noWrites } from '../../core/moves/writes.ts';
import { checkAgainstGuard, guardMissing } from '../log-guard.ts';
import { sortProcesses } from '../sort-processes.ts';
import type { StartReport, StoreSettings } from '../store.ts';
import { buryProcesses } from '../store-methods.ts';
import type { SqliteRows } from './sqlite-rows.ts';
import type { Tables } from './tables.ts';

export interface StartContext {
  readonly tables: Tables;
  readonly settings: StoreSettings;
}

export const secretSizeBytes = 32;

export function startStore(rows: SqliteRows, context: StartContext): StartReport {
  const { tables } = context;
  checkGuard(context, { mayBegin: true });
  const { origin, secret } = readIdentity(rows, context);
  const { size, root } = tables.log.current;
  tables.log.checkRootAt(size, root);
  const orphans = beat(rows, context);
  return { origin, secret, orphans, logSize: tables.log.current.size };
}

/** Whether a process is registered that is dead. */
export function wasUnclean({ tables, settings }: StartContext): boolean {
  return sortProcesses(tables.processes.all(), settings).dead.length > 0;
}

/** This process lives; what dead ones left is settled by whoever comes by. */
export function beat(rows: SqliteRows, { tables, settings }: StartContext): readonly string[] {
  const { processes } = tables;
  processes.put(settings.identity, rows.nowMs);
  const { orphans, gone } = buryProcesses(rows, sortProcesses(processes.all(), settings));
  for (const processId of gone) processes.remove(processId);
  return orphans;
}

/** Before anything is written: an old or foreign copy of the store must not go on. */
export function checkGuard(
  { tables, settings }: StartContext,
  { mayBegin }: { readonly mayBegin: boolean },
): void {
  const { guard } = settings;
  if (guard === undefined) return;
  const { log } = tables;
  const known = tables.meta.read();
  const origin = known?.origin ?? settings.origin;
  const seen = guard.read(origin);
  if (seen !== undefined) {
    const { size } = log.current;
    checkAgainstGuard(guard, seen, { size, rootAt: (of) => log.rootAt(of) });
  } else if (known !== undefined) throw guardMissing(guard);
  else if (mayBegin) guard.write(origin, log.current);
}

/** Origin and secret of the store, made with its first leaf. */
function readIdentity(
  rows: SqliteRows,
  { tables, settings }: StartContext,
): { readonly origin: string; readonly secret: Uint8Array } {
  const known = tables.meta.read();
  if (known !== undefined) return known;
  const { origin } = settings;
  const made = { origin, secret: settings.random(secretSizeBytes) };
  tables.meta.insert(made);
  const open = { origin, reason: 'first start' };
  rows.apply({ ...noWrites, leaves: [{ type: 'log.start', open, committed: {} }] });
  return made;
}
