// A process says that it lives, and settles what dead and silent ones left, as the real stores do it.
import type { MemoryTables } from '../../src/stores/memory/memory-tables.ts';
import { sortProcesses } from '../../src/stores/sort-processes.ts';
import type { ProcessIdentity } from '../../src/stores/store.ts';
import type { TableRows } from '../../src/stores/table-rows.ts';
import type { BurialEvent, SettledOrphan } from './store-call.ts';
import type { StoreWorld } from './store-world.ts';

interface BurialParts extends Pick<StoreWorld, 'database' | 'methods' | 'isAlive'> {
  readonly identity: ProcessIdentity;
}

export function beat(
  rows: TableRows,
  { database, methods, identity, isAlive }: BurialParts,
): BurialEvent {
  const { processes } = database;
  processes.set(identity.processId, { ...identity, heartbeatMs: rows.nowMs });
  const standing = sortProcesses([...processes.values()], { identity, isAlive });
  const before = dispatching(database.tables);
  const { orphans, gone } = methods.buryProcesses(rows, standing);
  for (const id of gone) processes.delete(id);
  const settled = before.flatMap((orphan) => settledOrphan(database.tables, orphan));
  return { by: identity.processId, standing, orphans, settled };
}

/** What is under way, with the budgets that hold something for it. */
function dispatching({ operations, reserved }: MemoryTables): readonly SettledOrphan[] {
  return [...operations.values()].flatMap(({ opId, state }) => {
    if (state !== 'DISPATCHING') return [];
    const released = (reserved.get(opId) ?? []).map(({ budgetId }) => budgetId);
    return [{ opId, to: state, released }];
  });
}

/** What became of it, or nothing when it still runs. */
function settledOrphan(
  { operations, reserved }: MemoryTables,
  { opId, released }: SettledOrphan,
): readonly SettledOrphan[] {
  const to = operations.get(opId)?.state ?? 'DISPATCHING';
  if (to === 'DISPATCHING') return [];
  return [{ opId, to, released: reserved.has(opId) ? [] : released }];
}
