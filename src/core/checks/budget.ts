// Stage budget: reserved + spent + this ≤ limit, for every budget of the mandate.
import type { Failure } from '../decision.ts';
import type { BudgetFact } from '../facts.ts';

/** What one operation takes from a budget; 0 = nothing, the budget is not touched. */
export function budgetCharge(budget: BudgetFact, amount: number | undefined): number {
  return budget.kind === 'calls' ? 1 : (amount ?? 0);
}

/** One failure per budget that does not hold the charge; exactly the limit is allowed. */
export function checkBudget(
  budgets: readonly BudgetFact[],
  amount: number | undefined,
): readonly Failure[] {
  return budgets.filter((budget) => !holds(budget, budgetCharge(budget, amount))).map(failure);
}

function holds(budget: BudgetFact, charge: number): boolean {
  if (charge === 0) return true;
  return !budget.frozen && budget.reserved + budget.spent + charge <= budget.limit;
}

function failure(budget: BudgetFact): Failure {
  const code = budget.kind === 'calls' ? 'BUDGET_CALLS' : 'BUDGET_AMOUNT';
  return budget.frozen ? { code, detail: 'frozen' } : { code };
}
