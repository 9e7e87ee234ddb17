// Roots and proofs of a stored log: the nodes are read first, since a database answers later.
import {
  consistencyPath,
  frontierAt,
  frontierRoot,
  inclusionPath,
  type ReadNode,
} from '../core/merkle.ts';
import { completeNodes } from '../core/merkle-path.ts';
import type { ConsistencyEvidence } from '../receipts/history-evidence.ts';
import {
  type ReadNodeLater,
  readConsistencyNodes,
  readNodesAhead,
  readProofNodes,
} from '../receipts/proof-nodes.ts';
import type { Store } from '../stores/store.ts';

/** Root of the first `size` leaves. Rejects with `RangeError` when there are fewer. */
export async function readRootAt(store: Store, size: number): Promise<Uint8Array> {
  const readNode = await readNodesAhead(completeNodes({ start: 0, end: size }), nodesOf(store));
  return frontierRoot(frontierAt(size, readNode));
}

/** Proof that the tree of `oldSize` is the beginning of the one of `size`. */
export async function readConsistency(
  store: Store,
  { oldSize, size }: { readonly oldSize: number; readonly size: number },
): Promise<ConsistencyEvidence> {
  const readNode = await readConsistencyNodes({ oldSize, size }, nodesOf(store));
  return { size: oldSize, path: consistencyPath(oldSize, size, readNode) };
}

/** The nodes between leaf `index` and the root of the first `size` leaves. */
export function readInclusionNodes(
  store: Store,
  at: { readonly index: number; readonly size: number },
): Promise<ReadNode> {
  return readProofNodes(at, nodesOf(store));
}

/** Hashes from the sibling of leaf `index` up to the root of the first `size` leaves. */
export async function readInclusion(
  store: Store,
  at: { readonly index: number; readonly size: number },
): Promise<readonly Uint8Array[]> {
  return inclusionPath(at.index, at.size, await readInclusionNodes(store, at));
}

const nodesOf =
  (store: Store): ReadNodeLater =>
  (level, index) =>
    store.readNode(level, index);
