// Makes the bundle of one stored receipt: proof to a signed checkpoint, and the chosen fields.
import type { FieldOpening } from '../core/leaf.ts';
import { inclusionPath, type ReadNode } from '../core/merkle.ts';
import { formatBundle } from './bundle.ts';
import type { ConsistencyEvidence, KeyStatement } from './history-evidence.ts';
import { formatTlogProof } from './tlog-proof.ts';

/** One receipt and the tree it is proven against. */
export interface BundleSource {
  readonly seq: number;
  readonly leaf: Uint8Array;
  /** The fields to disclose, with what opens them; a field left out stays closed. */
  readonly disclosed: Readonly<Record<string, FieldOpening>>;
  /** Fields whose values were erased. */
  readonly redacted?: readonly string[];
  /** Size that the checkpoint signs. */
  readonly size: number;
  /** The checkpoint's signed note. */
  readonly checkpoint: string;
  readonly readNode: ReadNode;
  /** Canonical text of the operation; shows every value of it. */
  readonly preimage?: string;
  /** Proof that the log only grew since an earlier checkpoint. */
  readonly consistency?: ConsistencyEvidence;
  /** Which keys followed the first one. */
  readonly keys?: readonly KeyStatement[];
  /** Timestamps of the checkpoint. */
  readonly timestamps?: readonly Uint8Array[];
}

/** The text of the bundle. */
export function createBundle(source: BundleSource): string {
  const { seq, leaf, disclosed, redacted = [], size, checkpoint, readNode } = source;
  const { preimage, consistency, keys, timestamps } = source;
  const path = inclusionPath(seq, size, readNode);
  return formatBundle({
    leaf,
    disclosed,
    redacted,
    proof: formatTlogProof({ index: seq, path, checkpoint }),
    evidence: {
      ...(preimage === undefined ? {} : { preimage }),
      ...(consistency === undefined ? {} : { consistency }),
      ...(keys === undefined || keys.length === 0 ? {} : { keys }),
      ...(timestamps === undefined ? {} : { timestamps }),
    },
  });
}
