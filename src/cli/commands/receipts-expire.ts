// `intentplane receipts expire`: erases values whose time is over, as a gateway does once a day.
import { expirePayloads, retentionTerms } from '../../server/expire-payloads.ts';
import { openStore } from '../../server/open-store.ts';
import { prepare } from '../../server/prepare.ts';
import { type Command, requiredText } from '../command.ts';

export const receiptsExpireCommand: Command = {
  name: 'receipts expire',
  summary: 'erase the values behind receipts that were kept long enough',
  usage: '--config FILE [--dry-run]',
  example: 'intentplane receipts expire --config ./intentplane.toml --dry-run',
  options: { config: { type: 'string' }, 'dry-run': { type: 'boolean' } },
  optionHelp: {
    config: 'the TOML file; its `[[log.retention]]` says how long',
    'dry-run': 'only count',
  },
  required: ['config'],
  positionals: [0, 0],
  run: async (input) => {
    const { config } = prepare(requiredText(input, 'config'));
    const { store } = await openStore(config);
    try {
      const isDryRun = input.values['dry-run'] === true;
      const terms = retentionTerms(config);
      const { leaves, values } = await expirePayloads(store, {
        ...{ terms, nowMs: Date.now(), isDryRun },
      });
      input.output.answer({ ok: true, dry_run: isDryRun, receipts: leaves, values }, [
        isDryRun
          ? `the values behind ${leaves} receipts would be erased`
          : `erased ${values} values behind ${leaves} receipts`,
      ]);
      return 0;
    } finally {
      await store.close();
    }
  },
};
