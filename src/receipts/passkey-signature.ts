// Signatures of passkeys, by the algorithm of their key, through WebCrypto.
import { encodeBase64Url } from '../core/base64.ts';
import type { CoseKey } from './cose-key.ts';
import { ecdsaNumbers } from './ecdsa-signature.ts';

/** Why a signature is none. */
export type PasskeySignatureFault = 'PASSKEY_KEY_INVALID' | 'PASSKEY_SIGNATURE_INVALID';

/** Undefined when the signature holds over the bytes. */
export async function findSignatureFault(
  key: CoseKey,
  { signature, bytes }: { readonly signature: Uint8Array; readonly bytes: Uint8Array },
): Promise<PasskeySignatureFault | undefined> {
  const imported = await importKey(key);
  if (imported === undefined) return 'PASSKEY_KEY_INVALID';
  // WebCrypto wants the two numbers of ECDSA side by side, authenticators wrap them in DER.
  const numbers = key.algorithm === 'ES256' ? ecdsaNumbers(signature) : signature;
  const holds =
    numbers !== undefined &&
    (await subtle.verify(algorithms[key.algorithm].verify, imported, own(numbers), own(bytes)));
  return holds ? undefined : 'PASSKEY_SIGNATURE_INVALID';
}

const { subtle } = globalThis.crypto;

const algorithms = {
  ES256: {
    import: { name: 'ECDSA', namedCurve: 'P-256' },
    verify: { name: 'ECDSA', hash: 'SHA-256' },
  },
  EdDSA: { import: { name: 'Ed25519' }, verify: { name: 'Ed25519' } },
  RS256: {
    import: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    verify: { name: 'RSASSA-PKCS1-v1_5' },
  },
} as const;

/** Undefined for numbers that are no key, such as a point beside the curve. */
async function importKey(key: CoseKey): Promise<CryptoKey | undefined> {
  try {
    return await subtle.importKey('jwk', jwkOf(key), algorithms[key.algorithm].import, false, [
      'verify',
    ]);
  } catch {
    return undefined;
  }
}

function jwkOf(key: CoseKey): Readonly<Record<string, string>> {
  switch (key.algorithm) {
    case 'ES256':
      return { kty: 'EC', crv: 'P-256', x: encodeBase64Url(key.x), y: encodeBase64Url(key.y) };
    case 'EdDSA':
      return { kty: 'OKP', crv: 'Ed25519', x: encodeBase64Url(key.x) };
    case 'RS256':
      return { kty: 'RSA', n: encodeBase64Url(key.n), e: 'AQAB' };
  }
}

// WebCrypto's types take no view that might be on shared memory.
const own = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes);

type CryptoKey = Awaited<ReturnType<typeof subtle.importKey>>;
