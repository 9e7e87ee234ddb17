// Base64 (RFC 4648 section 4, padded) and base64url (section 5, unpadded). Decoding accepts
// exactly the text that encoding would give: no spare bits, no white space, no other alphabet.
import { err, ok, type Result } from './result.ts';

/** Why a text is not the encoding of any bytes. */
export type Base64Fault = 'BASE64_INVALID';

const standardDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const urlDigits = `${standardDigits.slice(0, 62)}-_`;

/** Standard alphabet with padding, as signed notes use it. */
export function encodeBase64(bytes: Uint8Array): string {
  const text = encode(bytes, standardPairs);
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=');
}

/** URL alphabet without padding, as leaves and tokens use it. */
export function encodeBase64Url(bytes: Uint8Array): string {
  return encode(bytes, urlPairs);
}

/** The bytes of a padded text of the standard alphabet. */
export function decodeBase64(text: string): Result<Uint8Array, Base64Fault> {
  if (text.length % 4 !== 0) return err('BASE64_INVALID');
  return decode(text.replace(/={1,2}$/, ''), standardValues);
}

/** The bytes of an unpadded text of the URL alphabet. */
export function decodeBase64Url(text: string): Result<Uint8Array, Base64Fault> {
  return decode(text, urlValues);
}

const standardPairs = digitPairs(standardDigits);
const urlPairs = digitPairs(urlDigits);
const standardValues = digitValues(standardDigits);
const urlValues = digitValues(urlDigits);

function digitPairs(digits: string): readonly string[] {
  return [...digits].flatMap((first) => [...digits].map((second) => first + second));
}

function digitValues(digits: string): readonly (number | undefined)[] {
  const values: (number | undefined)[] = new Array(128).fill(undefined);
  for (let i = 0; i < 64; i += 1) values[digits.charCodeAt(i)] = i;
  return values;
}

// Twelve bits at a time: half the work of single digits.
function encode(bytes: Uint8Array, pairs: readonly string[]): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const bits = ((bytes[at] as number) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text += pairs[bits >> 12] as string;
    text += pairs[bits & 0xfff] as string;
  }
  return text.slice(0, Math.ceil((bytes.length * 4) / 3));
}

function decode(
  text: string,
  values: readonly (number | undefined)[],
): Result<Uint8Array, Base64Fault> {
  if (text.length % 4 === 1) return err('BASE64_INVALID');
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let bitCount = 0;
  let at = 0;
  for (let i = 0; i < text.length; i += 1) {
    const value = values[text.charCodeAt(i)];
    if (value === undefined) return err('BASE64_INVALID');
    bits = ((bits << 6) | value) & 0xffff;
    bitCount += 6;
    if (bitCount >= 8) {
      bitCount -= 8;
      bytes[at] = (bits >> bitCount) & 0xff;
      at += 1;
    }
  }
  const spareBits = bits & ((1 << bitCount) - 1);
  return spareBits === 0 ? ok(bytes) : err('BASE64_INVALID');
}
