// The Merkle tree as a verifier needs it: roots that follow from proofs, hashed by WebCrypto.
import { consistencyShape, inclusionSides } from '../core/merkle-path.ts';
import { webSha256 } from './web-hash.ts';

/** An inclusion proof: leaf bytes, their place, and the hashes from the sibling up. */
export interface WebInclusion {
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly path: readonly Uint8Array[];
}

/** The root that follows from the proof; undefined when it is not as long as the place demands. */
export async function webInclusionRoot(proof: WebInclusion): Promise<Uint8Array | undefined> {
  const { leaf, index, size, path } = proof;
  const sides = index < size ? inclusionSides(index, size) : undefined;
  if (sides?.length !== path.length) return undefined;
  let hash = await webSha256(Uint8Array.of(0, ...leaf));
  for (const [i, other] of path.entries()) {
    hash = sides[i] === 'left' ? await node(other, hash) : await node(hash, other);
  }
  return hash;
}

/** A consistency proof between two sizes, 0 < `oldSize` < `size`. */
export interface WebConsistency {
  readonly oldSize: number;
  readonly oldRoot: Uint8Array;
  readonly size: number;
  readonly path: readonly Uint8Array[];
}

/** Both roots that follow from the proof; undefined when it is not as long as the sizes demand. */
export async function webConsistencyRoots({
  oldSize,
  oldRoot,
  size,
  path,
}: WebConsistency): Promise<readonly [old: Uint8Array, root: Uint8Array] | undefined> {
  const { startsAtOldRoot, sides } = consistencyShape(oldSize, size);
  const [first, ...rest] = startsAtOldRoot ? [oldRoot, ...path] : path;
  if (first === undefined || rest.length !== sides.length) return undefined;
  let [old, root] = [first, first];
  for (const [i, hash] of rest.entries()) {
    if (sides[i] === 'left') {
      old = await node(hash, old);
      root = await node(hash, root);
    } else root = await node(root, hash);
  }
  return [old, root];
}

/** Equality of two public hashes. Not constant-time: never for a secret. */
export const isSameRoot = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && left.every((byte, i) => byte === right[i]);

const node = (left: Uint8Array, right: Uint8Array): Promise<Uint8Array> =>
  webSha256(Uint8Array.of(1, ...left, ...right));
