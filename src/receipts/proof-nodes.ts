// The nodes that a proof needs, read ahead: a database answers later, the tree is computed at once.
import type { ReadNode } from '../core/merkle.ts';
import { completeNodes, inclusionRanges } from '../core/merkle-path.ts';

/** Gives the nodes of one inclusion proof; any other one is a `RangeError`. */
export async function readProofNodes(
  { index, size }: { readonly index: number; readonly size: number },
  readNode: (level: number, index: number) => Promise<Uint8Array>,
): Promise<ReadNode> {
  const addresses = inclusionRanges(index, size).flatMap(completeNodes);
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
