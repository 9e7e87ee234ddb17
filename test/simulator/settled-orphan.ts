// What a burial made of the operations of dead processes.
import type { MemoryTables } from '../../src/stores/memory/memory-tables.ts';
import type { SettledOrphan } from './store-call.ts';

/** What is under way, with the budgets that hold something for it. */
export function dispatching({ operations, reserved }: MemoryTables): readonly SettledOrphan[] {
  return [...operations.values()].flatMap(({ opId, state }) => {
    if (state !== 'DISPATCHING') return [];
    const released = (reserved.get(opId) ?? []).map(({ budgetId }) => budgetId);
    return [{ opId, to: state, released }];
  });
}

/** What became of it, or nothing when it still runs. */
export function settledOrphan(
  { operations, reserved }: MemoryTables,
  { opId, released }: SettledOrphan,
): readonly SettledOrphan[] {
  const to = operations.get(opId)?.state ?? 'DISPATCHING';
  if (to === 'DISPATCHING') return [];
  return [{ opId, to, released: reserved.has(opId) ? [] : released }];
}
