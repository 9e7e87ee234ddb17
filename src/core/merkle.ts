// The Merkle tree of RFC 6962 over SHA-256. A log keeps the frontier in one row, the hash of
// each leaf, and one hash for each complete 256 leaves, 65,536 leaves and so on (tiles of
// height 8): every other node is recomputed from at most 128 of those.
import {
  completeNodes,
  consistencyRanges,
  consistencyShape,
  inclusionRanges,
  inclusionSides,
  type LeafRange,
} from './merkle-path.ts';
import { sha256 } from './sha256.ts';

/** Bytes of every hash in the tree. */
const hashSizeBytes = 32;

/** Roots of the complete subtrees of a tree, largest first: one per binary 1 of `size`. */
export interface Frontier {
  readonly size: number;
  readonly nodes: readonly Uint8Array[];
}

/** A node that will never change again; level 0 is a leaf. */
export interface CompleteNode {
  readonly level: number;
  readonly index: number;
  readonly hash: Uint8Array;
}

/** Gives the hash of a complete node. */
export type ReadNode = (level: number, index: number) => Uint8Array;

/** Consecutive hashes of one tile level: level 0 are leaf hashes, level 1 roots of 256 leaves. */
export interface TileHashes {
  readonly tileLevel: number;
  readonly start: number;
  readonly count: number;
}

/** The tree without a leaf. */
export const emptyFrontier: Frontier = { size: 0, nodes: [] };

/** Hash of a leaf's bytes, or of the UTF-8 form of its text. */
export function leafHash(bytes: Uint8Array | string): Uint8Array {
  if (typeof bytes === 'string') return sha256(`\u0000${bytes}`);
  const prefixed = new Uint8Array(bytes.length + 1);
  prefixed.set(bytes, 1);
  return sha256(prefixed);
}

/** Hash of an inner node. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  nodeBytes.set(left, 1);
  nodeBytes.set(right, 1 + hashSizeBytes);
  return sha256(nodeBytes);
}

/** Adds one leaf; `completed` are the nodes this leaf completes, the leaf itself first. */
export function appendLeafHash(
  frontier: Frontier,
  hash: Uint8Array,
): { readonly frontier: Frontier; readonly completed: readonly CompleteNode[] } {
  const nodes = [...frontier.nodes];
  const completed: CompleteNode[] = [{ level: 0, index: frontier.size, hash }];
  let node = hash;
  let index = frontier.size;
  for (let level = 1; index % 2 === 1; level += 1) {
    node = nodeHash(nodes.pop() as Uint8Array, node);
    index = (index - 1) / 2;
    completed.push({ level, index, hash: node });
  }
  nodes.push(node);
  return { frontier: { size: frontier.size + 1, nodes }, completed };
}

/** Root of the tree; of the empty one SHA-256 of nothing. */
export function frontierRoot(frontier: Frontier): Uint8Array {
  return foldRight(frontier.nodes) ?? sha256('');
}

/** The frontier as one value for a store row; the size stands beside it. */
export function encodeFrontier(frontier: Frontier): Uint8Array {
  const bytes = new Uint8Array(frontier.nodes.length * hashSizeBytes);
  for (const [i, node] of frontier.nodes.entries()) bytes.set(node, i * hashSizeBytes);
  return bytes;
}

/** Reads a stored frontier; undefined when the bytes cannot belong to a tree of this size. */
export function decodeFrontier(size: number, bytes: Uint8Array): Frontier | undefined {
  const count = completeNodes({ start: 0, end: size }).length;
  if (bytes.length !== count * hashSizeBytes) return undefined;
  const nodes = Array.from({ length: count }, (_, i) =>
    bytes.slice(i * hashSizeBytes, (i + 1) * hashSizeBytes),
  );
  return { size, nodes };
}

/** The frontier and so the root of an earlier or equal size, from complete nodes. */
export function frontierAt(size: number, readNode: ReadNode): Frontier {
  const nodes = completeNodes({ start: 0, end: size });
  return { size, nodes: nodes.map(({ level, index }) => readNode(level, index)) };
}

/** True for a node that a log keeps beside the leaf hashes. */
export function isTileNode(node: CompleteNode): boolean {
  return node.level > 0 && node.level % tileHeight === 0;
}

/** Reads any complete node from what a log keeps. */
export function tileNodeReader(readHashes: (row: TileHashes) => readonly Uint8Array[]): ReadNode {
  return (level, index) => {
    const row = tileHashesOf(level, index);
    let hashes = readHashes(row);
    if (hashes.length !== row.count) throw new RangeError(`no node ${index} at level ${level}`);
    while (hashes.length > 1) hashes = pairUp(hashes);
    return hashes[0] as Uint8Array;
  };
}

