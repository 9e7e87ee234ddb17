// A person makes a passkey for this gateway.
import { decodeBase64Url, encodeBase64Url } from '../../core/base64.ts';
import type { CredentialRow, PersonRow } from '../../core/person.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { type ClientDataFault, findClientDataFault } from '../../receipts/client-data.ts';
import { coseAlgorithmIds, parseCoseKey } from '../../receipts/cose-key.ts';
import { isAttestedModel } from './attestation.ts';
import { loadHelpers, loadLibrary } from './library.ts';
import { type EnrolmentJson, enrolmentSchema } from './response-json.ts';
import { type Site, timeoutMs } from './site.ts';

/** Models of authenticators that may be enrolled, and who vouches that one is of its model. */
export interface AllowedModels {
  /** UUIDs, lower case. */
  readonly aaguids: readonly string[];
  /** Certificates (PEM) of their makers. Without one a model is only what the person's software says. */
  readonly roots: readonly string[];
}

export interface EnrolmentOptionsInput {
  readonly person: Pick<PersonRow, 'personId' | 'handle' | 'name'>;
  readonly rpId: string;
  /** Name of the gateway, for people. */
  readonly rpName: string;
  /** Those the person has: an authenticator that holds one makes no second. */
  readonly credentials: readonly CredentialRow[];
  /** 32 random bytes that the caller made and forgets after one use. */
  readonly challenge: Uint8Array;
  /** Any model when left out. */
  readonly models?: AllowedModels;
}

/** Argument of `navigator.credentials.create()` as JSON, in the form `parseCreationOptionsFromJSON` reads. */
export type EnrolmentOptions = Awaited<
  ReturnType<typeof import('@simplewebauthn/server').generateRegistrationOptions>
>;

export async function enrolmentOptions(input: EnrolmentOptionsInput): Promise<EnrolmentOptions> {
  const { person, rpId, rpName, credentials, challenge, models } = input;
  const { generateRegistrationOptions } = await loadLibrary();
  return generateRegistrationOptions({
    rpName,
    rpID: rpId,
    userID: Uint8Array.from(Buffer.from(person.personId, 'hex')),
    userName: person.handle,
    userDisplayName: person.name,
    challenge: Uint8Array.from(challenge),
    timeout: timeoutMs,
    // Asked for only where it is checked: it can tell two people's devices apart.
    attestationType: models === undefined ? 'none' : 'direct',
    excludeCredentials: credentials
      .filter((each) => each.status === 'active' && each.rpId === rpId)
      .map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    supportedAlgorithmIDs: [...coseAlgorithmIds],
  });
}

export interface EnrolmentInput extends Site {
  /** JSON from the browser, parsed and otherwise unchecked. */
  readonly response: unknown;
  readonly challenge: Uint8Array;
  /** Any model when left out. */
  readonly models?: AllowedModels;
}

/** Why an enrolment is none. */
export type EnrolmentRefusal =
  /** No JSON of an enrolment, or binary parts that cannot be read. */
  | 'RESPONSE_MALFORMED'
  | ClientDataFault
  | 'PASSKEY_SITE_MISMATCH'
  | 'PASSKEY_USER_NOT_PRESENT'
  | 'PASSKEY_USER_NOT_VERIFIED'
  /** A key that verifiers of receipts cannot use. */
  | 'PASSKEY_KEY_INVALID'
  | 'MODEL_NOT_ALLOWED'
  /** Nobody whom `models` names vouches that the authenticator is of its model. */
  | 'MODEL_NOT_ATTESTED'
  | 'LIBRARY_REFUSED';

/** The part of a row that the browser's answer gives; person, label and time are the caller's. */
export type CredentialDraft = Pick<
  CredentialRow,
  'credentialId' | 'rpId' | 'publicKey' | 'counter' | 'isDeviceBound' | 'aaguid' | 'transports'
>;

