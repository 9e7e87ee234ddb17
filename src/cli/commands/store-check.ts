// `intentplane store check`: whether a gateway can serve on the store, and whether its log holds.
import { checkStore } from '../../server/check-store.ts';
import { prepare } from '../../server/prepare.ts';
import { type Command, requiredText } from '../command.ts';
import { alignColumns } from '../output.ts';

export const storeCheckCommand: Command = {
  name: 'store check',
  summary: 'check the store of a configuration: connection, settings, tables, root of the log',
  usage: '--config FILE',
  example: 'intentplane store check --config ./intentplane.toml',
  options: { config: { type: 'string' } },
  optionHelp: { config: 'the TOML file' },
  required: ['config'],
  positionals: [0, 0],
  run: async (input) => {
    const { config } = prepare(requiredText(input, 'config'));
    const { kind, server, settings, schema, size, root } = await checkStore(config);
    const rootText = Buffer.from(root).toString('base64');
    const figures = {
      kind,
      ...(server === undefined ? {} : { server }),
      ...settings,
      ...(schema === undefined ? {} : { schema }),
      size,
      root: rootText,
    };
    const { size: _size, root: _root, ...rest } = figures;
    input.output.answer(
      { ok: true, ...figures },
      alignColumns([
        ...Object.entries(rest).map(([name, value]) => [name, String(value)]),
        ['log', `${size} leaves, root ${rootText} follows from them`],
      ]),
    );
    return 0;
  },
};
