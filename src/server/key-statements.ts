// What a bundle says about the keys of its log: their leaves, each proven to a checkpoint that the
// key before it signed.
import { parseCheckpoint } from '../receipts/checkpoint.ts';
import type { KeyStatement } from '../receipts/history-evidence.ts';
import { parseNote } from '../receipts/signed-note.ts';
import { formatTlogProof } from '../receipts/tlog-proof.ts';
import type { SignedCheckpoint, Store, StoredLeaf } from '../stores/store.ts';
import { type LogSection, openField } from './log-sections.ts';
import { readInclusion } from './read-tree-nodes.ts';

/** In the order of their leaves; one that no kept checkpoint proves is left out. */
export async function readKeyStatements(
  store: Store,
  section: LogSection,
): Promise<readonly KeyStatement[]> {
  const { keyLeaves, origin } = section;
  if (keyLeaves.length === 0) return [];
  const signed = (await store.readCheckpoints()).filter(
    ({ note }) => originOfNote(note) === origin,
  );
  const statements: KeyStatement[] = [];
  for (const leaf of keyLeaves) {
    const checkpoint = signed.find((each) => each.size > leaf.seq && provesKey(leaf, each));
    if (checkpoint === undefined) continue;
    const path = await readInclusion(store, { index: leaf.seq, size: checkpoint.size });
    const proof = formatTlogProof({ index: leaf.seq, path, checkpoint: checkpoint.note });
    statements.push({ leaf: leaf.bytes, proof });
  }
  return statements;
}

/** Origin of a signed checkpoint; undefined for a text that is none. */
export function originOfNote(text: string): string | undefined {
  const note = parseNote(text);
  const checkpoint = note.ok ? parseCheckpoint(note.value.text) : undefined;
  return checkpoint?.ok === true ? checkpoint.value.origin : undefined;
}

/** A rotation needs the signatures of both keys. */
function provesKey(leaf: StoredLeaf, { note }: SignedCheckpoint): boolean {
  if (leaf.type !== 'key.rotate') return true;
  return ['old_key', 'new_key'].every((field) => isSignedBy(note, openField(leaf, field)));
}

/** Whether a note has a line of a key, by its id. */
export function isSignedBy(text: string, key: unknown): boolean {
  const [, keyId] = String(key).split('+');
  const note = parseNote(text);
  return note.ok && note.value.signatures.some((line) => line.keyId === keyId);
}
