// `intentplane fsck`: is the store what its own log says? Reads only, also where a start is refused.
import { readFileSync } from 'node:fs';
import { parseCheckpoint } from '../../receipts/checkpoint.ts';
import { parseNote } from '../../receipts/signed-note.ts';
import { logGuard } from '../../server/compose.ts';
import { faultsWayOut, fsckStore } from '../../server/fsck-store.ts';
import { openStoreForReading } from '../../server/open-store.ts';
import { prepare } from '../../server/prepare.ts';
import type { GuardedTree, Store } from '../../stores/store.ts';
import {
  type Command,
  type CommandInput,
  optionalText,
  requiredText,
  UsageError,
} from '../command.ts';

export const fsckCommand: Command = {
  name: 'fsck',
  summary: 'check the whole store: log, signed checkpoints, operations, budgets',
  usage: '--config FILE [--since CHECKPOINT]',
  example: 'intentplane fsck --config ./intentplane.toml',
  options: { config: { type: 'string' }, since: { type: 'string' } },
  optionHelp: {
    config: 'the TOML file',
    since:
      'only what came after it: the file of a checkpoint, or `last` for the newest in the store',
  },
  required: ['config'],
  positionals: [0, 0],
  run: async (input) => {
    const { config } = prepare(requiredText(input, 'config'));
    const store = await openStoreForReading(config);
    try {
      const { faults, leaves, operations, budgets, checkpoints } = await fsckStore(
        store,
        logGuard(config),
        await sinceOf(input, store),
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

/** The tree that is believed: whatever the store says about it must lead to its root. */
async function sinceOf(input: CommandInput, store: Store): Promise<GuardedTree | undefined> {
  const since = optionalText(input, 'since');
  if (since === undefined) return undefined;
  if (since !== 'last') return readCheckpoint(since);
  const last = await store.readLastCheckpoint();
  if (last === undefined) throw new UsageError('--since last: nothing was signed yet');
  return last;
}

function readCheckpoint(path: string): GuardedTree {
  const note = parseNote(readText(path));
  const checkpoint = note.ok ? parseCheckpoint(note.value.text) : undefined;
  if (checkpoint?.ok === true) return checkpoint.value;
  throw new UsageError(`\`${path}\` is no checkpoint: save the signed note as it is`);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(
      `\`${path}\` cannot be read (${(error as NodeJS.ErrnoException).code}): name the file of a checkpoint, or \`last\``,
    );
  }
}
