// Writes test/vectors/receipts: bundles, trust files and what a verifier must say about them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { formatVector, makeReceiptVectors } from './receipt-vectors/make-receipt-vectors.ts';

const folder = new URL('../test/vectors/receipts/', import.meta.url);
mkdirSync(folder, { recursive: true });
const vectors = await makeReceiptVectors();
for (const [name, vector] of vectors) {
  writeFileSync(new URL(`${name}.json`, folder), formatVector(vector));
}
console.log(`${vectors.size} vectors in test/vectors/receipts`);
