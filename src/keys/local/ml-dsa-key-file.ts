// An ML-DSA-44 private key in a file of its own. Node has the algorithm from version 24.6 on.
import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import type { PostQuantumSigner } from '../signer.ts';
import { KeyFileError, loadOrCreatePrivateKey } from './key-file.ts';

const publicKeySizeBytes = 1312;

/** Makes a key, to find out whether this Node can. */
type MakeKey = () => unknown;

const makeKey: MakeKey = () => generateKeyPairSync('ml-dsa-44' as 'ed25519');

/** Whether this Node has the algorithm. */
export function hasMlDsa44(make: MakeKey = makeKey): boolean {
  try {
    make();
    return true;
  } catch {
    return false;
  }
}

/** Loads the key, or makes it when there is no file yet; throws `KeyFileError`. */
export function loadOrCreateMlDsaKeyFile(path: string, make: MakeKey = makeKey): PostQuantumSigner {
  if (!hasMlDsa44(make)) throw new KeyFileError('KEY_FILE_ALG_UNAVAILABLE', path);
  const privateKey = loadOrCreatePrivateKey(path, 'ml-dsa-44');
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return {
    algorithm: 'ml-dsa-44',
    // A fixed prefix stands in front of the key.
    publicKey: Uint8Array.from(spki.subarray(-publicKeySizeBytes)),
    sign: (bytes) => Uint8Array.from(sign(null, bytes, privateKey)),
  };
}
