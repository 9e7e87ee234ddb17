// Hashing and signature checks through WebCrypto, which Node and browsers share. The verifier
// uses nothing else, so that one build of it runs in both.

/** SHA-256 of bytes. */
export async function webSha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await subtle.digest('SHA-256', own(bytes)));
}

/** HMAC-SHA-256 of bytes. */
export async function webHmacSha256(key: Uint8Array, bytes: Uint8Array): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await subtle.importKey('raw', own(key), algorithm, false, ['sign']);
  return new Uint8Array(await subtle.sign('HMAC', imported, own(bytes)));
}

/** A signature and what it should cover. */
export interface SignedBytes {
  readonly publicKey: Uint8Array;
  readonly signature: Uint8Array;
  readonly bytes: Uint8Array;
}

/** Whether an Ed25519 signature holds; false also for a key that is no point of the curve. */
export async function isEd25519Signature(signed: SignedBytes): Promise<boolean> {
  const key = await importEd25519(signed.publicKey);
  if (key === undefined) return false;
  return subtle.verify('Ed25519', key, own(signed.signature), own(signed.bytes));
}

/** Whether a signature holds, by one algorithm. */
export type CheckSignature = (signed: SignedBytes) => Promise<boolean>;

/** The check of ML-DSA-44 signatures (FIPS 204), or undefined where the platform has none. */
export async function findMlDsa44(): Promise<CheckSignature | undefined> {
  // Any bytes are a public key, so a key that is refused means that the algorithm is missing.
  const isHere = (await importMlDsa44(new Uint8Array(mlDsa44KeySizeBytes))) !== undefined;
  return isHere ? isMlDsa44Signature : undefined;
}

const { subtle } = globalThis.crypto;
const mlDsa44 = 'ML-DSA-44';
const mlDsa44KeySizeBytes = 1312;

async function isMlDsa44Signature({ publicKey, signature, bytes }: SignedBytes): Promise<boolean> {
  const key = await importMlDsa44(publicKey);
  return key !== undefined && subtle.verify(mlDsa44, key, own(signature), own(bytes));
}

async function importMlDsa44(publicKey: Uint8Array): Promise<CryptoKey | undefined> {
  try {
    // A format of later versions than the types know.
    return await subtle.importKey('raw-public' as 'raw', own(publicKey), mlDsa44, false, [
      'verify',
    ]);
  } catch {
    return undefined;
  }
}

async function importEd25519(publicKey: Uint8Array): Promise<CryptoKey | undefined> {
  try {
    return await subtle.importKey('raw', own(publicKey), 'Ed25519', false, ['verify']);
  } catch {
    return undefined;
  }
}

// WebCrypto's types take no view that might be on shared memory.
const own = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes);

type CryptoKey = Awaited<ReturnType<typeof subtle.importKey>>;
