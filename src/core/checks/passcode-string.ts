// The text that holds a hashed passcode: `scrypt$<log2 N>$<r>$<p>$<salt>$<key>`.
import { decodeBase64Url } from '../base64.ts';

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
const form = /^scrypt\$(\d{1,6})\$8\$([1-4])\$([^$]+)\$([^$]+)$/;

/** Undefined for every other shape: N between 2^14 and 2^17, r 8, p 1 to 4. */
export function parsePasscodeString(text: string): PasscodeString | undefined {
  const [, nText = '', pText = '', saltText = '', keyText = ''] = form.exec(text) ?? [];
  const log2N = readLogarithm(nText);
  const salt = readBytes(saltText, saltSizeBytes);
  const key = readBytes(keyText, keySizeBytes);
  if (log2N === undefined || salt === undefined || key === undefined) return undefined;
  return { log2N, r: 8, p: Number(pText), salt, key };
}

/** The logarithm, or N itself: established files promise only the scheme. */
function readLogarithm(text: string): number | undefined {
  const value = Number(text);
  const log2N = value > 64 ? Math.log2(value) : value;
  return Number.isInteger(log2N) && log2N >= 14 && log2N <= 17 ? log2N : undefined;
}

/** Hex, base64url or base64, told apart by length and alphabet. */
function readBytes(text: string, size: number): Uint8Array | undefined {
  if (text.length === size * 2 && /^[0-9a-f]+$/i.test(text)) {
    return Uint8Array.from({ length: size }, (_unused, index) =>
      Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
    );
  }
  const bytes = decodeBase64Url(
    text
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace(/={0,2}$/, ''),
  );
  return bytes.ok && bytes.value.length === size ? bytes.value : undefined;
}
