import type { MemoryTables } from '../../src/stores/memory/memory-tables.ts';
import { openingText } from '../../src/stores/memory/read-leaves.ts';

/** The arguments that the decision about an operation committed to. */
export const decisionCall = (tables: MemoryTables, opId: string): string | undefined =>
  openingText(tables, { opId, type: 'decision', field: 'call' });
