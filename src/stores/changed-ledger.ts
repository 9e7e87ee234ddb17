// Budgets and what operations hold of them, as they stand after all moves of one transaction.
import type { Writes } from '../core/moves/writes.ts';
import type { AgedEntries, BudgetMove, BudgetRow, BudgetTerms } from '../core/operation.ts';
import type { Reservation, RowTables, SpentEntry } from './row-tables.ts';
import { conflict } from './store.ts';

export interface Ledger {
  readonly budgets: Map<string, BudgetRow>;
  /** By operation. */
  readonly reserved: Map<string, readonly Reservation[]>;
  /** By counter. */
  readonly spent: Map<string, readonly SpentEntry[]>;
}

/** Changes no table. Throws `STORE_CONFLICT` for a move that a budget does not hold. */
export function changedLedger(
  tables: RowTables,
  { putBudgets, ageBudgets, budgetMoves, markBudgets }: Writes,
): Ledger {
  const ledger: Ledger = { budgets: new Map(), reserved: new Map(), spent: new Map() };
  for (const terms of putBudgets) {
    ledger.budgets.set(terms.budgetId, withTerms(tables.budgets.get(terms.budgetId), terms));
  }
  for (const aged of ageBudgets) age(tables, ledger, aged);
  for (const each of budgetMoves) move(tables, ledger, each);
  for (const { budgetId, ...mark } of markBudgets) {
    const budget = budgetOf(tables, ledger, budgetId);
    ledger.budgets.set(budgetId, { ...budget, ...mark });
  }
  return ledger;
}

const noSums = { reserved: 0, spent: 0, frozen: false, clockAlarmMs: undefined };

const withTerms = (known: BudgetRow | undefined, terms: BudgetTerms): BudgetRow => ({
  ...noSums,
  ...known,
  ...terms,
});

function budgetOf(tables: RowTables, { budgets }: Ledger, budgetId: string): BudgetRow {
  const budget = budgets.get(budgetId) ?? tables.budgets.get(budgetId);
  if (budget === undefined) throw conflict(`budget ${budgetId}`);
  return budget;
}

/** True for an entry that counts no longer at this instant. */
export const hasAged = ({ agesMs }: SpentEntry, nowMs: number): boolean =>
  agesMs !== undefined && agesMs <= nowMs;

function age(tables: RowTables, ledger: Ledger, { budgetId, untilMs, amount }: AgedEntries): void {
  const budget = budgetOf(tables, ledger, budgetId);
  if (amount > budget.spent) throw conflict(`budget ${budgetId}`);
  ledger.budgets.set(budgetId, { ...budget, spent: budget.spent - amount });
  const entries = tables.spent.get(budgetId) ?? [];
  ledger.spent.set(
    budgetId,
    entries.filter((entry) => !hasAged(entry, untilMs)),
  );
}

function move(tables: RowTables, ledger: Ledger, each: BudgetMove): void {
  const { budgetId, opId, amount } = each;
  const budget = budgetOf(tables, ledger, budgetId);
  const held = ledger.reserved.get(opId) ?? tables.reserved.get(opId) ?? [];
  const own = held.find((reservation) => reservation.budgetId === budgetId);
  const others = held.filter((reservation) => reservation !== own);
  if (each.kind === 'reserve') {
    const isFull = budget.reserved + budget.spent + amount > budget.limit;
    if (own !== undefined || budget.frozen || isFull) throw conflict(`budget ${budgetId}`);
    ledger.budgets.set(budgetId, { ...budget, reserved: budget.reserved + amount });
    ledger.reserved.set(opId, [...others, { budgetId, amount, agesMs: each.agesMs }]);
    return;
  }
  if (own?.amount !== amount) throw conflict(`budget ${budgetId}`);
  ledger.reserved.set(opId, others);
  const actual = each.kind === 'settle' ? each.actual : 0;
  const { reserved, spent } = budget;
  ledger.budgets.set(budgetId, { ...budget, reserved: reserved - amount, spent: spent + actual });
  const entries = ledger.spent.get(budgetId) ?? tables.spent.get(budgetId) ?? [];
  ledger.spent.set(budgetId, [...entries, ...spentEntries(own, opId, actual)]);
}

/** What was reserved, as far as it was taken, and what was taken beyond it. */
function spentEntries(
  { amount, agesMs }: Reservation,
  opId: string,
  actual: number,
): readonly SpentEntry[] {
  const parts = [
    { opId, agesMs, state: 'settled', amount: Math.min(amount, actual) },
    { opId, agesMs, state: 'overrun', amount: Math.max(0, actual - amount) },
  ] as const;
  return parts.filter((entry) => entry.amount > 0);
}
