// A checkpoint's note with the lines of witnesses under it.
import { decodeBase64 } from '../core/base64.ts';

/** Lines that a note may have, well below what verifiers read. */
const linesMax = 64;

/** The note with those of `lines` whose key has none there yet; `lines` end with a line feed each. */
export function addLines(note: string, lines: string): string {
  const block = note.slice(note.lastIndexOf('\n\n') + 2);
  const known = new Set(splitLines(block).map(keyOf));
  const added: string[] = [];
  for (const line of splitLines(lines)) {
    const key = keyOf(line);
    if (known.has(key) || known.size >= linesMax) continue;
    known.add(key);
    added.push(`${line}\n`);
  }
  return note + added.join('');
}

const splitLines = (block: string): readonly string[] =>
  block.split('\n').filter((line) => line !== '');

/** Name and id of the key of a signature line. */
function keyOf(line: string): string {
  const [, name, encoded = ''] = line.split(' ');
  const bytes = decodeBase64(encoded);
  const id = bytes.ok ? Buffer.from(bytes.value.subarray(0, 4)).toString('hex') : encoded;
  return `${name} ${id}`;
}
