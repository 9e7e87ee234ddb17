// Erasing values of the memory store, and what must be found for it.

import {
  planRedaction,
  type RedactableLeaf,
  type RedactionOrder,
} from '../../core/moves/plan-redaction.ts';
import { noWrites } from '../../core/moves/writes.ts';
import { addToRepeats, putApproval } from '../apply-writes.ts';
import {
  actionOf,
  type KeptLeaf,
  type KeptPage,
  listOf,
  noteErasures,
  type RedactionList,
  type RedactionResult,
} from '../erasure.ts';
import { repeatKey } from '../row-tables.ts';
import type { StoredLeaf } from '../store.ts';
import { forgetHistory } from '../table-history.ts';
import type { TableRows } from '../table-rows.ts';
import type { MemoryTables } from './memory-tables.ts';

interface Redaction {
  readonly order: RedactionOrder;
  readonly list: RedactionList | undefined;
}

export function redactLeaves(
  tables: MemoryTables,
  rows: TableRows,
  { order, list }: Redaction,
): RedactionResult {
  const leaves = order.targets.flatMap(({ seq }) => redactable(tables, seq) ?? []);
  const plan = planRedaction(order, leaves);
  noteErasures(listOf(order, list), plan);
  rows.apply({ ...noWrites, leaves: plan.leaves });
  for (const { seq, fields } of plan.erasures) {
    const leaf = tables.leaves[seq] as StoredLeaf;
    const kept = Object.entries(leaf.payload).filter(([field]) => !fields.includes(field));
    tables.leaves[seq] = { ...leaf, payload: Object.fromEntries(kept) };
  }
  for (const opId of plan.forgotten) {
    forgetFingerprint(tables, opId);
    forgetHistory(tables, opId);
  }
  return { refused: plan.refused, erasures: plan.erasures, isGone: true };
}

function redactable(tables: MemoryTables, seq: number): RedactableLeaf | undefined {
  const leaf = tables.leaves[seq];
  if (leaf === undefined) return undefined;
  const { hash, type, opId, payload } = leaf;
  const state = opId === undefined ? undefined : tables.operations.get(opId)?.state;
  return { seq, hash, type, opId, state, kept: Object.keys(payload) };
}

/** Without one a row is the repeat of nothing. */
function forgetFingerprint(tables: MemoryTables, opId: string): void {
  const row = tables.operations.get(opId);
  if (row === undefined) return;
  const { fingerprint, mandateLine } = row;
  tables.operations.set(opId, { ...row, fingerprint: '' });
  tables.repeats.delete(repeatKey(fingerprint, mandateLine));
  for (const each of tables.operations.values()) {
    const isSame = each.fingerprint === fingerprint && each.mandateLine === mandateLine;
    if (isSame) addToRepeats(tables, each);
  }
  const approval = tables.approvals.get(tables.approvalIdOf.get(opId) ?? '');
  if (approval !== undefined) putApproval(tables, { ...approval, fingerprint: '' });
}

export function repeatsOf({ leaves }: MemoryTables, opId: string): readonly string[] {
  const text = Buffer.from(`"${opId}"`);
  return leaves.flatMap((leaf) => {
    const isOther = leaf.type === 'decision' && leaf.opId !== opId;
    return isOther && leaf.opId !== undefined && Buffer.from(leaf.bytes).includes(text)
      ? [leaf.opId]
      : [];
  });
}

export function keptLeaves(
  tables: MemoryTables,
  { from, below, count }: KeptPage,
): readonly KeptLeaf[] {
  return tables.leaves
    .slice(from, below)
    .filter(({ payload }) => Object.keys(payload).length > 0)
    .slice(0, count)
    .map(({ seq, type, opId }) => ({ seq, type, ...aboutOf(tables, opId) }));
}

function aboutOf(
  tables: MemoryTables,
  opId: string | undefined,
): Pick<KeptLeaf, 'action' | 'state'> {
  if (opId === undefined) return { action: undefined, state: undefined };
  const proposal = tables.leaves[tables.seqsOf.get(opId)?.[0] ?? -1];
  return {
    action: proposal === undefined ? undefined : actionOf(proposal.bytes),
    state: tables.operations.get(opId)?.state,
  };
}
