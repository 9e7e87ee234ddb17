// Client data of WebAuthn (Level 3, section 5.8.1): what the browser says it was asked, as JSON.
import { encodeBase64Url } from '../core/base64.ts';
import { decodeUtf8Strict, parseStrictJson } from '../core/checks/strict-json.ts';
import { isJsonObject } from '../core/json-value.ts';

/** What the browser must have been asked. */
export interface ClientDataTerms {
  readonly type: 'webauthn.get' | 'webauthn.create';
  /** The bytes of the challenge. */
  readonly challenge: Uint8Array;
  readonly origin: string;
}

/** Why client data is not what it must be. */
export type ClientDataFault =
  | 'PASSKEY_CLIENT_DATA'
  | 'PASSKEY_CHALLENGE_MISMATCH'
  | 'PASSKEY_ORIGIN_MISMATCH';

/** The first thing that is wrong. Further members are allowed: browsers add some on purpose. */
export function findClientDataFault(
  bytes: Uint8Array,
  terms: ClientDataTerms,
): ClientDataFault | undefined {
  const text = decodeUtf8Strict(bytes);
  const parsed = text.ok ? parseStrictJson(text.value, limits) : text;
  if (!parsed.ok || !isJsonObject(parsed.value)) return 'PASSKEY_CLIENT_DATA';
  const { type, challenge, origin, crossOrigin = false, topOrigin } = parsed.value;
  // The page is never shown in a frame of another site.
  const isFramed = crossOrigin !== false || topOrigin !== undefined;
  if (type !== terms.type || isFramed) return 'PASSKEY_CLIENT_DATA';
  if (challenge !== encodeBase64Url(terms.challenge)) return 'PASSKEY_CHALLENGE_MISMATCH';
  return origin === terms.origin ? undefined : 'PASSKEY_ORIGIN_MISMATCH';
}

const sizeMax = 2_048;
const limits = {
  sizeMaxBytes: sizeMax,
  depthMax: 8,
  keysMax: sizeMax,
  nodesMax: sizeMax,
  numbers: 'kept',
} as const;
