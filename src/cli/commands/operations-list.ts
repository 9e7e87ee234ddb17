// `intentplane operations list`: what was sent and nobody knows what came of it.
import { openStore } from '../../server/open-store.ts';
import { prepare } from '../../server/prepare.ts';
import { type Command, requiredText } from '../command.ts';
import { alignColumns } from '../output.ts';

export const operationsListCommand: Command = {
  name: 'operations list',
  summary: 'list the operations whose outcome is unknown',
  usage: '--config FILE',
  example: 'intentplane operations list --config ./intentplane.toml',
  options: { config: { type: 'string' } },
  optionHelp: { config: 'the TOML file' },
  required: ['config'],
  positionals: [0, 0],
  run: async (input) => {
    const { config } = prepare(requiredText(input, 'config'));
    const { store } = await openStore(config);
    try {
      const operations = await store.readUnknown();
      const rows = operations.map(({ opId, action, movedMs, outcome }) => ({
        op_id: opId,
        action,
        unknown_since: new Date(movedMs).toISOString(),
        outcome: outcome ?? null,
      }));
      input.output.answer(
        { ok: true, operations: rows },
        rows.length === 0
          ? ['every outcome is known']
          : alignColumns(rows.map((row) => [row.unknown_since, row.action, row.op_id])),
      );
      return 0;
    } finally {
      await store.close();
    }
  },
};
