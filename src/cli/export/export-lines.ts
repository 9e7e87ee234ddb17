// Receipts as JSON lines: a range with its proofs, or everything for a program that reads on later.
// Values stay closed: only a bundle discloses any.

import { once } from 'node:events';
import { closeSync, openSync, writeSync } from 'node:fs';
import { encodeBase64 } from '../../core/base64.ts';
import { formatConsistency } from '../../receipts/history-evidence.ts';
import type { OpenedLog } from '../../server/open-log.ts';
import { readConsistency, readInclusion } from '../../server/read-tree-nodes.ts';
import { type StoredLeaf, StoreError } from '../../stores/store.ts';
import { type CommandInput, type ExitCode, optionalText, UsageError } from '../command.ts';
import { consistencyWith } from './kept-checkpoint.ts';

const pageSize = 1_000;

/** First a line with the checkpoint, then one line for each leaf from the first to the last number. */
export async function exportRange(input: CommandInput, log: OpenedLog): Promise<ExitCode> {
  const from = countOf(input.values['range'], '--range');
  const to = countOf(input.positionals[0], '--range');
  const { size, note } = log.checkpoint;
  if (from > to || to >= size) {
    throw new UsageError(
      `there is no range ${from} to ${to}: the signed receipts are 0 to ${size - 1}`,
    );
  }
  const kept = optionalText(input, 'previous');
  const consistency =
    kept === undefined
      ? await readConsistency(log.store, { oldSize: from, size })
      : await consistencyWith(log, kept, size);
  const head = { format: 'intentplane-range/1', from, to, checkpoint: note };
  const out = openLines(input);
  await out.write([{ ...head, consistency: formatConsistency(consistency) }]);
  for await (const leaves of pages(log, { from, end: to + 1 })) {
    const lines = leaves.map(async ({ seq, bytes }) => {
      const path = await readInclusion(log.store, { index: seq, size });
      return { seq, leaf: encodeBase64(bytes), path: path.map(encodeBase64) };
    });
    await out.write(await Promise.all(lines));
  }
  return out.end();
}

/** One line for each signed leaf after number `--after`. */
export async function exportLines(input: CommandInput, log: OpenedLog): Promise<ExitCode> {
  const after = input.values['after'];
  const from = after === undefined ? 0 : countOf(after, '--after') + 1;
  const out = openLines(input);
  for await (const leaves of pages(log, { from, end: log.checkpoint.size })) {
    await out.write(leaves.map(lineOf));
  }
  return out.end();
}

async function* pages(
  { store }: OpenedLog,
  { from, end }: { readonly from: number; readonly end: number },
): AsyncGenerator<readonly StoredLeaf[]> {
  for (let at = from; at < end; at += pageSize) {
    yield await store.readLeaves({ from: at, count: Math.min(pageSize, end - at) });
  }
}

function lineOf({ seq, type, opId, bytes, hash }: StoredLeaf): object {
  const op = opId === undefined ? {} : { op_id: opId };
  return { seq, type, ...op, hash: encodeBase64(hash), leaf: textOf(seq, bytes) };
}

/** The exact text that was hashed. */
function textOf(seq: number, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    const words = `leaf ${seq} is no text: run \`intentplane fsck\``;
    throw new StoreError('LOG_STATE_BAD', words, { cause: error });
  }
}

function countOf(value: unknown, option: string): number {
  const isCount = typeof value === 'string' && /^(?:0|[1-9][0-9]{0,14})$/.test(value);
  if (!isCount) throw new UsageError(`${option} takes numbers of receipts, from 0`);
  return Number(value);
}

interface Lines {
  write(objects: readonly object[]): Promise<void>;
  end(): ExitCode;
}

/** A new file, or standard output. */
function openLines(input: CommandInput): Lines {
  const path = optionalText(input, 'out');
  const file = path === undefined ? undefined : openSync(path, 'wx');
  return {
    write: async (objects) => {
      const text = objects.map((each) => `${JSON.stringify(each)}\n`).join('');
      if (file !== undefined) writeSync(file, text);
      else if (!process.stdout.write(text)) await once(process.stdout, 'drain');
    },
    end: () => {
      if (file !== undefined) {
        closeSync(file);
        input.output.answer({ ok: true, file: path }, [`wrote ${path}`]);
      }
      return 0;
    },
  };
}
