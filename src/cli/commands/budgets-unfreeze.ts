// `intentplane budgets unfreeze`: a person looked at what the target took and lets the budget be charged again.
import { openStore } from '../../server/open-store.ts';
import { prepare } from '../../server/prepare.ts';
import { isOwnerOrToldSo } from '../ask-passcode.ts';
import { type Command, requiredText } from '../command.ts';

export const budgetsUnfreezeCommand: Command = {
  name: 'budgets unfreeze',
  summary: 'let a budget be charged again after a target took more than was reserved',
  usage: 'ID --config FILE',
  example: 'intentplane budgets unfreeze 4f0c…/amount --config ./intentplane.toml',
  options: { config: { type: 'string' } },
  optionHelp: { config: 'the TOML file; its passcode is asked for when one is set' },
  required: ['config'],
  positionals: [1, 1],
  run: async (input) => {
    const [budgetId = ''] = input.positionals;
    const { config } = prepare(requiredText(input, 'config'));
    const { store } = await openStore(config);
    try {
      if (!(await isOwnerOrToldSo(input, { config, store }))) return 1;
      const plan = await store.unfreezeBudget(budgetId, config.mandate.principal);
      if (plan.isLifted) {
        const words = `budget ${budgetId} can be charged again`;
        input.output.answer({ ok: true, budget_id: budgetId }, [words]);
        return 0;
      }
      const named = `\`${budgetId.slice(0, 120)}\``;
      const words =
        plan.budget === undefined
          ? `there is no budget ${named} in this store: see \`intentplane budgets list\``
          : `budget ${named} is not frozen: nothing changed`;
      input.output.answer({ ok: false, budget_id: budgetId, error: words }, [words]);
      return 1;
    } finally {
      await store.close();
    }
  },
};
