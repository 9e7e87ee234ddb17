// What was erased, as one JSON line each in a file beside the key: places, names of fields and
// hashes of leaves, no values. It must not lie in what is backed up with the store.
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { decodeBase64, encodeBase64 } from '../../core/base64.ts';
import { type Erasure, redactionBases } from '../../core/moves/plan-redaction.ts';
import type { RedactionList } from '../../stores/erasure.ts';
import { StoreError } from '../../stores/store.ts';
import { syncFolder } from './durable-file.ts';

const lineSchema = z.strictObject({
  seq: z.int().nonnegative(),
  leaf: z.string(),
  fields: z.array(z.string()).min(1),
  basis: z.enum(redactionBases),
});

/** `path` is made with the first redaction. */
export function createRedactionFile(path: string): RedactionList {
  return {
    place: path,
    read: () =>
      wholeLines(readText(path))
        .split('\n')
        .slice(0, -1)
        .map((line, i) => parseLine(path, line, i + 1)),
    append: (erasures) => {
      try {
        appendDurably(path, erasures.map(formatLine).join(''));
      } catch (error) {
        throw new StoreError(
          'STORE_NOT_WRITABLE',
          `the redaction list \`${path}\` cannot be written`,
          {
            cause: error,
          },
        );
      }
    },
  };
}

/** A line that a crash cut short is none: nothing was erased for it. */
const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf('\n') + 1);

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new StoreError('GUARD_MISSING', `the redaction list \`${path}\` cannot be read`, {
      cause: error,
      fatal: true,
    });
  }
}

function appendDurably(path: string, lines: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const isNew = !existsSync(path);
  const wholeBytes = Buffer.byteLength(wholeLines(readText(path)));
  const file = openSync(path, isNew ? 'wx' : 'r+', 0o600);
  try {
    ftruncateSync(file, wholeBytes);
    writeSync(file, Buffer.from(lines), 0, undefined, wholeBytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  if (isNew) syncFolder(dirname(path));
}

function formatLine({ seq, leafHash, fields, basis }: Erasure): string {
  return `${JSON.stringify({ seq, leaf: encodeBase64(leafHash), fields, basis })}\n`;
}

function parseLine(path: string, line: string, number: number): Erasure {
  const parsed = lineSchema.safeParse(parseJson(line));
  const leafHash = parsed.success ? decodeBase64(parsed.data.leaf) : undefined;
  if (!parsed.success || leafHash?.ok !== true || leafHash.value.length !== 32) {
    const words = `line ${number} of the redaction list \`${path}\` is no entry: put the right file back`;
    throw new StoreError('GUARD_MISSING', words, { fatal: true });
  }
  const { seq, fields, basis } = parsed.data;
  return { seq, leafHash: leafHash.value, fields, basis };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
