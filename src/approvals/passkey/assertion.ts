// A person signs one operation, or signs in, with a passkey.
import { decodeBase64Url, encodeBase64Url } from '../../core/base64.ts';
import type { CredentialRow } from '../../core/person.ts';
import { checkPasskey, type PasskeyFault } from '../../receipts/check-passkey.ts';
import {
  type PasskeyAssertion,
  type PasskeyEvidence,
  toPasskeyEvidence,
} from '../../receipts/passkey-evidence.ts';
import { loadLibrary } from './library.ts';
import { type AssertionJson, assertionSchema } from './response-json.ts';
import { type Site, timeoutMs } from './site.ts';

/** What the person signs: always 32 bytes, never a text, which would be encoded once more. */
export type Challenge =
  /** The hash of the operation, computed from the stored preimage by the caller. */
  | { readonly purpose: 'approve'; readonly opHash: Uint8Array }
  /** Random bytes that the caller made and forgets after one use. */
  | { readonly purpose: 'sign-in'; readonly random: Uint8Array };

/** Argument of `navigator.credentials.get()` as JSON, in the form `parseRequestOptionsFromJSON` reads. */
export interface AssertionOptions {
  readonly challenge: string;
  readonly rpId: string;
  readonly allowCredentials: readonly {
    readonly id: string;
    readonly type: 'public-key';
    readonly transports: readonly string[];
  }[];
  readonly userVerification: 'required';
  readonly timeout: number;
}

export interface AssertionOptionsInput {
  readonly rpId: string;
  /** Those of one person; removed ones and those of other sites are left out. */
  readonly credentials: readonly CredentialRow[];
  readonly challenge: Challenge;
}

/** Undefined when the person has no passkey on this site: an empty list would mean any passkey. */
export function assertionOptions(input: AssertionOptionsInput): AssertionOptions | undefined {
  const { rpId, credentials, challenge } = input;
  const usable = credentials.filter((each) => each.status === 'active' && each.rpId === rpId);
  if (usable.length === 0) return undefined;
  return {
    challenge: encodeBase64Url(challengeBytes(challenge)),
    rpId,
    allowCredentials: usable.map(({ credentialId, transports }) => ({
      id: credentialId,
      type: 'public-key',
      transports,
    })),
    userVerification: 'required',
    timeout: timeoutMs,
  };
}

export interface AssertionInput extends Site {
  /** JSON from the browser, parsed and otherwise unchecked. */
  readonly response: unknown;
  /** The row with the id that the response names, of the person who is asked. */
  readonly credential: CredentialRow;
  readonly challenge: Challenge;
}

/** Why an assertion is none. */
export type AssertionRefusal =
  /** No JSON of an assertion. */
  | 'RESPONSE_MALFORMED'
  /** Made with another passkey than `credential`. */
  | 'CREDENTIAL_OTHER'
  | 'CREDENTIAL_REMOVED'
  /** The passkey was made on another site: `localhost`, or another host of the page. */
  | 'CREDENTIAL_OTHER_SITE'
  /** The authenticator says that the passkey is somebody else's. */
  | 'PERSON_OTHER'
  /** The passkey was device-bound and is not, or the other way round (WebAuthn Level 3, 7.2). */
  | 'BACKUP_CHANGED'
  | PasskeyFault
  /** The library found something that our own check does not look for. */
  | 'LIBRARY_REFUSED';

export type AssertionVerdict =
  | {
      readonly ok: true;
      readonly purpose: Challenge['purpose'];
      /** To be stored with the passkey. */
      readonly counter: number;
      /** A warning: the passkey may have been copied. Zero on both sides is normal. */
      readonly counterWentBack: boolean;
      readonly assurance: 'passkey' | 'passkey-bound';
      /** For the receipt of an approval; of a sign-in it proves nothing about an operation. */
      readonly evidence: PasskeyEvidence;
    }
  | { readonly ok: false; readonly reason: AssertionRefusal };

/**
 * Two verifiers have to agree: the library, and the check that outsiders run on receipts. What one of
 * them would not accept is not recorded as signed.
 */
