// Erasing values inside one transaction of the file.
import {
  planRedaction,
  type RedactionOrder,
  type RedactionPlan,
} from '../../core/moves/plan-redaction.ts';
import { noWrites } from '../../core/moves/writes.ts';
import { listOf, noteErasures, type RedactionList } from '../erasure.ts';
import type { SqliteRows } from './sqlite-rows.ts';
import type { Tables } from './tables.ts';

interface Redaction {
  readonly order: RedactionOrder;
  readonly list: RedactionList | undefined;
}

export function redactLeaves(
  { redactions, history, drafts }: Tables,
  rows: SqliteRows,
  { order, list }: Redaction,
): RedactionPlan {
  const leaves = order.targets.flatMap(({ seq }) => redactions.leaf(seq) ?? []);
  const plan = planRedaction(order, leaves);
  for (const erasure of plan.erasures) redactions.erase(erasure);
  for (const opId of plan.forgotten) {
    const n = rows.numberOf(opId);
    redactions.forget(opId, n);
    history.erase(n);
    drafts.forget(opId);
  }
  rows.apply({ ...noWrites, leaves: plan.leaves });
  // Last: what cannot be written is not noted either.
  noteErasures(listOf(order, list), plan);
  return plan;
}
