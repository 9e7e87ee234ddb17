// One signature of a note under one key, by the key's type.
import { cosignedMessage, parseCosignature } from './cosignature.ts';
import { keyTypes, type VerifierKey } from './verifier-key.ts';
import { type CheckSignature, isEd25519Signature } from './web-hash.ts';

/** Algorithms that not every platform has; absent = not here. */
export interface OptionalAlgorithms {
  readonly mlDsa44?: CheckSignature;
}

/** Whether signatures of this key can be checked here. */
export function isUsableKey(key: VerifierKey, algorithms: OptionalAlgorithms): boolean {
  return checkOf(key, algorithms) !== undefined;
}

/** Whether the signature holds over the text of the note; false also for a key that cannot be used. */
export async function isNoteSignature(
  key: VerifierKey,
  signed: { readonly text: string; readonly signature: Uint8Array },
  algorithms: OptionalAlgorithms,
): Promise<boolean> {
  const check = checkOf(key, algorithms);
  const parts = signedParts(key, signed);
  if (check === undefined || parts === undefined) return false;
  return check({ publicKey: key.publicKey, ...parts });
}

function checkOf(
  { type }: VerifierKey,
  { mlDsa44 }: OptionalAlgorithms,
): CheckSignature | undefined {
  const algorithm = keyTypes.get(type)?.algorithm;
  return algorithm === 'ed25519' ? isEd25519Signature : algorithm && mlDsa44;
}

function signedParts(
  key: VerifierKey,
  { text, signature }: { readonly text: string; readonly signature: Uint8Array },
): { readonly bytes: Uint8Array; readonly signature: Uint8Array } | undefined {
  if (keyTypes.get(key.type)?.isTimestamped !== true) {
    return { bytes: new TextEncoder().encode(text), signature };
  }
  const cosignature = parseCosignature(signature);
  if (cosignature === undefined) return undefined;
  const bytes = cosignedMessage({ key, timeS: cosignature.timeS, text });
  return bytes && { bytes, signature: cosignature.signature };
}
