// What the leaves of the memory store hold about an operation.
import type { LeafType } from '../../core/leaf.ts';
import type { ApprovalRow } from '../../core/operation.ts';
import type { StoredLeaf, StoredOperation } from '../store.ts';
import type { MemoryTables } from './memory-tables.ts';

interface Opening {
  readonly opId: string;
  readonly type: LeafType;
  readonly field: string;
}

/** Canonical JSON text of one committed field, from the newest leaf of that type. */
export function openingOf(
  tables: MemoryTables,
  { opId, type, field }: Opening,
): string | undefined {
  const leaf = leavesOf(tables, opId).findLast((each) => each.type === type);
  return leaf?.payload[field]?.value;
}

/** The same, of a field that is a text. */
export function openingText(tables: MemoryTables, opening: Opening): string | undefined {
  const value = openingOf(tables, opening);
  return value === undefined ? undefined : (JSON.parse(value) as string);
}

/** Leaves of one proposal in order. */
export function leavesOf(tables: MemoryTables, opId: string): readonly StoredLeaf[] {
  return (tables.seqsOf.get(opId) ?? []).map((seq) => tables.leaves[seq] as StoredLeaf);
}

/** The row with its texts; undefined for a proposal that was refused. */
export function storedOperation(tables: MemoryTables, opId: string): StoredOperation | undefined {
  const row = tables.operations.get(opId);
  if (row === undefined) return undefined;
  const approvalId = tables.approvalIdOf.get(opId);
  const approval: ApprovalRow | undefined =
    approvalId === undefined ? undefined : tables.approvals.get(approvalId);
  return {
    row,
    approval,
    preimage: openingText(tables, { opId, type: 'decision', field: 'preimage' }) ?? '',
    call: openingText(tables, { opId, type: 'decision', field: 'call' }) ?? '',
    result: openingText(tables, { opId, type: 'outcome', field: 'result' }),
  };
}
