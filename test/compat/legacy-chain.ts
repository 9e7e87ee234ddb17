// An independent reading of the 0.5.3 receipts file: JSON lines {seq, ts, data, prev, hash}, each
// hash over the canonical form of the rest, each process a new chain from 64 zeros.
import { createHash } from 'node:crypto';

const NO_HASH = '0'.repeat(64);

/** The line numbers, from 1, whose link or hash does not hold. */
export function brokenLinks(text: string): number[] {
  let prev = NO_HASH;
  return text
    .split('\n')
    .slice(0, -1)
    .flatMap((line, index) => {
      const entry = parseKeepingNumbers(line) as Record<string, unknown>;
      const { hash, ...body } = entry;
      const isLinked = entry['prev'] === prev || entry['prev'] === NO_HASH;
      const isHashed = createHash('sha256').update(canonical(body)).digest('hex') === hash;
      prev = String(hash);
      return isLinked && isHashed ? [] : [index + 1];
    });
}

/** A number as its source text: Python prints 1.0 and 1e-07 where JavaScript prints 1 and 1e-7. */
class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function parseKeepingNumbers(line: string): unknown {
  const revive = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' ? new NumberText(context?.source ?? String(value)) : value;
  return JSON.parse(line, revive as (key: string, value: unknown) => unknown);
}

function canonical(value: unknown): string {
  if (value instanceof NumberText) return value.text;
  if (typeof value === 'string') return escaped(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).sort(([a], [b]) => compareCodePoints(a, b));
  return `{${entries.map(([key, each]) => `${escaped(key)}:${canonical(each)}`).join(',')}}`;
}

function escaped(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (unit) =>
    unit === '\u007f' ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
