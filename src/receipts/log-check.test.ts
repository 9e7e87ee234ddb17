import { describe, expect, it } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import type { CanonicalValue } from '../core/canonical-json.ts';
import type { LeafDraft } from '../core/leaf.ts';
import { appendToLog, type LogEntry } from '../core/log-append.ts';
import { emptyFrontier, frontierRoot, leafHash } from '../core/merkle.ts';
import { type CheckedLeaf, LogCheck, type SignedSize } from './log-check.ts';

const opId = (digit: string): string => digit.repeat(32);
const decision = (
  id: string,
  state: string,
  open: Readonly<Record<string, CanonicalValue>> = {},
): LeafDraft => ({
  type: 'decision',
  opId: id,
  state,
  open: { decision: 'allow', ...open },
  committed: { rules: ['small'] },
});
const consumed = (request: string): LeafDraft => ({
  type: 'approval.end',
  opId: opId('a'),
  open: { request, end: 'CONSUMED' },
  committed: {},
});

/** A sealed log of these leaves. */
function logOf(drafts: readonly LeafDraft[]): {
  readonly leaves: readonly LogEntry[];
  readonly tree: SignedSize;
} {
  const salts = (): Uint8Array => new Uint8Array(32).fill(7);
  const stamp = { ts: 1_000, gw: '1', config: 'c', salts };
  const { entries, frontier } = appendToLog(emptyFrontier, drafts, stamp);
  return { leaves: entries, tree: { size: frontier.size, root: frontierRoot(frontier) } };
}

function check(
  leaves: readonly CheckedLeaf[],
  tree: SignedSize,
  signed: readonly SignedSize[] = [tree],
): LogCheck {
  const log = new LogCheck(signed);
  for (const leaf of leaves) log.add(leaf);
  log.end(tree);
  return log;
}

const found = (log: LogCheck): readonly unknown[] => log.faults.map(({ code, seq }) => [code, seq]);

const three = logOf([
  decision(opId('a'), 'DISPATCHING'),
  decision(opId('b'), 'DENIED'),
  decision(opId('c'), 'ASKING', { joins: opId('d') }),
]);

