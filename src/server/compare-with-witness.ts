// Whether the log here is what a witness saw. Only a checkpoint that our own key signed counts:
// a witness alone cannot stop a gateway.
import { frontierAt, frontierRoot, isSameHash, type ReadNode } from '../core/merkle.ts';
import { completeNodes } from '../core/merkle-path.ts';
import { parseCheckpoint } from '../receipts/checkpoint.ts';
import type { OptionalAlgorithms } from '../receipts/note-signature.ts';
import { readNodesAhead } from '../receipts/proof-nodes.ts';
import { parseNote, verifyNote } from '../receipts/signed-note.ts';
import type { VerifierKey } from '../receipts/verifier-key.ts';
import { behindGuard, forkedLog } from '../stores/log-guard.ts';
import type { Store } from '../stores/store.ts';
import { WitnessError, type WitnessLink } from './witness-link.ts';

/** The log of this gateway, as its keys name it. */
export interface OwnLog {
  readonly store: Pick<Store, 'readTree' | 'readNode'>;
  readonly keys: readonly VerifierKey[];
  readonly origin: string;
  readonly algorithms: OptionalAlgorithms;
}

/**
 * Size that the witness saw; 0 when nothing. Throws `StoreError` (`LOG_BEHIND_CHECKPOINT`,
 * `LOG_FORKED`) when this log is not at least that, `WitnessError` when that cannot be told.
 */
export async function compareWithWitness(link: WitnessLink, log: OwnLog): Promise<number> {
  const text = await link.readNewest(log.origin);
  if (text === undefined) return 0;
  const note = parseNote(text);
  const checkpoint = note.ok ? parseCheckpoint(note.value.text) : undefined;
  const isOwn = note.ok && (await verifyNote(note.value, log.keys, log.algorithms)).ok;
  if (checkpoint?.ok !== true || !isOwn || checkpoint.value.origin !== log.origin) {
    throw new WitnessError('shows a checkpoint that this log did not sign');
  }
  const seen = checkpoint.value;
  const { size } = await log.store.readTree();
  const guard = { place: link.address.url };
  if (seen.size > size) throw behindGuard(guard, seen, size);
  if (!isSameHash(await rootAt(log.store, seen.size), seen.root)) throw forkedLog(guard, seen);
  return seen.size;
}

async function rootAt(store: OwnLog['store'], size: number): Promise<Uint8Array> {
  const addresses = completeNodes({ start: 0, end: size });
  const readNode: ReadNode = await readNodesAhead(addresses, (level, index) =>
    store.readNode(level, index),
  );
  return frontierRoot(frontierAt(size, readNode));
}
