// `intentplane keys distrust`: says in the log that an earlier key is not believed any more.
import { listLogKeys } from '../../server/list-log-keys.ts';
import { openStore } from '../../server/open-store.ts';
import { prepare } from '../../server/prepare.ts';
import { isOwnerOrToldSo } from '../ask-passcode.ts';
import { type Command, requiredText, UsageError } from '../command.ts';

export const keysDistrustCommand: Command = {
  name: 'keys distrust',
  summary: 'declare that an earlier key of the log leaked: later trees under it do not count',
  usage: '--config FILE --after SEQ KEY_ID',
  example: 'intentplane keys distrust --config ./intentplane.toml --after 1804 5d534cf5',
  options: { config: { type: 'string' }, after: { type: 'string' } },
  optionHelp: {
    config: 'the TOML file; its passcode is asked for when one is set',
    after: 'number of the last receipt that the key may still vouch for',
  },
  required: ['config', 'after'],
  positionals: [1, 1],
  run: async (input) => {
    const after = readCount(requiredText(input, 'after'));
    const [keyId] = input.positionals;
    const { config } = prepare(requiredText(input, 'config'));
    const { store, started } = await openStore(config);
    try {
      const keys = await listLogKeys(config, { store, origin: started.origin });
      const row = keys.find((each) => each.keyId === keyId);
      if (row === undefined) {
        throw new UsageError(`the log had no key \`${keyId}\`: see intentplane keys list`);
      }
      if (row.status !== 'retired') {
        throw new UsageError(`\`${keyId}\` still signs: run intentplane keys rotate first`);
      }
      if (!(await isOwnerOrToldSo(input, { config, store }, 'wrong passcode'))) return 1;
      const open = { purpose: 'log', key: row.key, after };
      await store.appendLeaves([{ type: 'key.distrust', open, committed: {} }]);
      input.output.answer({ ok: true, key_id: row.keyId, after }, [
        `trees with receipts after ${after} do not count under ${row.keyId} any more; give auditors a new trust file`,
      ]);
      return 0;
    } finally {
      await store.close();
    }
  },
};

function readCount(text: string): number {
  if (!/^(?:0|[1-9][0-9]{0,14})$/.test(text)) {
    throw new UsageError('--after takes the number of a receipt, from 0');
  }
  return Number(text);
}
