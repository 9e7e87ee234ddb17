// Random identities in the two alphabets that leave the gateway.
import { encodeBase64Url } from '../core/base64.ts';

/** `size` random bytes as lower-case hex. */
export function randomHex(random: (size: number) => Uint8Array, size: number): string {
  return Buffer.from(random(size)).toString('hex');
}

export const toBase64Url: (bytes: Uint8Array) => string = encodeBase64Url;