/** The stored hashes that a complete node is computed from. */
export function tileHashesOf(level: number, index: number): TileHashes {
  const count = 2 ** (level % tileHeight);
  return { tileLevel: Math.floor(level / tileHeight), start: index * count, count };
}

/** Inclusion proof of leaf `index` in the tree of `size` (RFC 6962 section 2.1.1). */
export function inclusionPath(index: number, size: number, readNode: ReadNode): Uint8Array[] {
  if (!(index >= 0 && index < size)) throw new RangeError(`no leaf ${index} in ${size}`);
  return inclusionRanges(index, size).map((range) => rangeRoot(range, readNode));
}

/** Proof that the tree of `oldSize` is a prefix of the one of `size` (RFC 6962 section 2.1.2). */
export function consistencyPath(oldSize: number, size: number, readNode: ReadNode): Uint8Array[] {
  if (!(oldSize >= 0 && oldSize <= size)) throw new RangeError(`no size ${oldSize} in ${size}`);
  if (oldSize === 0) return [];
  return consistencyRanges(oldSize, size).map((range) => rangeRoot(range, readNode));
}

/** What an inclusion proof claims. */
export interface InclusionProof {
  readonly index: number;
  readonly size: number;
  readonly leafHash: Uint8Array;
  readonly path: readonly Uint8Array[];
}

/** The root that follows from a proof; undefined when the proof has the wrong length. */
export function rootFromInclusion(proof: InclusionProof): Uint8Array | undefined {
  if (!(proof.index >= 0 && proof.index < proof.size)) return undefined;
  const sides = inclusionSides(proof.index, proof.size);
  if (sides.length !== proof.path.length) return undefined;
  return proof.path.reduce(
    (hash, other, i) => (sides[i] === 'left' ? nodeHash(other, hash) : nodeHash(hash, other)),
    proof.leafHash,
  );
}

/** Two trees, and the proof that the first is a prefix of the second. */
export interface ConsistencyProof {
  readonly oldSize: number;
  readonly oldRoot: Uint8Array;
  readonly size: number;
  readonly root: Uint8Array;
  readonly path: readonly Uint8Array[];
}

/** Whether the proof holds (RFC 9162 section 2.1.4.2). */
export function isConsistent(proof: ConsistencyProof): boolean {
  const { oldSize, size, oldRoot, root, path } = proof;
  if (!(oldSize >= 0 && oldSize <= size)) return false;
  if (oldSize === size) return path.length === 0 && isSameHash(oldRoot, root);
  if (oldSize === 0) return path.length === 0 && isSameHash(oldRoot, sha256(''));
  const roots = consistencyRoots(proof);
  return roots !== undefined && isSameHash(roots[0], oldRoot) && isSameHash(roots[1], root);
}

/** Equality of two public hashes. Not constant-time: never for a secret. */
export function isSameHash(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, i) => byte === right[i]);
}

const tileHeight = 8;
const nodeBytes = Uint8Array.of(1, ...new Uint8Array(2 * hashSizeBytes));

function foldRight(nodes: readonly Uint8Array[]): Uint8Array | undefined {
  let root = nodes.at(-1);
  for (let i = nodes.length - 2; i >= 0; i -= 1) {
    root = nodeHash(nodes[i] as Uint8Array, root as Uint8Array);
  }
  return root;
}

function pairUp(hashes: readonly Uint8Array[]): Uint8Array[] {
  const pairs: Uint8Array[] = [];
  for (let i = 0; i < hashes.length; i += 2) {
    pairs.push(nodeHash(hashes[i] as Uint8Array, hashes[i + 1] as Uint8Array));
  }
  return pairs;
}

function rangeRoot(range: LeafRange, readNode: ReadNode): Uint8Array {
  const nodes = completeNodes(range).map(({ level, index }) => readNode(level, index));
  return foldRight(nodes) as Uint8Array;
}

function consistencyRoots(proof: ConsistencyProof): [Uint8Array, Uint8Array] | undefined {
  const { startsAtOldRoot, sides } = consistencyShape(proof.oldSize, proof.size);
  const hashes = startsAtOldRoot ? [proof.oldRoot, ...proof.path] : proof.path;
  const first = hashes[0];
  if (first === undefined || hashes.length !== sides.length + 1) return undefined;
  let [oldRoot, root] = [first, first];
  for (const [i, side] of sides.entries()) {
    const hash = hashes[i + 1] as Uint8Array;
    if (side === 'left') oldRoot = nodeHash(hash, oldRoot);
    root = side === 'left' ? nodeHash(hash, root) : nodeHash(root, hash);
  }
  return [oldRoot, root];
}
