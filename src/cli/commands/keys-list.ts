// `intentplane keys list`: which keys the log had, and what each is worth.
import { type LogKeyRow, listLogKeys } from '../../server/list-log-keys.ts';
import { openStore } from '../../server/open-store.ts';
import { prepare } from '../../server/prepare.ts';
import { type Command, requiredText } from '../command.ts';
import { alignColumns } from '../output.ts';

export const keysListCommand: Command = {
  name: 'keys list',
  summary: 'list the keys of the log, the retired and distrusted ones too',
  usage: '--config FILE',
  example: 'intentplane keys list --config ./intentplane.toml',
  options: { config: { type: 'string' } },
  optionHelp: { config: 'the TOML file' },
  required: ['config'],
  positionals: [0, 0],
  run: async (input) => {
    const { config } = prepare(requiredText(input, 'config'));
    const { store, started } = await openStore(config);
    try {
      const { origin } = started;
      const keys = await listLogKeys(config, { store, origin });
      input.output.answer(
        { ok: true, origin, keys: keys.map(toJson) },
        alignColumns(keys.map(toRow)),
      );
      return 0;
    } finally {
      await store.close();
    }
  },
};

const toJson = ({ keyId, key, status, since, distrustedAfter }: LogKeyRow): object => ({
  key_id: keyId,
  key,
  status,
  since: since ?? null,
  distrusted_after: distrustedAfter ?? null,
});

const toRow = ({ keyId, key, status, since, distrustedAfter }: LogKeyRow): readonly string[] => [
  keyId,
  status,
  since === undefined ? 'since the beginning' : `since receipt ${since}`,
  distrustedAfter === undefined ? '' : `distrusted after receipt ${distrustedAfter}`,
  key,
];
