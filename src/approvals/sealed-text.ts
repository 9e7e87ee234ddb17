// Texts that somebody else keeps for us and hands back: encrypted and authenticated, so that they
// can be neither read nor changed. What a text is good for stands inside it.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { hmacSha256 } from '../core/sha256.ts';

export interface SealKey {
  /** Never leaves the store; it serves other purposes too. */
  readonly secret: Uint8Array;
  /** Purpose and version, such as `intentplane/request-state/v1`: each has a key of its own. */
  readonly label: string;
}

const ivBytes = 12;
const tagBytes = 16;
/** Longest sealed form, in characters. */
const sealedMaxLength = 4096;

/** AES-256-GCM under a fresh nonce; base64url without padding. */
export function sealText(text: string, { secret, label }: SealKey): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', hmacSha256(secret, label), iv);
  cipher.setAAD(Buffer.from(label));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, body, cipher.getAuthTag()]).toString('base64url');
}

/** Undefined for anything that was not sealed with this key. */
export function openText(sealed: string, { secret, label }: SealKey): string | undefined {
  if (sealed.length > sealedMaxLength) return undefined;
  const bytes = Buffer.from(sealed, 'base64url');
  // The decoder skips what is no base64url; a second spelling of a text is not accepted.
  if (bytes.length < ivBytes + tagBytes || bytes.toString('base64url') !== sealed) return undefined;
  const iv = bytes.subarray(0, ivBytes);
  const decipher = createDecipheriv('aes-256-gcm', hmacSha256(secret, label), iv, {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(label));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    const body = decipher.update(bytes.subarray(ivBytes, -tagBytes));
    return Buffer.concat([body, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
