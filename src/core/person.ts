// People who answer approval requests, and what they sign with.
import type { KeptRecord } from './kept-record.ts';
import { hmacSha256 } from './sha256.ts';

/** One human. Leaves and tables name it by `personId`; everything else here can be erased. */
export interface PersonRow {
  /** Of `personIdOf`. */
  readonly personId: string;
  /** `id` of `[[people]]`, or the principal's name: unique, what people type. */
  readonly handle: string;
  readonly name: string;
  readonly email: string | undefined;
  readonly roles: readonly string[];
  readonly status: 'active' | 'removed';
  /** Gets no notices and does not count as somebody who may answer before this instant. */
  readonly awayUntilMs: number | undefined;
  /** `scrypt$…`; undefined = this person has no passcode. */
  readonly passcode: string | undefined;
  /** `sub` at the configured issuer. */
  readonly oidcSubject: string | undefined;
  /** `config`: kept as the file says at each start; `command`: added by `intentplane people add`. */
  readonly origin: 'config' | 'command';
  /** Gateway whose configuration names this person. */
  readonly source?: string;
  readonly createdMs: number;
}

/**
 * 128 bits, lower-case hex: the same for a handle in one store, whoever adds the person first, and
 * without the secret of the store nobody can tell whose it is.
 */
export function personIdOf(secret: Uint8Array, handle: string): string {
  const mac = hmacSha256(secret, `intentplane/person/v1\0${handle}`);
  return Buffer.from(mac.subarray(0, 16)).toString('hex');
}

/** A passkey (WebAuthn credential) of one person. */
export interface CredentialRow {
  /** base64url. */
  readonly credentialId: string;
  readonly personId: string;
  /** Site that it works on: `localhost`, or the host of `page_url`. */
  readonly rpId: string;
  /** COSE key (RFC 9052), base64url. */
  readonly publicKey: string;
  /** Signature counter; 0 is normal for synced passkeys. */
  readonly counter: number;
  /** Device-bound: its BE flag was 0 at enrolment. */
  readonly isDeviceBound: boolean;
  /** UUID of the authenticator model; all zero when it does not say. */
  readonly aaguid: string;
  readonly transports: readonly string[];
  /** What the person calls it. */
  readonly label: string;
  readonly status: 'active' | 'removed';
  readonly createdMs: number;
}

/** Everybody and every passkey, as one transaction sees them. */
export interface People {
  readonly persons: readonly PersonRow[];
  readonly credentials: readonly CredentialRow[];
}

export const nobody: People = { persons: [], credentials: [] };

/** Reads the documents of the kinds `person` and `credential`; others are left out. */
export function readPeople(records: readonly KeptRecord[]): People {
  const of = (kind: KeptRecord['kind']): readonly unknown[] =>
    records.flatMap((record) => (record.kind === kind ? [JSON.parse(record.fields)] : []));
  return {
    persons: of('person') as readonly PersonRow[],
    credentials: of('credential') as readonly CredentialRow[],
  };
}