export async function verifyAssertion(input: AssertionInput): Promise<AssertionVerdict> {
  const { credential, challenge } = input;
  const parsed = assertionSchema.safeParse(input.response);
  if (!parsed.success) return refuse('RESPONSE_MALFORMED');
  const other = findOther(parsed.data, input);
  if (other !== undefined) return refuse(other);
  const assertion = decode(parsed.data, input);
  if (assertion === undefined) return refuse('RESPONSE_MALFORMED');
  const facts = await checkPasskey(assertion, challengeBytes(challenge));
  if (!facts.ok) return refuse(facts.error);
  const { isDeviceBound, counter } = facts.value;
  if (isDeviceBound !== credential.isDeviceBound) return refuse('BACKUP_CHANGED');
  if (!(await isAcceptedByLibrary(parsed.data, input, assertion))) return refuse('LIBRARY_REFUSED');
  return {
    ok: true,
    purpose: challenge.purpose,
    counter,
    counterWentBack: (counter > 0 || credential.counter > 0) && counter <= credential.counter,
    assurance: isDeviceBound ? 'passkey-bound' : 'passkey',
    evidence: toPasskeyEvidence(assertion),
  };
}

const refuse = (reason: AssertionRefusal): AssertionVerdict => ({ ok: false, reason });

const challengeSizeBytes = 32;

/** Throws on another length: a caller who mixed up bytes and text must not get a weaker challenge. */
function challengeBytes(challenge: Challenge): Uint8Array {
  const bytes = challenge.purpose === 'approve' ? challenge.opHash : challenge.random;
  if (bytes.length !== challengeSizeBytes) {
    throw new RangeError(`a challenge is ${challengeSizeBytes} bytes, these are ${bytes.length}`);
  }
  return bytes;
}

/** Whose and which passkey it is, before any signature is looked at. */
function findOther(
  { id, rawId, response }: AssertionJson,
  { credential, rpId }: AssertionInput,
): AssertionRefusal | undefined {
  if (id !== rawId || id !== credential.credentialId) return 'CREDENTIAL_OTHER';
  if (credential.status !== 'active') return 'CREDENTIAL_REMOVED';
  if (credential.rpId !== rpId) return 'CREDENTIAL_OTHER_SITE';
  const { userHandle } = response;
  const isOther = typeof userHandle === 'string' && userHandle !== userHandleOf(credential);
  return isOther ? 'PERSON_OTHER' : undefined;
}

const userHandleOf = ({ personId }: CredentialRow): string =>
  encodeBase64Url(Buffer.from(personId, 'hex'));

/** Undefined when a part is no base64url. */
function decode(
  { response }: AssertionJson,
  { credential, rpId, origin }: AssertionInput,
): PasskeyAssertion | undefined {
  const credentialId = decodeBase64Url(credential.credentialId);
  const authenticatorData = decodeBase64Url(response.authenticatorData);
  const clientData = decodeBase64Url(response.clientDataJSON);
  const signature = decodeBase64Url(response.signature);
  const publicKey = decodeBase64Url(credential.publicKey);
  const isSent = authenticatorData.ok && clientData.ok && signature.ok;
  if (!isSent || !credentialId.ok || !publicKey.ok) return undefined;
  return {
    ...{ rpId, origin, credentialId: credentialId.value, publicKey: publicKey.value },
    authenticatorData: authenticatorData.value,
    clientData: clientData.value,
    signature: signature.value,
  };
}

async function isAcceptedByLibrary(
  { id, rawId, type, response }: AssertionJson,
  { challenge, rpId, origin }: AssertionInput,
  { publicKey }: PasskeyAssertion,
): Promise<boolean> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const expected = encodeBase64Url(challengeBytes(challenge));
  const { clientDataJSON, authenticatorData, signature } = response;
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: {
        ...{ id, rawId, type, clientExtensionResults: {} },
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: (sent) => sent === expected,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      // The library refuses a counter that goes back; here that is a warning of the caller's.
      credential: { id, publicKey: Uint8Array.from(publicKey), counter: 0 },
    });
    return verified;
  } catch {
    // It throws for whatever it does not accept.
    return false;
  }
}
