// People who answer approval requests, what they sign with, and what one request asks of them.
import type { Assurance } from './operation.ts';

/** One human. Leaves and tables name it by `personId`; everything else here can be erased. */
export interface PersonRow {
  /** 128 random bits, lower-case hex. */
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
  readonly createdMs: number;
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

/** Who has to approve one request. Fixed when it is made. */
export interface ApprovalTerms {
  /** `supply`: the person enters a value that nothing trusted explains. */
  readonly kind: 'confirm' | 'supply';
  /** How many persons besides the principal's own answer of `includeUser`. */
  readonly count: number;
  /** Each of them filled by a different person; `approver` where the level alone asks. */
  readonly roles: readonly string[];
  /** Handles of persons whose answer never counts. */
  readonly exclude: readonly string[];
  /** The principal's own approval is needed beside the others. */
  readonly includeUser: boolean;
  /** One person answers twice with this time in between; undefined = four eyes. */
  readonly soloWaitMs: number | undefined;
}

/** One approval that counts. A reject ends the request and is no vote. */
export interface Vote {
  readonly personId: string;
  /** Passkey that signed it. */
  readonly credentialId: string | undefined;
  readonly assurance: Assurance;
  /** `page`, `elicitation`, `cli`, or the name of a plug-in. */
  readonly channel: string;
  readonly atMs: number;
}