export async function verifyEnrolment(
  input: EnrolmentInput,
): Promise<Result<CredentialDraft, EnrolmentRefusal>> {
  const parsed = enrolmentSchema.safeParse(input.response);
  if (!parsed.success) return err('RESPONSE_MALFORMED');
  const { clientDataJSON, transports = [] } = parsed.data.response;
  const clientData = decodeBase64Url(clientDataJSON);
  if (!clientData.ok) return err('RESPONSE_MALFORMED');
  const { challenge, origin, rpId, models } = input;
  const terms = { type: 'webauthn.create', challenge, origin } as const;
  const clientFault = findClientDataFault(clientData.value, terms);
  if (clientFault !== undefined) return err(clientFault);
  const made = await readAttestation(parsed.data);
  if (made === undefined) return err('RESPONSE_MALFORMED');
  const fault = await findFault(made, rpId);
  if (fault !== undefined) return err(fault);
  if (models !== undefined) {
    if (!models.aaguids.includes(made.aaguid)) return err('MODEL_NOT_ALLOWED');
    if (!isAttestedModel(made.attestation, models.roots)) return err('MODEL_NOT_ATTESTED');
  }
  if (!(await isAcceptedByLibrary(parsed.data, input))) return err('LIBRARY_REFUSED');
  return ok({
    credentialId: encodeBase64Url(made.credentialId),
    rpId,
    publicKey: encodeBase64Url(made.publicKey),
    counter: made.counter,
    isDeviceBound: made.isDeviceBound,
    aaguid: made.aaguid,
    transports,
  });
}

/** What the authenticator says about the new passkey. */
interface Made {
  readonly rpIdHash: Uint8Array;
  readonly isUserPresent: boolean;
  readonly isUserVerified: boolean;
  readonly isDeviceBound: boolean;
  readonly counter: number;
  readonly credentialId: Uint8Array;
  readonly publicKey: Uint8Array;
  /** UUID. */
  readonly aaguid: string;
  readonly attestation: { readonly format: string; readonly certificates: readonly Uint8Array[] };
}

/** Undefined when the bytes are no attestation, or of another passkey than the answer names. */
async function readAttestation({ id, rawId, response }: EnrolmentJson): Promise<Made | undefined> {
  const helpers = await loadHelpers();
  try {
    const bytes = helpers.isoBase64URL.toBuffer(response.attestationObject);
    const object = helpers.decodeAttestationObject(bytes);
    const data = helpers.parseAuthenticatorData(object.get('authData'));
    const { credentialID: credentialId, credentialPublicKey: publicKey, aaguid } = data;
    if (credentialId === undefined || publicKey === undefined || aaguid === undefined) {
      return undefined;
    }
    const text = encodeBase64Url(credentialId);
    if (text !== id || text !== rawId) return undefined;
    return {
      ...{ credentialId, publicKey, counter: data.counter, rpIdHash: data.rpIdHash },
      isUserPresent: data.flags.up,
      isUserVerified: data.flags.uv,
      isDeviceBound: !data.flags.be,
      aaguid: helpers.convertAAGUIDToString(aaguid),
      attestation: {
        format: object.get('fmt'),
        certificates: object.get('attStmt').get('x5c') ?? [],
      },
    };
  } catch {
    // The readers throw for whatever they cannot read.
    return undefined;
  }
}

async function findFault(made: Made, rpId: string): Promise<EnrolmentRefusal | undefined> {
  const site = new Uint8Array(
    await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(rpId)),
  );
  if (!Buffer.from(site).equals(made.rpIdHash)) return 'PASSKEY_SITE_MISMATCH';
  if (!made.isUserPresent) return 'PASSKEY_USER_NOT_PRESENT';
  if (!made.isUserVerified) return 'PASSKEY_USER_NOT_VERIFIED';
  return parseCoseKey(made.publicKey) === undefined ? 'PASSKEY_KEY_INVALID' : undefined;
}

async function isAcceptedByLibrary(
  { id, rawId, type, response }: EnrolmentJson,
  { challenge, rpId, origin }: EnrolmentInput,
): Promise<boolean> {
  const { verifyRegistrationResponse } = await loadLibrary();
  const { clientDataJSON, attestationObject } = response;
  try {
    const { verified } = await verifyRegistrationResponse({
      response: {
        ...{ id, rawId, type, clientExtensionResults: {} },
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge: encodeBase64Url(challenge),
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...coseAlgorithmIds],
    });
    return verified;
  } catch {
    // It throws for whatever it does not accept.
    return false;
  }
}
