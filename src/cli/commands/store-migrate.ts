// `intentplane store migrate`: brings the tables of a database to the version of this program.
import { migrateStore } from '../../server/compose.ts';
import { prepare } from '../../server/prepare.ts';
import { type Command, requiredText } from '../command.ts';

export const storeMigrateCommand: Command = {
  name: 'store migrate',
  summary: 'make or update the tables of a PostgreSQL store',
  usage: '--config FILE',
  example: 'intentplane store migrate --config ./intentplane.toml',
  options: { config: { type: 'string' } },
  optionHelp: { config: 'the TOML file; gateways of an older version must be stopped' },
  required: ['config'],
  positionals: [0, 0],
  run: async (input) => {
    const { config } = prepare(requiredText(input, 'config'));
    const report = await migrateStore(config);
    if (report === undefined) {
      input.output.answer({ ok: true, applied: [] }, [
        'nothing to do: a SQLite store migrates by itself when a gateway starts',
      ]);
      return 0;
    }
    const { from, to, applied } = report;
    input.output.answer(
      { ok: true, from, to, applied },
      applied.length === 0
        ? [`nothing to do: the tables have version ${to}`]
        : [...applied.map((name) => `applied ${name}`), `the tables have version ${to} now`],
    );
    return 0;
  },
};
