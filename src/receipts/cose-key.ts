// Public keys of passkeys (COSE, RFC 9052 and 9053). WebAuthn lets a key have one encoding only: the
// required members and no other, in canonical CBOR. So each kind is a fixed frame around its numbers.

/** A public key that signatures can be checked under. */
export type CoseKey =
  /** ECDSA on P-256 with SHA-256 (-7): both coordinates, 32 bytes each. */
  | { readonly algorithm: 'ES256'; readonly x: Uint8Array; readonly y: Uint8Array }
  /** Ed25519 (-8). */
  | { readonly algorithm: 'EdDSA'; readonly x: Uint8Array }
  /** RSASSA-PKCS1-v1_5 with SHA-256 (-257), exponent 65537: modulus of 2,048 to 4,096 bits. */
  | { readonly algorithm: 'RS256'; readonly n: Uint8Array };

/** The numbers that COSE gives the algorithms (RFC 9053, RFC 8812), most wanted first. */
export const coseAlgorithmIds: readonly number[] = [-7, -8, -257];

/** Undefined for another algorithm, other members, or another encoding than the canonical one. */
export function parseCoseKey(bytes: Uint8Array): CoseKey | undefined {
  return parseEs256(bytes) ?? parseEdDsa(bytes) ?? parseRs256(bytes);
}

const coordinateSizeBytes = 32;

// {1: 2, 3: -7, -1: 1, -2: x, -3: y}
const es256Head = [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20];
const es256Middle = [0x22, 0x58, 0x20];

function parseEs256(bytes: Uint8Array): CoseKey | undefined {
  const middle = es256Head.length + coordinateSizeBytes;
  const last = middle + es256Middle.length;
  const isFramed =
    bytes.length === last + coordinateSizeBytes &&
    isAt(bytes, 0, es256Head) &&
    isAt(bytes, middle, es256Middle);
  if (!isFramed) return undefined;
  return { algorithm: 'ES256', x: bytes.slice(es256Head.length, middle), y: bytes.slice(last) };
}

// {1: 1, 3: -8, -1: 6, -2: x}
const edDsaHead = [0xa4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20];

function parseEdDsa(bytes: Uint8Array): CoseKey | undefined {
  const isFramed =
    bytes.length === edDsaHead.length + coordinateSizeBytes && isAt(bytes, 0, edDsaHead);
  return isFramed ? { algorithm: 'EdDSA', x: bytes.slice(edDsaHead.length) } : undefined;
}

// {1: 3, 3: -257, -1: n, -2: 65537}; the length of n stands in two bytes.
const rs256Head = [0xa4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20, 0x59];
const rs256Tail = [0x21, 0x43, 0x01, 0x00, 0x01];
const modulusSizeMinBytes = 256;
const modulusSizeMaxBytes = 512;

function parseRs256(bytes: Uint8Array): CoseKey | undefined {
  const start = rs256Head.length + 2;
  const end = bytes.length - rs256Tail.length;
  const sizeBytes = end - start;
  const isFramed =
    sizeBytes >= modulusSizeMinBytes &&
    sizeBytes <= modulusSizeMaxBytes &&
    isAt(bytes, 0, [...rs256Head, sizeBytes >> 8, sizeBytes & 0xff]) &&
    isAt(bytes, end, rs256Tail);
  if (!isFramed) return undefined;
  const n = bytes.slice(start, end);
  // A modulus has no leading zeros, and is the product of two odd numbers.
  const isModulus = (n[0] as number) >= 0x80 && ((n[sizeBytes - 1] as number) & 1) === 1;
  return isModulus ? { algorithm: 'RS256', n } : undefined;
}

const isAt = (bytes: Uint8Array, at: number, wanted: readonly number[]): boolean =>
  wanted.every((byte, i) => bytes[at + i] === byte);
