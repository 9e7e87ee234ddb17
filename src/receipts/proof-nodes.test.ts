import { describe, expect, it } from 'vitest';
import { inclusionPath } from '../core/merkle.ts';
import { readProofNodes } from './proof-nodes.ts';

describe('readProofNodes', () => {
  const nodeOf = (level: number, index: number): Uint8Array => Uint8Array.of(level, index);

  it('reads what the proof of a leaf needs and nothing else', async () => {
    const read: string[] = [];
    const readNode = await readProofNodes({ index: 5, size: 8 }, async (level, index) => {
      read.push(`${level}/${index}`);
      return nodeOf(level, index);
    });
    expect(read.toSorted()).toEqual(['0/4', '1/3', '2/0']);
    expect(inclusionPath(5, 8, readNode)).toEqual([nodeOf(0, 4), nodeOf(1, 3), nodeOf(2, 0)]);
    expect(() => readNode(0, 0)).toThrow(RangeError);
  });
});
