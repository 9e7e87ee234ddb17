import { describe, expect, it } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import { testBytes, testDigest } from '../testing/store-builders.ts';
import { parseLeaf } from './leaf.ts';
import { appendToLog } from './log-append.ts';
import { appendLeafHash, emptyFrontier, frontierRoot, leafHash, nodeHash } from './merkle.ts';

const stamp = { ts: 5, gw: '0.1.0', config: testDigest, salts: () => testBytes(32) };
const note = { type: 'alarm', open: { kind: 'test', figures: {} }, committed: {} } as const;
const opId = '11'.repeat(16);

describe('appendToLog', () => {
  verifies('RCP-01', 'numbers leaves without a gap, on from what is there', () => {
    const first = appendToLog(emptyFrontier, [note, { ...note, opId }], stamp);
    expect(first.entries.map(({ seq, type, opId: id }) => [seq, type, id])).toEqual([
      [0, 'alarm', undefined],
      [1, 'alarm', opId],
    ]);
    const second = appendToLog(first.frontier, [note], stamp);
    expect(second.entries[0]?.seq).toBe(2);
    expect(parseLeaf(second.entries[0]?.bytes as Uint8Array)).toMatchObject({
      value: { seq: 2, ts: 5, gw: '0.1.0', config: testDigest },
    });
    expect(appendToLog(first.frontier, [], stamp)).toEqual({
      frontier: first.frontier,
      entries: [],
      nodes: [],
    });
  });

  it('hands out the nodes above 256 leaves and the root over all', () => {
    const drafts = Array.from({ length: 513 }, () => note);
    const { frontier, entries, nodes } = appendToLog(emptyFrontier, drafts, stamp);
    let naive = entries.map(({ bytes }) => leafHash(bytes)).slice(0, 256);
    while (naive.length > 1) {
      naive = naive.flatMap((left, i) =>
        i % 2 === 0 ? [nodeHash(left, naive[i + 1] as Uint8Array)] : [],
      );
    }
    expect(nodes.map(({ level, index }) => [level, index])).toEqual([
      [8, 0],
      [8, 1],
    ]);
    expect(nodes[0]?.hash).toEqual(naive[0]);
    let expected = emptyFrontier;
    for (const { hash } of entries) expected = appendLeafHash(expected, hash).frontier;
    expect(frontierRoot(frontier)).toEqual(frontierRoot(expected));
  });
});
