// What a sign-in under way has to remember, sealed into a cookie of the browser that started it:
// nothing is stored here, and no other browser can finish it.
import { randomBytes } from 'node:crypto';
import { openText, sealText } from '../sealed-text.ts';
import type { OidcPurpose } from './oidc-settings.ts';

export interface OidcState {
  /** Goes through the provider as `state`. */
  readonly state: string;
  /** Stands in the ID token. */
  readonly nonce: string;
  /** PKCE: the provider only ever saw its hash. */
  readonly codeVerifier: string;
  readonly purpose: OidcPurpose;
  readonly expiresMs: number;
}

const label = 'intentplane/oidc-state/v1';
const validForMs = 5 * 60_000;

/** 256 random bits each; 43 characters are also what PKCE asks for (RFC 7636, section 4.1). */
const randomText = (): string => randomBytes(32).toString('base64url');

export function newOidcState(purpose: OidcPurpose, nowMs: number): OidcState {
  return {
    state: randomText(),
    nonce: randomText(),
    codeVerifier: randomText(),
    purpose,
    expiresMs: nowMs + validForMs,
  };
}

export function sealOidcState(state: OidcState, secret: Uint8Array): string {
  return sealText(JSON.stringify(state), { secret, label });
}

/** Undefined for anything that was not sealed with this secret. */
export function openOidcState(sealed: string, secret: Uint8Array): OidcState | undefined {
  const text = openText(sealed, { secret, label });
  return text === undefined ? undefined : (JSON.parse(text) as OidcState);
}
