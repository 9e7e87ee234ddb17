// Makes the signature line of a cosigner, or of a log's second key.
import { type CosignedStatement, cosignedMessage, formatCosignature } from './cosignature.ts';
import type { NoteSignature } from './signed-note.ts';
import type { VerifierKey } from './verifier-key.ts';

/** Whoever signs bytes here and now. */
interface BytesSigner {
  sign(bytes: Uint8Array): Uint8Array;
}

/** A key with what signs under it. */
export interface CosigningKey {
  readonly key: VerifierKey;
  readonly signer: BytesSigner;
}

/** Throws on a text that is no checkpoint, and without a time. */
export function cosignNote(
  { key, signer }: CosigningKey,
  { timeS, text }: Omit<CosignedStatement, 'key'>,
): NoteSignature {
  const bytes = cosignedMessage({ key, timeS, text });
  if (bytes === undefined || timeS < 1) {
    throw new RangeError('only a checkpoint can be cosigned, at a time');
  }
  const signature = formatCosignature({ timeS, signature: signer.sign(bytes) });
  return { name: key.name, keyId: key.keyId, signature };
}
