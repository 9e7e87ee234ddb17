// A mandate delegated from another one: never wider in its budgets, and charged to all above it.

import { chainMax } from '../checks/authn.ts';
import { windowText } from '../checks/budget-window.ts';
import type { BudgetRow, MandateRow } from '../operation.ts';
import { type BudgetDraft, issueMandate, type MandateDraft } from './plan-mandate.ts';
import { noWrites, type Writes } from './writes.ts';

/** Why a mandate cannot be delegated. */
type ChildFault =
  | 'parent_mandate_not_found'
  | `parent_mandate_${Exclude<MandateRow['status'], 'active'>}`
  | 'parent_mandate_expired'
  | 'delegation_chain_too_deep'
  | 'child_budget_higher';

/** What the store reads for it. */
export interface ChildRows {
  readonly nowMs: number;
  readonly parent: MandateRow | undefined;
  /** Budgets of the parent. */
  readonly budgets: readonly BudgetRow[];
}

/** The new mandate; `fault` = nothing was issued. */
export type ChildPlan =
  | { readonly ok: true; readonly mandate: MandateRow; readonly writes: Writes }
  | { readonly ok: false; readonly fault: ChildFault; readonly writes: Writes };

/** Issues a mandate below `rows.parent`. */
export function planChild(draft: MandateDraft, rows: ChildRows): ChildPlan {
  const fault = faultOf(draft, rows);
  if (fault !== undefined) return { ok: false, fault, writes: noWrites };
  const { nowMs, parent } = rows;
  return { ok: true, ...issueMandate(draft, { nowMs, newest: undefined, parent }) };
}

function faultOf(
  draft: MandateDraft,
  { nowMs, parent, budgets }: ChildRows,
): ChildFault | undefined {
  if (parent === undefined) return 'parent_mandate_not_found';
  if (parent.status !== 'active') return `parent_mandate_${parent.status}`;
  if (nowMs >= parent.expiresMs) return 'parent_mandate_expired';
  // The parent, those above it, and the new one.
  if (parent.ancestors.length + 2 > chainMax) return 'delegation_chain_too_deep';
  const granted = budgets.filter(({ budgetId }) => parent.budgetIds.includes(budgetId));
  const isHigher = draft.budgets.some((child) => granted.some((each) => isWider(child, each)));
  return isHigher ? 'child_budget_higher' : undefined;
}

/** Only budgets that count the same are compared; any other one is bounded by the parent's counter. */
function isWider(child: BudgetDraft, parent: BudgetRow): boolean {
  const window = child.window === undefined ? 'life' : windowText(child.window);
  return (
    child.kind === parent.kind &&
    child.currency === parent.currency &&
    window === windowText(parent.window) &&
    child.limit > parent.limit
  );
}
