// The form of a vector, and edits of a valid bundle that leave everything else as it was.
import { parseNote } from '../../src/receipts/signed-note.ts';
import { formatTlogProof, parseTlogProof, type TlogProof } from '../../src/receipts/tlog-proof.ts';
import { aDecisionDraft, createTestLog, type TestBundle } from '../../src/testing/test-bundle.ts';

/** One bundle with the verdict it must get. */
export interface ReceiptVector {
  /** Text of the bundle file. */
  readonly bundle: string;
  /** Text of the trust file. */
  readonly trust: string;
  /** Text of an earlier checkpoint, when the auditor kept one. */
  readonly previous?: string;
  readonly expect: /**
   * `redacted`: step 2 passes and says that values were erased. `approval`: what an answer is worth.
   */
    | {
        readonly verdict: 'valid';
        readonly redacted?: true;
        readonly approval?: 'signed' | 'asserted';
      }
    | { readonly verdict: 'invalid'; readonly step: number; readonly code: string }
    | {
        readonly verdict: 'bad_input';
        readonly input: 'bundle' | 'trust' | 'previous';
        readonly code: string;
      };
}

/** Vectors with the names of their files. */
export type Vectors = [name: string, vector: ReceiptVector][];

/** A valid bundle to edit. */
export type Base = Pick<TestBundle, 'bundle' | 'trust' | 'log'>;

export type Json = Record<string, unknown>;

/** The verdict of a step that does not pass. */
export const invalid = (step: number, code: string): ReceiptVector['expect'] => ({
  verdict: 'invalid',
  step,
  code,
});

/** The bundle with other members. */
export const change = (bundle: string, changes: Json): string =>
  JSON.stringify({ ...(JSON.parse(bundle) as Json), ...changes });

/** The bundle with another proof text. */
export function editProof(bundle: string, edit: (text: string) => string): string {
  const { proof } = JSON.parse(bundle) as { proof: string };
  return change(bundle, { proof: edit(proof) });
}

/** The bundle with another index or other hashes. */
export function editPath(bundle: string, edit: (proof: TlogProof) => Partial<TlogProof>): string {
  return editProof(bundle, (text) => {
    const proof = parseTlogProof(text);
    if (!proof.ok) throw new Error(proof.error);
    return formatTlogProof({ ...proof.value, ...edit(proof.value) });
  });
}

/** The bundle with another checkpoint note. */
export function editNote(bundle: string, edit: (note: string) => string): string {
  return editProof(bundle, (text) => {
    const proof = parseTlogProof(text);
    if (!proof.ok || !parseNote(proof.value.checkpoint).ok) throw new Error('no note to edit');
    return formatTlogProof({ ...proof.value, checkpoint: edit(proof.value.checkpoint) });
  });
}

/** The text of a good leaf, to edit. */
export async function goodLeaf(): Promise<string> {
  const log = await createTestLog();
  log.append(aDecisionDraft());
  return Buffer.from(log.leaf(0).bytes).toString();
}

/** A log whose one leaf is these bytes, with the bundle of it. */
export async function bundleOfBytes(
  bytes: Uint8Array,
): Promise<Pick<ReceiptVector, 'bundle' | 'trust'>> {
  const log = await createTestLog();
  log.appendBytes(bytes);
  return { bundle: log.bundle(0), trust: log.trust };
}
