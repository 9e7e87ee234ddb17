// The nodes that a proof needs, read ahead: a database answers later, the tree is computed at once.
import type { ReadNode } from '../core/merkle.ts';
import {
  completeNodes,
  consistencyRanges,
  inclusionRanges,
  type NodeAddress,
} from '../core/merkle-path.ts';

/** Gives a node when the store answers. */
export type ReadNodeLater = (level: number, index: number) => Promise<Uint8Array>;

/** Gives the nodes of one inclusion proof; any other one is a `RangeError`. */
export function readProofNodes(
  { index, size }: { readonly index: number; readonly size: number },
  readNode: ReadNodeLater,
): Promise<ReadNode> {
  return readNodesAhead(inclusionRanges(index, size).flatMap(completeNodes), readNode);
}

/** Gives the nodes of the proof that a log grew from one size to another. */
export function readConsistencyNodes(
  { oldSize, size }: { readonly oldSize: number; readonly size: number },
  readNode: ReadNodeLater,
): Promise<ReadNode> {
  const ranges = oldSize === 0 ? [] : consistencyRanges(oldSize, size);
  return readNodesAhead(ranges.flatMap(completeNodes), readNode);
}

/** Gives these nodes; any other one is a `RangeError`. */
export async function readNodesAhead(
  addresses: readonly NodeAddress[],
  readNode: ReadNodeLater,
): Promise<ReadNode> {
  const nodes = new Map(
    await Promise.all(
      addresses.map(
        async (at) => [`${at.level}/${at.index}`, await readNode(at.level, at.index)] as const,
      ),
    ),
  );
  return (level, at) => {
    const node = nodes.get(`${level}/${at}`);
    if (node === undefined) throw new RangeError(`no node ${at} at level ${level}`);
    return node;
  };
}