/** The log with one leaf replaced. */
const withLeaf = (seq: number, change: Partial<CheckedLeaf>): readonly CheckedLeaf[] =>
  three.leaves.map((leaf) => (leaf.seq === seq ? { ...leaf, ...change } : leaf));

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('LogCheck', () => {
  verifies('RCP-21', 'finds nothing in a log that is whole', () => {
    const log = check(three.leaves, three.tree);
    expect(log.faults).toEqual([]);
    expect(log.size).toBe(3);
    // Refusals and decisions about earlier operations have no state of their own.
    expect([...log.states]).toEqual([[opId('a'), 'DISPATCHING']]);
  });

  verifies('RCP-21', 'follows each approval to its end', () => {
    const about = (type: LeafDraft['type'], open: LeafDraft['open'], digit: string): LeafDraft => ({
      type,
      opId: opId(digit),
      open: { request: `r${digit}`, ...open },
      committed: {},
    });
    const { leaves, tree } = logOf([
      ...['a', 'b', 'c', 'd'].map((digit) => about('approval.request', {}, digit)),
      ...['b', 'd'].map((digit) => about('approval.answer', { verdict: 'approve' }, digit)),
      about('approval.answer', { verdict: 'reject' }, 'c'),
      about('approval.end', { end: 'CONSUMED' }, 'd'),
    ]);
    const log = check(leaves, tree);
    expect(log.faults).toEqual([]);
    expect(Object.fromEntries(log.approvals)).toEqual({
      [opId('a')]: 'REQUESTED',
      [opId('b')]: 'GRANTED',
      [opId('c')]: 'REJECTED',
      [opId('d')]: 'CONSUMED',
    });
  });

  verifies('RCP-21', 'names the leaf whose bytes changed', () => {
    const other = encode(
      new TextDecoder().decode(three.leaves[1]?.bytes).replace('allow', 'alloy'),
    );
    expect(found(check(withLeaf(1, { bytes: other }), three.tree))).toEqual([['LEAF_CHANGED', 1]]);
  });

  verifies('RCP-21', 'names the leaf that is missing, and everything that no longer fits', () => {
    const log = check([three.leaves[0], three.leaves[2]] as CheckedLeaf[], three.tree);
    expect(found(log)).toEqual([
      ['LEAF_MISSING', 1],
      ['ROOT_MISMATCH', 2],
      ['CHECKPOINT_MISMATCH', 2],
    ]);
  });

  verifies('RCP-16', 'finds a tail that was cut although the state was rewritten', () => {
    const short = logOf([decision(opId('a'), 'DISPATCHING')]);
    const log = check(short.leaves, short.tree, [three.tree]);
    expect(found(log)).toEqual([['CHECKPOINT_MISMATCH', 1]]);
    expect(log.faults[0]?.words).toContain('its tail was cut');
  });

  verifies('RCP-16', 'finds a log that was rewritten since it was signed', () => {
    const other = logOf([decision(opId('e'), 'DISPATCHING')]);
    const signed = logOf([decision(opId('a'), 'DISPATCHING')]).tree;
    expect(found(check(other.leaves, other.tree, [signed]))).toEqual([
      ['CHECKPOINT_MISMATCH', undefined],
    ]);
    expect(found(check(other.leaves, { ...other.tree, root: signed.root }, []))).toEqual([
      ['ROOT_MISMATCH', undefined],
    ]);
  });

  verifies('RCP-21', 'finds values and salts that are not the committed ones', () => {
    const opening = three.leaves[0]?.payload['rules'];
    const payloads = [
      { rules: { ...opening, value: '["large"]' } },
      { rules: { ...opening, salt: 'AAAA' } },
      { rules: { ...opening, salt: '!' } },
      { other: opening },
    ];
    for (const payload of payloads) {
      const leaves = withLeaf(0, { payload: payload as CheckedLeaf['payload'] });
      expect(found(check(leaves, three.tree))).toEqual([['COMMITMENT_MISMATCH', 0]]);
    }
    // An erased payload opens nothing, and nothing is wrong with it.
    expect(found(check(withLeaf(0, { payload: {} }), three.tree))).toEqual([]);
  });

  it('finds leaves that are none', () => {
    for (const text of [
      '',
      '[]',
      '{"type":"decision"}',
      '{"type":"decision","ts":1,"commit":null}',
    ]) {
      const bytes = encode(text);
      const leaves = withLeaf(2, { bytes, hash: leafHash(bytes) });
      expect(found(check(leaves, three.tree, []))).toEqual([
        ['LEAF_MALFORMED', 2],
        ['ROOT_MISMATCH', undefined],
      ]);
    }
  });

  it('finds a leaf that names another place or an earlier time', () => {
    const text = new TextDecoder().decode(three.leaves[2]?.bytes);
    for (const [from, to] of [
      ['"seq":2', '"seq":5'],
      ['"ts":1000', '"ts":999'],
    ] as const) {
      const bytes = encode(text.replace(from, to));
      const log = check(withLeaf(2, { bytes, hash: leafHash(bytes) }), three.tree, []);
      expect(found(log)[0]).toEqual(['LEAF_OUT_OF_ORDER', 2]);
    }
  });

  it('finds a request that was used twice', () => {
    const twice = logOf([consumed('r'), consumed('s'), consumed('r')]);
    expect(found(check(twice.leaves, twice.tree))).toEqual([['APPROVAL_USED_TWICE', 2]]);
  });

  it('compares the nodes of the tiles', () => {
    const many = logOf(Array.from({ length: 300 }, () => decision(opId('a'), 'DISPATCHING')));
    const log = check(many.leaves, many.tree);
    const [tile, ...more] = log.takeTiles();
    expect(more).toEqual([]);
    expect(tile).toMatchObject({ level: 8, index: 0 });
    expect(log.takeTiles()).toEqual([]);
    if (tile === undefined) throw new Error('no tile');
    log.compareTile(tile, tile.hash);
    expect(log.faults).toEqual([]);
    log.compareTile(tile, new Uint8Array(32));
    log.compareTile(tile, undefined);
    expect(found(log)).toEqual([
      ['TILE_MISMATCH', 0],
      ['TILE_MISMATCH', 0],
    ]);
  });

  it('stops counting in a log where everything is wrong', () => {
    const many = logOf(Array.from({ length: 150 }, () => decision(opId('a'), 'DISPATCHING')));
    const leaves = many.leaves.map((leaf) => ({ ...leaf, hash: new Uint8Array(32) }));
    expect(check(leaves, many.tree).faults).toHaveLength(100);
  });
});
