// `intentplane receipts show`: what the log holds, newest last.

import { openStore } from '../../server/open-store.ts';
import { prepare } from '../../server/prepare.ts';
import type { StoredLeaf } from '../../stores/store.ts';
import {
  type Command,
  type CommandInput,
  optionalText,
  requiredText,
  UsageError,
} from '../command.ts';
import { alignColumns } from '../output.ts';

const lastDefault = 50;
const decoder = new TextDecoder();

export const receiptsShowCommand: Command = {
  name: 'receipts show',
  summary: 'list the receipts of a configuration',
  usage: '--config FILE [--op ID] [--last N]',
  example: 'intentplane receipts show --config ./intentplane.toml --last 20',
  options: { config: { type: 'string' }, op: { type: 'string' }, last: { type: 'string' } },
  optionHelp: {
    config: 'the TOML file',
    op: 'only the receipts of this operation or decision',
    last: `how many of the newest (${lastDefault})`,
  },
  required: ['config'],
  positionals: [0, 0],
  run: async (input) => {
    const { config } = prepare(requiredText(input, 'config'));
    const { store, started } = await openStore(config);
    try {
      const leaves = await store.readLeaves(queryOf(input, started.logSize));
      const rows = leaves.map(rowOf);
      input.output.answer(
        { ok: true, origin: started.origin, size: started.logSize, receipts: rows },
        alignColumns(
          rows.map((row) => [
            String(row.seq),
            new Date(row.ts).toISOString(),
            row.type,
            row.state ?? '',
            row.code ?? '',
            row.op_id ?? '',
          ]),
        ),
      );
      return 0;
    } finally {
      await store.close();
    }
  },
};

function queryOf(
  input: CommandInput,
  size: number,
): { opId: string } | { from: number; count: number } {
  const opId = optionalText(input, 'op');
  if (opId !== undefined) return { opId };
  const last = Number(optionalText(input, 'last') ?? lastDefault);
  if (!Number.isInteger(last) || last < 1 || last > 10_000)
    throw new UsageError('--last takes a number from 1 to 10000');
  return { from: Math.max(0, size - last), count: last };
}

interface Row {
  readonly seq: number;
  readonly ts: number;
  readonly type: string;
  readonly state?: string;
  readonly code?: string;
  readonly op_id?: string;
}

function rowOf(leaf: StoredLeaf): Row {
  return JSON.parse(decoder.decode(leaf.bytes)) as Row;
}
