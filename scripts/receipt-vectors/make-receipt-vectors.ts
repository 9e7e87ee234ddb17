// Everything follows from fixed keys and salts, so a second run gives the same vectors.
import { makeTestBundle } from '../../src/testing/test-bundle.ts';
import { bundleVectors, operationVectors, trustVectors } from './input-vectors.ts';
import { commitmentVectors, leafVectors } from './leaf-vectors.ts';
import { noteVectors, proofVectors } from './proof-vectors.ts';
import type { ReceiptVector } from './receipt-vector.ts';
import { validVectors } from './valid-vectors.ts';

/** Every vector by its name, which is that of its file. */
export async function makeReceiptVectors(): Promise<ReadonlyMap<string, ReceiptVector>> {
  const base = await makeTestBundle({ size: 7, seq: 4 });
  const groups = await Promise.all([
    validVectors(base),
    leafVectors(),
    commitmentVectors(base),
    proofVectors(base),
    noteVectors(base),
    trustVectors(base),
    operationVectors(base),
    bundleVectors(base),
  ]);
  return new Map(groups.flat());
}

/** The text of a vector's file. */
export function formatVector(vector: ReceiptVector): string {
  return `${JSON.stringify(vector, null, 2)}\n`;
}
