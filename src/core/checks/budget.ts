// Stage budget: reserved + spent + this ≤ limit, for every budget of the mandate and of those above it.
import type { Failure } from '../decision.ts';
import type { BudgetFact, LiveFacts } from '../facts.ts';

/** What a call costs: an amount in a currency, or nothing but itself. */
export interface Charge {
  readonly amount?: number;
  /** ISO 4217; absent = the contract names none. */
  readonly currency?: string;
}

/** What one operation takes from a budget; 0 = nothing, the budget is not touched. */
export function budgetCharge({ kind }: Pick<BudgetFact, 'kind'>, { amount }: Charge): number {
  return kind === 'calls' ? 1 : (amount ?? 0);
}

/**
 * One failure per own budget that does not hold the charge; exactly the limit is allowed. Of the
 * budgets of ancestors no more is told than that there is one.
 */
export function checkBudget(
  { budgets, isClockBack }: Pick<LiveFacts, 'budgets' | 'isClockBack'>,
  charge: Charge,
): readonly Failure[] {
  const failures: Failure[] = [];
  for (const budget of budgets) {
    const fault = faultOf(budget, charge, isClockBack);
    if (fault === undefined) continue;
    if (budget.owner === 'own') failures.push(fault);
    else addAncestor(failures, fault);
  }
  return failures;
}

/** How many ancestors refuse, and what they would take, stays untold. */
function addAncestor(failures: Failure[], { code, detail }: Failure): void {
  const told = detail === undefined ? 'ancestor' : `ancestor_${detail}`;
  if (failures.some((each) => each.code === code && each.detail === told)) return;
  failures.push({ code, detail: told });
}

function faultOf(budget: BudgetFact, charge: Charge, isClockBack: boolean): Failure | undefined {
  const charged = budgetCharge(budget, charge);
  if (charged === 0) return undefined;
  const code = codeOf(budget);
  if (budget.frozen) return { code, detail: 'frozen' };
  const { currency } = budget;
  if (budget.kind === 'amount' && currency !== undefined && currency !== charge.currency) {
    const expected = `an amount in ${currency}`;
    return { code: 'BUDGET_AMOUNT', detail: 'currency_mismatch', expected };
  }
  if (budget.windowed && isClockBack) return { code, detail: 'clock_regressed' };
  return budget.reserved + budget.spent + charged <= budget.limit ? undefined : { code };
}

function codeOf({ kind, windowed }: BudgetFact): Failure['code'] {
  if (windowed) return 'BUDGET_PERIOD';
  return kind === 'calls' ? 'BUDGET_CALLS' : 'BUDGET_AMOUNT';
}
