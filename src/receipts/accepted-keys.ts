// Which keys of a log count: those of the trust file, those that followed them by `key.rotate`
// leaves, each only for the sizes that it may vouch for.
import type { Leaf } from '../core/leaf-format.ts';
import { isCount } from '../core/leaf-format.ts';
import { parseLeaf } from '../core/parse-leaf.ts';
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts';
import type { KeyStatement } from './history-evidence.ts';
import { isUsableKey, type OptionalAlgorithms } from './note-signature.ts';
import { type Note, parseNote, verifyNote } from './signed-note.ts';
import { parseTlogProof } from './tlog-proof.ts';
import type { Trust } from './trust-file.ts';
import { formatVerifierKey, parseVerifierKey, type VerifierKey } from './verifier-key.ts';
import { isSameRoot, webInclusionRoot } from './web-tree.ts';

/** A key with the sizes of the trees that it may sign. */
export interface AcceptedKey {
  readonly key: VerifierKey;
  /** The leaf that introduced the key is in every tree that it signs. */
  readonly sizeMin: number;
  /** Largest tree; after it the key is distrusted. */
  readonly sizeMax: number;
}

/**
 * The keys that count for `origin`. A statement that no counting key signed says nothing: an auditor
 * who knows a later key needs no earlier one. Undefined when a statement is none, or is forged.
 */
export async function acceptKeys(
  trust: Trust,
  origin: string,
  {
    statements,
    algorithms,
  }: { readonly statements: readonly KeyStatement[]; readonly algorithms: OptionalAlgorithms },
): Promise<readonly AcceptedKey[] | undefined> {
  const limits = new Map(trust.distrust.map(({ key, after }) => [key, after + 1]));
  const known: Known = { origin, limits, algorithms, accepted: [] };
  let accepted: readonly AcceptedKey[] = trust.policy.logs
    .filter((key) => key.name === origin && isUsableKey(key, algorithms))
    .map((key) => ({ key, sizeMin: 0, sizeMax: limitOf(limits, key) }));
  for (const statement of statements) {
    const read = await readStatement(statement, { ...known, accepted });
    if (read === undefined) return undefined;
    const next = await applied(read, { ...known, accepted });
    if (next === undefined) return undefined;
    accepted = next;
  }
  return accepted;
}

/** What signers are worth for a tree of `size`. */
export type Standing = 'counts' | 'too early' | 'distrusted';

/** The best standing among those who signed; `signers` is not empty. */
export function standingOf(
  signers: readonly VerifierKey[],
  { accepted, size }: { readonly accepted: readonly AcceptedKey[]; readonly size: number },
): Standing {
  const own = accepted.filter(({ key }) => signers.includes(key));
  if (own.some(({ sizeMin, sizeMax }) => size >= sizeMin && size <= sizeMax)) return 'counts';
  return own.some(({ sizeMax }) => size > sizeMax) ? 'distrusted' : 'too early';
}

const limitOf = (limits: ReadonlyMap<string, number>, key: VerifierKey): number =>
  limits.get(formatVerifierKey(key)) ?? Number.POSITIVE_INFINITY;

interface ReadStatement {
  readonly leaf: Leaf;
  readonly note: Note;
  /** Keys that signed the note and count for its size; may be none. */
  readonly signers: readonly VerifierKey[];
}

interface Known {
  readonly origin: string;
  readonly accepted: readonly AcceptedKey[];
  readonly algorithms: OptionalAlgorithms;
  /** Key text to the largest tree that it may sign. */
  readonly limits: ReadonlyMap<string, number>;
}

/** The leaf, proven to a checkpoint of this log, and who signed that. */
async function readStatement(
  statement: KeyStatement,
  { origin, accepted, algorithms }: Known,
): Promise<ReadStatement | undefined> {
  const leaf = parseLeaf(statement.leaf);
  const proof = parseTlogProof(statement.proof);
  if (!leaf.ok || !proof.ok || leaf.value.seq !== proof.value.index) return undefined;
  const note = parseNote(proof.value.checkpoint);
  const checkpoint = note.ok ? parseCheckpoint(note.value.text) : undefined;
  if (!note.ok || checkpoint?.ok !== true || checkpoint.value.origin !== origin) return undefined;
  if (!(await isIncluded(statement.leaf, proof.value, checkpoint.value))) return undefined;
  const { size } = checkpoint.value;
  const counting = accepted.filter(({ sizeMin, sizeMax }) => size >= sizeMin && size <= sizeMax);
  const signers = await verifyNote(
    note.value,
    counting.map(({ key }) => key),
    algorithms,
  );
  if (!signers.ok && signers.error !== 'NOTE_KEY_UNKNOWN') return undefined;
  return { leaf: leaf.value, note: note.value, signers: signers.ok ? signers.value : [] };
}

async function isIncluded(
  leaf: Uint8Array,
  { index, path }: { readonly index: number; readonly path: readonly Uint8Array[] },
  { size, root }: Checkpoint,
): Promise<boolean> {
  const found = await webInclusionRoot({ leaf, index, size, path });
  return found !== undefined && isSameRoot(found, root);
}

function applied(
  read: ReadStatement,
  known: Known,
): Promise<readonly AcceptedKey[] | undefined> | readonly AcceptedKey[] | undefined {
  if (read.leaf.open['purpose'] !== 'log') return undefined;
  // INVARIANT: leaves of two types have a purpose.
  return read.leaf.type === 'key.rotate' ? rotated(read, known) : distrusted(read, known.accepted);
}

/** The old key must have signed the tree with the leaf in it, and so must the new one. */
async function rotated(
  { leaf, note, signers }: ReadStatement,
  { origin, accepted, limits, algorithms }: Known,
): Promise<readonly AcceptedKey[] | undefined> {
  const { old_key: oldText, new_key: newText } = leaf.open;
  if (typeof oldText !== 'string' || typeof newText !== 'string') return undefined;
  const parsed = await parseVerifierKey(newText);
  if (!parsed.ok) return undefined;
  const key = parsed.value;
  const isUsable = key.name === origin && isUsableKey(key, algorithms);
  if (!isUsable || !(await verifyNote(note, [key], algorithms)).ok) return undefined;
  const isByOld = signers.some((each) => formatVerifierKey(each) === oldText);
  const isKnown = accepted.some((each) => isSameRoot(each.key.publicKey, key.publicKey));
  if (!isByOld || isKnown) return accepted;
  return [...accepted, { key, sizeMin: leaf.seq + 1, sizeMax: limitOf(limits, key) }];
}

function distrusted(
  { leaf, signers }: ReadStatement,
  accepted: readonly AcceptedKey[],
): readonly AcceptedKey[] | undefined {
  const { key: text, after } = leaf.open;
  if (typeof text !== 'string' || !isCount(after)) return undefined;
  if (signers.length === 0) return accepted;
  return accepted.map((each) =>
    formatVerifierKey(each.key) === text
      ? { ...each, sizeMax: Math.min(each.sizeMax, after + 1) }
      : each,
  );
}
