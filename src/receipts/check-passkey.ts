// Whether a passkey signed a challenge (WebAuthn Level 3, section 7.2): needs nothing but the evidence.
import { err, ok, type Result } from '../core/result.ts';
import { type ClientDataFault, findClientDataFault } from './client-data.ts';
import { parseCoseKey } from './cose-key.ts';
import type { PasskeyAssertion } from './passkey-evidence.ts';
import { findSignatureFault, type PasskeySignatureFault } from './passkey-signature.ts';
import { webSha256 } from './web-hash.ts';
import { isSameRoot } from './web-tree.ts';

/** Why evidence of a passkey does not hold. */
export type PasskeyFault = ClientDataFault | AuthenticatorFault | PasskeySignatureFault;

/** Why authenticator data is not what it must be. */
export type AuthenticatorFault =
  | 'PASSKEY_AUTHENTICATOR_DATA'
  | 'PASSKEY_SITE_MISMATCH'
  | 'PASSKEY_USER_NOT_PRESENT'
  | 'PASSKEY_USER_NOT_VERIFIED';

/** What the signed flags say. */
export interface PasskeyFacts {
  /** The private key cannot leave its device: the flag BE is 0. */
  readonly isDeviceBound: boolean;
  /** Signature counter; 0 is normal for synced passkeys. */
  readonly counter: number;
}

/** The first thing that is wrong, or what was signed. */
export async function checkPasskey(
  assertion: PasskeyAssertion,
  challenge: Uint8Array,
): Promise<Result<PasskeyFacts, PasskeyFault>> {
  const { rpId, origin, authenticatorData, clientData, signature } = assertion;
  const terms = { type: 'webauthn.get', challenge, origin } as const;
  const clientFault = findClientDataFault(clientData, terms);
  if (clientFault !== undefined) return err(clientFault);
  const facts = await readAuthenticatorData(authenticatorData, rpId);
  if (!facts.ok) return facts;
  const key = parseCoseKey(assertion.publicKey);
  if (key === undefined) return err('PASSKEY_KEY_INVALID');
  const bytes = Uint8Array.from([...authenticatorData, ...(await webSha256(clientData))]);
  const fault = await findSignatureFault(key, { signature, bytes });
  return fault === undefined ? facts : err(fault);
}

/** Bits of the flags byte (WebAuthn Level 3, section 6.1). */
const flag = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, attested: 0x40 };
const extensionsFlag = 0x80;
/** Hash of the site, flags, counter. */
const headSizeBytes = 37;

async function readAuthenticatorData(
  bytes: Uint8Array,
  rpId: string,
): Promise<Result<PasskeyFacts, AuthenticatorFault>> {
  const flags = bytes[32] ?? 0;
  const hasExtensions = (flags & extensionsFlag) !== 0;
  const isWhole = hasExtensions ? bytes.length > headSizeBytes : bytes.length === headSizeBytes;
  if (!isWhole || (flags & flag.attested) !== 0) return err('PASSKEY_AUTHENTICATOR_DATA');
  const site = await webSha256(new TextEncoder().encode(rpId));
  if (!isSameRoot(bytes.subarray(0, 32), site)) return err('PASSKEY_SITE_MISMATCH');
  if ((flags & flag.userPresent) === 0) return err('PASSKEY_USER_NOT_PRESENT');
  if ((flags & flag.userVerified) === 0) return err('PASSKEY_USER_NOT_VERIFIED');
  const counter = new DataView(bytes.buffer, bytes.byteOffset).getUint32(33);
  return ok({ isDeviceBound: (flags & flag.backupEligible) === 0, counter });
}
