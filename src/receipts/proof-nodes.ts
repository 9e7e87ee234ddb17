// The nodes that a proof needs, read ahead: a database answers later, the tree is computed at once.
import type { ReadNode } from '../core/merkle.ts';
import {
  completeNodes,
  consistencyRanges,
  inclusionRanges,
  type NodeAddress,
} from '../core/merkle-path.ts';

/** Gives the nodes of one inclusion proof; any other one is a `RangeError`. */
export async function readProofNodes(
  { index, size }: { readonly index: number; readonly size: number },
  readNode: (level: number, index: number) => Promise<Uint8Array>,
): Promise<ReadNode> {
  return readNodes(inclusionRanges(index, size).flatMap(completeNodes), readNode);
}

/** Gives the nodes of the proof that a log grew from one size to another. */
export async function readConsistencyNodes(
  { oldSize, size }: { readonly oldSize: number; readonly size: number },
  readNode: (level: number, index: number) => Promise<Uint8Array>,
): Promise<ReadNode> {
  const ranges = oldSize === 0 ? [] : consistencyRanges(oldSize, size);
  return readNodes(ranges.flatMap(completeNodes), readNode);
}

/** Gives exactly these nodes. */
export async function readNodes(
  addresses: readonly NodeAddress[],
  readNode: (level: number, index: number) => Promise<Uint8Array>,
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
