// The text that holds a hashed passcode: `scrypt$<log2 N>$<r>$<p>$<salt>$<key>`.

/** Parameters, salt and key of one passcode. */
export interface PasscodeString {
  /** Logarithm of N: 14 to 17. */
  readonly log2N: number;
  readonly r: number;
  readonly p: number;
  /** 16 bytes. */
  readonly salt: Uint8Array;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

const saltSizeBytes = 16;
const keySizeBytes = 32;

/** Undefined for every other shape: N between 2^14 and 2^17, r 8, p 1 to 4. */
export function parsePasscodeString(text: string): PasscodeString | undefined {
  const parts = text.split('$');
  const [scheme, nText = '', rText = '', pText = '', saltText = '', keyText = ''] = parts;
  if (parts.length !== 6 || scheme !== 'scrypt' || rText !== '8') return undefined;
  const log2N = readLogarithm(nText);
  const salt = readBytes(saltText, saltSizeBytes);
  const key = readBytes(keyText, keySizeBytes);
  if (log2N === undefined || !/^[1-4]$/.test(pText) || salt === undefined || key === undefined) return undefined;
  return { log2N, r: 8, p: Number(pText), salt, key };
}

/** N itself is accepted too. */
function readLogarithm(text: string): number | undefined {
  if (!/^\d{1,6}$/.test(text)) return undefined;
  const value = Number(text);
  const log2N = value > 64 ? Math.log2(value) : value;
  return Number.isInteger(log2N) && log2N >= 14 && log2N <= 17 ? log2N : undefined;
}

/** Hex, base64url or base64, told apart by length and alphabet. */
function readBytes(text: string, size: number): Uint8Array | undefined {
  if (text.length === size * 2 && /^[0-9a-fA-F]+$/.test(text)) {
    return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  }
  const plain = text.replaceAll('-', '+').replaceAll('_', '/').replace(/={0,2}$/, '');
  if (!/^[A-Za-z0-9+/]+$/.test(plain) || plain.length !== Math.ceil((size * 4) / 3)) return undefined;
  const bytes = Uint8Array.from(atob(plain), (character) => character.charCodeAt(0));
  return bytes.length === size ? bytes : undefined;
}
