// What a passkey leaves behind when it signs: enough to check the signature again, years later and
// without the gateway. Committed in the leaf `approval.answer` as canonical JSON text.
import { decodeBase64Url, encodeBase64Url } from '../core/base64.ts';
import { type CanonicalValue, canonicalJson } from '../core/canonical-json.ts';

/** One assertion (WebAuthn Level 3, section 6.3.3) with the key it is checked under. */
export interface PasskeyAssertion {
  /** 1 to 1,023 bytes. */
  readonly credentialId: Uint8Array;
  /** Site that the passkey works on: a domain name. */
  readonly rpId: string;
  /** Origin of the page that asked. */
  readonly origin: string;
  readonly authenticatorData: Uint8Array;
  /** Client data as it was signed (JSON in UTF-8). */
  readonly clientData: Uint8Array;
  /** In DER for ES256. */
  readonly signature: Uint8Array;
  /** COSE key (RFC 9052). */
  readonly publicKey: Uint8Array;
}

/** The same as JSON: bytes in base64url. */
export interface PasskeyEvidence {
  readonly kind: 'passkey';
  readonly credential: string;
  readonly rp_id: string;
  readonly origin: string;
  readonly authenticator_data: string;
  readonly client_data: string;
  readonly signature: string;
  readonly public_key: string;
}

/** Longest part that is bytes. */
export const passkeyPartMaxBytes = {
  credential: 1_023,
  authenticator_data: 2_048,
  client_data: 2_048,
  signature: 1_024,
  public_key: 1_024,
} as const;
/** Longest `rp_id` and `origin`, in characters. */
export const passkeySiteMax = 300;

/** The assertion as JSON. */
export function toPasskeyEvidence(assertion: PasskeyAssertion): PasskeyEvidence {
  return {
    kind: 'passkey',
    credential: encodeBase64Url(assertion.credentialId),
    rp_id: assertion.rpId,
    origin: assertion.origin,
    authenticator_data: encodeBase64Url(assertion.authenticatorData),
    client_data: encodeBase64Url(assertion.clientData),
    signature: encodeBase64Url(assertion.signature),
    public_key: encodeBase64Url(assertion.publicKey),
  };
}

/** The text that a leaf commits to. */
export function formatPasskeyEvidence(evidence: PasskeyEvidence): string {
  return canonicalJson({ ...evidence });
}

/** Undefined when a part is missing, unknown or of another form. */
export function parsePasskeyEvidence(
  json: Readonly<Record<string, CanonicalValue>>,
): PasskeyAssertion | undefined {
  const { rp_id: rpId, origin } = json;
  if (!isSite(rpId) || !isSite(origin) || Object.keys(json).length !== partCount) return undefined;
  const credentialId = readPart(json, 'credential');
  const authenticatorData = readPart(json, 'authenticator_data');
  const clientData = readPart(json, 'client_data');
  const signature = readPart(json, 'signature');
  const publicKey = readPart(json, 'public_key');
  const isWhole =
    credentialId && authenticatorData && clientData && signature && publicKey !== undefined;
  if (!isWhole) return undefined;
  return { credentialId, rpId, origin, authenticatorData, clientData, signature, publicKey };
}

/** The parts that are bytes, `kind` and both names. */
const partCount = Object.keys(passkeyPartMaxBytes).length + 3;

const isSite = (value: CanonicalValue | undefined): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) && value.length <= passkeySiteMax;

function readPart(
  json: Readonly<Record<string, CanonicalValue>>,
  name: keyof typeof passkeyPartMaxBytes,
): Uint8Array | undefined {
  const text = json[name];
  const bytes = typeof text === 'string' ? decodeBase64Url(text) : undefined;
  if (bytes?.ok !== true) return undefined;
  const { length } = bytes.value;
  return length > 0 && length <= passkeyPartMaxBytes[name] ? bytes.value : undefined;
}
