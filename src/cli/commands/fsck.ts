// `intentplane fsck`: is the store what its own log says? Reads only, also where a start is refused.

import { logGuard } from '../../server/compose.ts';
import { faultsWayOut, fsckStore } from '../../server/fsck-store.ts';
import { openStoreForReading } from '../../server/open-store.ts';
import { prepare } from '../../server/prepare.ts';
import { type Command, requiredText } from '../command.ts';

export const fsckCommand: Command = {
  name: 'fsck',
  summary: 'check the whole store: log, signed checkpoints, operations, budgets',
  usage: '--config FILE',
  example: 'intentplane fsck --config ./intentplane.toml',
  options: { config: { type: 'string' } },
  optionHelp: { config: 'the TOML file' },
  required: ['config'],
  positionals: [0, 0],
  run: async (input) => {
    const { config } = prepare(requiredText(input, 'config'));
    const store = await openStoreForReading(config);
    try {
      const { faults, leaves, operations, budgets, checkpoints } = await fsckStore(
        store,
        logGuard(config),
      );
      const ok = faults.length === 0;
      const seqs = faults.flatMap(({ seq }) => seq ?? []);
      const firstBad = seqs.length === 0 ? null : Math.min(...seqs);
      const checked = `${leaves} leaves, ${checkpoints} checkpoints, ${operations} operations, ${budgets} budgets`;
      input.output.answer(
        {
          ok,
          leaves,
          checkpoints,
          operations,
          budgets,
          first_bad_seq: firstBad,
          faults,
          ...(ok ? {} : { way_out: faultsWayOut }),
        },
        [
          ...faults.map(({ code, words }) => `${code}: ${words}`),
          ok
            ? `checked ${checked}: nothing is wrong`
            : `checked ${checked}: ${faults.length} faults`,
          ...(ok ? [] : [faultsWayOut]),
        ],
      );
      return ok ? 0 : 1;
    } finally {
      await store.close();
    }
  },
};
