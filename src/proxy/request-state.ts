// The sealed state that a client of revision 2026-07-28 hands back with its answer: encrypted and
// bound to one call, so that it can be neither read, nor changed, nor moved to another call.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { hmacSha256 } from '../core/sha256.ts';

const label = Buffer.from('intentplane/request-state/v1');
const ivBytes = 12;
const tagBytes = 16;
const textMaxLength = 4096;

export interface RequestState {
  readonly principal: string;
  readonly server: string;
  readonly tool: string;
  /** Digest of method and params. */
  readonly digest: string;
  readonly opId: string;
  readonly approvalId: string;
  readonly opHash: string;
  readonly nonce: string;
  readonly issuedMs: number;
  readonly expiresMs: number;
}

/** `secret` never leaves the store. */
export function sealRequestState(state: RequestState, secret: Uint8Array): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), iv);
  cipher.setAAD(label);
  const body = Buffer.concat([cipher.update(JSON.stringify(state), 'utf8'), cipher.final()]);
  return Buffer.concat([iv, body, cipher.getAuthTag()]).toString('base64url');
}

/** Undefined for anything that was not sealed with this secret. */
export function openRequestState(text: string, secret: Uint8Array): RequestState | undefined {
  if (text.length > textMaxLength) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // The decoder skips what is no base64url; a second spelling of a state is not accepted.
  if (bytes.length <= ivBytes + tagBytes || bytes.toString('base64url') !== text) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(label);
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    const body = decipher.update(bytes.subarray(ivBytes, -tagBytes));
    return JSON.parse(Buffer.concat([body, decipher.final()]).toString('utf8')) as RequestState;
  } catch {
    return undefined;
  }
}

// The same secret serves other purposes: each has a key of its own.
const keyOf = (secret: Uint8Array): Uint8Array => hmacSha256(secret, label);
