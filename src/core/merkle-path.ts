// The shape of a Merkle tree (RFC 6962 section 2.1): which nodes a proof takes, on which side
// they stand. No hashing here, so the log and the browser verifier share one reading of it.

/** The node over the leaves from `index * 2^level` up to the next such multiple. */
export interface NodeAddress {
  readonly level: number;
  readonly index: number;
}

/** Leaves from `start` up to, not including, `end`. */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
}

/** Side on which a proof hash joins the hash computed so far. */
export type Side = 'left' | 'right';

/** Complete nodes that cover a subtree's range from left to right, largest first. */
export function completeNodes(range: LeafRange): NodeAddress[] {
  const nodes: NodeAddress[] = [];
  let start = range.start;
  while (start < range.end) {
    const level = bitLength(range.end - start) - 1;
    nodes.push({ level, index: start / 2 ** level });
    start += 2 ** level;
  }
  return nodes;
}

/** Subtrees whose roots prove that leaf `index` is in the tree of `size`, lowest first. */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  const ranges: LeafRange[] = [];
  let start = 0;
  let end = size;
  while (end - start > 1) {
    const middle = start + splitPoint(end - start);
    if (index < middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
    }
  }
  return ranges.reverse();
}

/** Subtrees whose roots prove that the tree of `oldSize` is a prefix of the tree of `size`. */
export function consistencyRanges(oldSize: number, size: number): LeafRange[] {
  const ranges: LeafRange[] = [];
  let start = 0;
  let end = size;
  while (end !== oldSize) {
    const middle = start + splitPoint(end - start);
    if (oldSize <= middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
    }
  }
  // The old tree itself is a node of the new one: its root is known already.
  if (start > 0) ranges.push({ start, end });
  return ranges.reverse();
}

/** Sides of the hashes of an inclusion proof in order (RFC 9162 section 2.1.3.2). */
export function inclusionSides(index: number, size: number): Side[] {
  const sides: Side[] = [];
  let node = index;
  let last = size - 1;
  while (last > 0) {
    const isLeft = node % 2 === 1 || node === last;
    sides.push(isLeft ? 'left' : 'right');
    // A node without a right sibling moves up unchanged.
    while (isLeft && node % 2 === 0 && node > 0) {
      node /= 2;
      last = Math.floor(last / 2);
    }
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  }
  return sides;
}

/** How a consistency proof is folded: its first hash starts both roots, each further one joins. */
export interface ConsistencyShape {
  /** The old tree is one node: its root is the first hash, and the proof does not repeat it. */
  readonly startsAtOldRoot: boolean;
  /** Sides of the hashes after the first; only those on the left belong to the old tree too. */
  readonly sides: readonly Side[];
}

/** Shape of the proof that `oldSize` is a prefix of `size`, 0 < oldSize < size (RFC 9162 section 2.1.4.2). */
export function consistencyShape(oldSize: number, size: number): ConsistencyShape {
  let node = oldSize - 1;
  let last = size - 1;
  while (node % 2 === 1) {
    node = (node - 1) / 2;
    last = Math.floor(last / 2);
  }
  // Nothing is left of a power of two.
  return { startsAtOldRoot: node === 0, sides: inclusionSides(node, last + 1) };
}

/** Number of binary digits; 0 for 0. Exact where `Math.log2` rounds. */
function bitLength(size: number): number {
  let bits = 0;
  for (let rest = size; rest >= 1; rest /= 2) bits += 1;
  return bits;
}

/** Largest power of two below `size`. */
function splitPoint(size: number): number {
  return 2 ** (bitLength(size - 1) - 1);
}
