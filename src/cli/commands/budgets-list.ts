// `intentplane budgets list`: what every budget of the store holds, and which ones are frozen.
import { windowText } from '../../core/checks/budget-window.ts';
import { moneyText } from '../../core/checks/money-text.ts';
import type { BudgetRow } from '../../core/operation.ts';
import { openStoreForReading } from '../../server/open-store.ts';
import { prepare } from '../../server/prepare.ts';
import { type Command, requiredText } from '../command.ts';
import { alignColumns } from '../output.ts';

export const budgetsListCommand: Command = {
  name: 'budgets list',
  summary: 'list the budgets of the store as they count now',
  usage: '--config FILE',
  example: 'intentplane budgets list --config ./intentplane.toml',
  options: { config: { type: 'string' } },
  optionHelp: { config: 'the TOML file' },
  required: ['config'],
  positionals: [0, 0],
  run: async (input) => {
    const { config } = prepare(requiredText(input, 'config'));
    const store = await openStoreForReading(config);
    try {
      const budgets = await store.readBudgets();
      input.output.answer(
        { ok: true, budgets: budgets.map(described) },
        budgets.length === 0
          ? ['there is no budget: see [mandate] budget, calls and period_budget']
          : alignColumns(budgets.map(columns)),
      );
      return 0;
    } finally {
      await store.close();
    }
  },
};

function described(budget: BudgetRow) {
  const { budgetId, kind, limit, reserved, spent, currency, window, period, endsMs } = budget;
  return {
    budget_id: budgetId,
    kind,
    limit,
    reserved,
    spent,
    left: left(budget),
    currency: currency ?? null,
    window: windowText(window),
    period: period ?? null,
    ends_at: endsMs === undefined ? null : new Date(endsMs).toISOString(),
    frozen: budget.frozen,
  };
}

const left = ({ limit, reserved, spent }: BudgetRow): number =>
  Math.max(0, limit - reserved - spent);

function columns(budget: BudgetRow): readonly string[] {
  const { budgetId, limit, reserved, spent, frozen, period } = budget;
  return [
    budgetId,
    `${amount(budget, left(budget))} of ${amount(budget, limit)} left`,
    `${amount(budget, spent)} spent`,
    `${amount(budget, reserved)} reserved`,
    [period ?? '', frozen ? 'FROZEN' : ''].join(' ').trim(),
  ];
}

/** In both readings: whoever wrote the limit may have meant the other one. */
function amount({ kind, currency }: BudgetRow, value: number): string {
  return kind === 'amount' && currency !== undefined
    ? `${value} (${moneyText(value, currency)})`
    : String(value);
}
