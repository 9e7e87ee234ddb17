// Everything follows from fixed keys and salts, so a second run gives the same vectors.
import { makeTestBundle } from '../../src/testing/test-bundle.ts';
import { answerVectors } from './answer-vectors.ts';
import { bundlePartVectors, bundleVectors } from './bundle-vectors.ts';
import { commitmentVectors } from './commitment-vectors.ts';
import { forgedCommitmentVectors } from './forged-commitment-vectors.ts';
import { historyInputVectors, historyVectors } from './history-vectors.ts';
import { keyVectors } from './key-vectors.ts';
import { leafFieldVectors } from './leaf-field-vectors.ts';
import { leafTextVectors } from './leaf-text-vectors.ts';
import { leafVectors } from './leaf-vectors.ts';
import { noteLineVectors } from './note-line-vectors.ts';
import { noteVectors } from './note-vectors.ts';
import {
  operationHashVectors,
  operationShapeVectors,
  operationVectors,
} from './operation-vectors.ts';
import { passkeyVectors } from './passkey-vectors.ts';
import { policyVectors } from './policy-vectors.ts';
import { proofVectors } from './proof-vectors.ts';
import type { ReceiptVector } from './receipt-vector.ts';
import { redactionVectors } from './redaction-vectors.ts';
import { timestampVectors } from './timestamp-vectors.ts';
import { treeVectors } from './tree-vectors.ts';
import { requiredStepVectors, trustJsonVectors, trustVectors } from './trust-vectors.ts';
import { validAnswerVectors } from './valid-answer-vectors.ts';
import { validLeafVectors } from './valid-leaf-vectors.ts';
import { validNoteVectors } from './valid-note-vectors.ts';
import { validVectors } from './valid-vectors.ts';
import { validWitnessVectors, witnessVectors } from './witness-vectors.ts';

/** Every vector by its name, which is that of its file. */
export async function makeReceiptVectors(): Promise<ReadonlyMap<string, ReceiptVector>> {
  const base = await makeTestBundle({ size: 7, seq: 4 });
  const groups = await Promise.all([
    ...[validVectors(base), validLeafVectors(base), validNoteVectors(base)],
    ...[leafVectors(), leafTextVectors(), leafFieldVectors()],
    ...[commitmentVectors(base), forgedCommitmentVectors()],
    redactionVectors(base),
    ...[proofVectors(base), treeVectors(base)],
    ...[noteVectors(base), noteLineVectors(base)],
    ...[trustVectors(base), trustJsonVectors(base), policyVectors(base), requiredStepVectors(base)],
    ...[operationVectors(base), operationShapeVectors(base), operationHashVectors(base)],
    ...[validWitnessVectors(base), witnessVectors(base), timestampVectors(base)],
    ...[bundleVectors(base), bundlePartVectors(base)],
    ...[validAnswerVectors(), passkeyVectors(), answerVectors()],
    ...[historyVectors(), historyInputVectors(), keyVectors()],
  ]);
  const all = groups.flat();
  const vectors = new Map(all);
  // A name given twice would drop a vector without a word.
  if (vectors.size !== all.length) throw new Error('two vectors have one name');
  return vectors;
}

/** The text of a vector's file. */
export function formatVector(vector: ReceiptVector): string {
  return `${JSON.stringify(vector, null, 2)}\n`;
}
