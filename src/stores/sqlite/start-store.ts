// The first transaction of a process: registers it, checks the log, settles what dead ones left.

import { noWrites } from '../../core/moves/writes.ts';
import { checkAgainstGuard, guardMissing } from '../log-guard.ts';
import type { StartReport, StoreSettings } from '../store.ts';
import { settleOrphans } from '../store-methods.ts';
import type { RegisteredProcess } from './process-table.ts';
import type { SqliteRows } from './sqlite-rows.ts';
import type { Tables } from './tables.ts';

export interface StartContext {
  readonly tables: Tables;
  readonly settings: StoreSettings;
}

export const secretSizeBytes = 32;

export function startStore(rows: SqliteRows, context: StartContext): StartReport {
  const { tables, settings } = context;
  checkGuard(context, { mayBegin: true });
  const { origin, secret } = readIdentity(rows, context);
  const { size, root } = tables.log.current;
  tables.log.checkRootAt(size, root);
  const { dead, live } = sortProcesses(tables.processes.all(), settings);
  for (const each of dead) tables.processes.remove(each.processId);
  tables.processes.put(settings.identity, settings.nowMs());
  const orphans = settleOrphans(
    rows,
    live.map((each) => each.processId),
  );
  if (dead.length > 0) noteUncleanStop(rows, { processes: dead.length, orphans: orphans.length });
  return { origin, secret, orphans, logSize: tables.log.current.size };
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

export function sortProcesses(
  all: readonly RegisteredProcess[],
  { identity, isAlive }: StoreSettings,
): { readonly dead: readonly RegisteredProcess[]; readonly live: readonly RegisteredProcess[] } {
  const others = all.filter((each) => each.processId !== identity.processId);
  const live = others.filter(isAlive);
  return { live, dead: others.filter((each) => !live.includes(each)) };
}

function noteUncleanStop(
  rows: SqliteRows,
  figures: { readonly processes: number; readonly orphans: number },
): void {
  const open = { kind: 'unclean_stop', figures };
  rows.apply({ ...noWrites, leaves: [{ type: 'alarm', open, committed: {} }] });
}
