// `intentplane keys rotate`: another key signs the log from now on; the old one signs that it does.
import { openStore } from '../../server/open-store.ts';
import { prepare } from '../../server/prepare.ts';
import { rotateLogKey } from '../../server/rotate-log-key.ts';
import { type Command, requiredText } from '../command.ts';

export const keysRotateCommand: Command = {
  name: 'keys rotate',
  summary: 'replace the key that signs the log; gateways go on meanwhile',
  usage: '--config FILE',
  example: 'intentplane keys rotate --config ./intentplane.toml',
  options: { config: { type: 'string' } },
  optionHelp: { config: 'the TOML file' },
  required: ['config'],
  positionals: [0, 0],
  run: async (input) => {
    const { config } = prepare(requiredText(input, 'config'));
    const { store, started } = await openStore(config);
    try {
      const { old, next, size } = await rotateLogKey(config, { store, origin: started.origin });
      input.output.answer(
        { ok: true, origin: started.origin, old: old.keyId, new: next.keyId, size },
        [
          `the log \`${started.origin}\` is signed by ${next.keyId}; ${old.keyId} signed ${size} receipts together with it and is destroyed`,
          'trust files that name the old key stay good: bundles show how the new one followed it',
        ],
      );
      return 0;
    } finally {
      await store.close();
    }
  },
};
