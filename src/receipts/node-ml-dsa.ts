// ML-DSA-44 through `node:crypto`, which does not warn about it as WebCrypto does. Browsers never load this.
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { CheckSignature } from './web-hash.ts';

/** What stands in front of the 1,312 bytes of every such key in its DER form. */
const spkiPrefix = Buffer.from('30820532300b06096086480165030403110382052100', 'hex');
const publicKeySizeBytes = 1312;

/** Reads a public key, or throws. */
type ReadKey = (publicKey: Uint8Array) => KeyObject;

const readKey: ReadKey = (publicKey) =>
  createPublicKey({
    key: Buffer.concat([spkiPrefix, publicKey]),
    format: 'der',
    type: 'spki',
  });

/** The check of signatures, or undefined where this Node has no such keys. */
export function findNodeMlDsa44(read: ReadKey = readKey): CheckSignature | undefined {
  try {
    // Any bytes are a public key.
    read(new Uint8Array(publicKeySizeBytes));
  } catch {
    return undefined;
  }
  return async ({ publicKey, signature, bytes }) => verify(null, bytes, read(publicKey), signature);
}
