// `intentplane mcp pins`: what changed in the tools' definitions, and accepting it.

import { openStore } from '../../server/open-store.ts';
import { acceptPins, type Pin, readPins } from '../../server/pins.ts';
import { prepare } from '../../server/prepare.ts';
import { isOwnerOrToldSo } from '../ask-passcode.ts';
import { type Command, optionalText, requiredText, UsageError } from '../command.ts';
import { definitionDiff } from '../definition-diff.ts';
import { alignColumns } from '../output.ts';

export const mcpPinsCommand: Command = {
  name: 'mcp pins',
  summary:
    'compare the recorded tool definitions with what the servers announce, or accept a change',
  usage: '[list | diff | accept] --config FILE [--tool SERVER.TOOL]',
  example: 'intentplane mcp pins diff --config ./intentplane.toml',
  options: { config: { type: 'string' }, tool: { type: 'string' } },
  optionHelp: {
    config: 'the TOML file',
    tool: 'only this tool; accept without it accepts every change',
  },
  required: ['config'],
  positionals: [0, 1],
  run: async (input) => {
    const [verb = 'list'] = input.positionals;
    if (!['list', 'diff', 'accept'].includes(verb))
      throw new UsageError(`\`${verb}\` is not list, diff or accept`);
    const prepared = prepare(requiredText(input, 'config'));
    const { store } = await openStore(prepared.config);
    try {
      const pins = select(await readPins(prepared, store), optionalText(input, 'tool'));
      const changed = pins.filter((pin) => pin.status === 'changed' || pin.status === 'new');
      if (verb === 'accept') {
        if (!(await isOwnerOrToldSo(input, { config: prepared.config, store }, 'wrong passcode')))
          return 1;
        await acceptPins(store, changed);
      }
      input.output.answer(
        { ok: true, accepted: verb === 'accept' ? changed.length : 0, pins: pins.map(row) },
        lines(verb, pins, changed),
      );
      return 0;
    } finally {
      await store.close();
    }
  },
};

function select(pins: readonly Pin[], name: string | undefined): readonly Pin[] {
  if (name === undefined) return pins;
  const found = pins.filter((pin) => `${pin.server}.${pin.tool}` === name);
  if (found.length === 0) throw new UsageError(`the configuration exposes no tool \`${name}\``);
  return found;
}

const row = ({
  server,
  tool,
  status,
  recorded,
  announced,
}: Pin): Readonly<Record<string, unknown>> => ({
  server,
  tool,
  status,
  recorded: recorded?.digest ?? null,
  announced: announced?.digest ?? null,
});

function lines(verb: string, pins: readonly Pin[], changed: readonly Pin[]): readonly string[] {
  if (verb === 'accept')
    return [`accepted ${changed.length} definition${changed.length === 1 ? '' : 's'}`];
  const table = alignColumns(pins.map((pin) => [`${pin.server}.${pin.tool}`, pin.status]));
  if (verb === 'list') return table;
  return changed.flatMap((pin) => ['', `${pin.server}.${pin.tool}`, ...diffLines(pin)]);
}

/** A pin also covers how the server is started, and how numbers are spelled. */
function diffLines({ recorded, announced }: Pin): readonly string[] {
  const diff = definitionDiff(recorded?.definition, announced?.definition);
  if (recorded === undefined || recorded.identity === announced?.identity) return diff;
  return ['! the server is started by another command or with other arguments', ...diff];
}
