// `intentplane receipts export`: what an outsider needs to check the log, in the form they ask for.
// Also where a start is refused: then with what was signed before.

import { openLog } from '../../server/open-log.ts';
import { prepare } from '../../server/prepare.ts';
import { writeTiles } from '../../server/write-tiles.ts';
import {
  type Command,
  type CommandInput,
  type ExitCode,
  optionalText,
  requiredText,
  UsageError,
} from '../command.ts';
import { exportLines, exportRange } from '../export/export-lines.ts';
import { exportOperation } from '../export/export-operation.ts';
import { exportCheckpoint, exportTrust } from '../export/export-trust.ts';

export const receiptsExportCommand: Command = {
  name: 'receipts export',
  summary: 'write receipts with their proofs, or what they are checked with',
  usage:
    '--config FILE (--op ID [--closed | --proof] | --range A B | --jsonl [--after SEQ] | --tiles FOLDER | --checkpoint | --trust) [--previous CHECKPOINT] [--out PATH]',
  example: 'intentplane receipts export --config ./intentplane.toml --op 0f3a… --out ./receipts',
  options: {
    config: { type: 'string' },
    op: { type: 'string' },
    closed: { type: 'boolean' },
    proof: { type: 'boolean' },
    range: { type: 'string' },
    jsonl: { type: 'boolean' },
    after: { type: 'string' },
    tiles: { type: 'string' },
    checkpoint: { type: 'boolean' },
    trust: { type: 'boolean' },
    previous: { type: 'string' },
    out: { type: 'string' },
  },
  optionHelp: {
    config: 'the TOML file',
    op: 'bundles of the receipts of this operation (an answer names its id)',
    closed: 'disclose no value',
    proof: 'the proofs alone, as c2sp.org/tlog-proof',
    range: 'the receipts A to B as JSON lines, with proofs to one checkpoint',
    jsonl: 'all receipts as JSON lines',
    after: 'only those after this number',
    tiles: 'a folder as c2sp.org/tlog-tiles has it; what is there already is kept',
    checkpoint: 'the signed checkpoint, to keep for --previous',
    trust: 'the trust file: origin and key of the log',
    previous: 'show that nothing was changed since this checkpoint (with --op and --range)',
    out: 'folder of --op, else a file; standard output without it',
  },
  required: ['config'],
  positionals: [0, 1],
  run: async (input) => {
    const form = formOf(input);
    const { config, log: report } = prepare(requiredText(input, 'config'));
    const log = await openLog(config, report);
    try {
      if (log.refusal !== undefined) {
        const { size } = log.checkpoint;
        input.output.note(
          `${log.refusal.message}; exported from the ${size} receipts that were signed`,
        );
      }
      if (form === 'trust') return await exportTrust(input, config, log);
      return await writers[form](input, log);
    } finally {
      await log.store.close();
    }
  },
};

type Form = 'op' | 'range' | 'jsonl' | 'tiles' | 'checkpoint' | 'trust';

const writers: Readonly<
  Record<
    Exclude<Form, 'trust'>,
    (...of: Parameters<typeof exportLines>) => Promise<ExitCode> | ExitCode
  >
> = {
  op: (input, log) => exportOperation(input, log, requiredText(input, 'op')),
  range: exportRange,
  jsonl: exportLines,
  checkpoint: exportCheckpoint,
  tiles: async (input, log): Promise<ExitCode> => {
    const folder = requiredText(input, 'tiles');
    const { size, written } = await writeTiles(log, folder);
    input.output.answer({ ok: true, folder, size, written }, [
      `wrote ${written} files to ${folder}: ${size} receipts`,
    ]);
    return 0;
  },
};

/** Options that belong to some forms only. */
const companions: Readonly<Record<string, readonly Form[]>> = {
  closed: ['op'],
  proof: ['op'],
  after: ['jsonl'],
  previous: ['op', 'range'],
  out: ['op', 'range', 'jsonl', 'checkpoint', 'trust'],
};

/** The one form that was asked for; a usage error when there is none, or an option of another. */
function formOf(input: CommandInput): Form {
  const given = ([...Object.keys(writers), 'trust'] as Form[]).filter(
    (form) => input.values[form] === true || optionalText(input, form) !== undefined,
  );
  const [form] = given;
  if (form === undefined || given.length > 1) {
    throw new UsageError(
      'choose one of --op ID, --range A B, --jsonl, --tiles FOLDER, --checkpoint, --trust',
    );
  }
  const stray = Object.keys(companions).find(
    (option) => input.values[option] !== undefined && companions[option]?.includes(form) === false,
  );
  if (stray !== undefined) throw new UsageError(`--${stray} does not go with --${form}`);
  const isRange = form === 'range';
  if (isRange !== (input.positionals.length === 1)) {
    throw new UsageError(isRange ? '--range takes two numbers: --range A B' : 'a word too many');
  }
  return form;
}
