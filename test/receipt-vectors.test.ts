import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { answerVector } from '../scripts/receipt-vectors/answer-vector.ts';
import {
  formatVector,
  makeReceiptVectors,
} from '../scripts/receipt-vectors/make-receipt-vectors.ts';
import type { ReceiptVector } from '../scripts/receipt-vectors/receipt-vector.ts';

const folder = new URL('./vectors/receipts/', import.meta.url);
const files = readdirSync(folder).sort();
const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8');

describe('test/vectors/receipts', () => {
  it('holds vectors of every group', () => {
    const groups = new Set(files.map((file) => file.split('-')[0]));
    expect([...groups].sort()).toEqual(
      [
        ...['approval', 'bundle', 'commitment', 'history', 'key', 'leaf', 'note', 'operation'],
        ...['proof', 'redacted', 'timestamp', 'trust', 'valid', 'witness'],
      ].sort(),
    );
    expect(files.length).toBeGreaterThanOrEqual(200);
  });

  it('is what scripts/generate-receipt-vectors.ts writes', async () => {
    const vectors = await makeReceiptVectors();
    expect([...vectors.keys()].map((name) => `${name}.json`).sort()).toEqual(files);
    for (const [name, vector] of vectors) {
      expect(formatVector(vector), name).toBe(read(`${name}.json`));
    }
  }, 30_000);

  it.each(files)('%s gets its verdict', async (file) => {
    const vector = JSON.parse(read(file)) as ReceiptVector;
    expect(await answerVector(vector)).toEqual(vector.expect);
  });
});
