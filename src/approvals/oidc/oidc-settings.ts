// What the operator says about the OpenID provider, and whom it signed in for what.

/** The fields of `[approvals.oidc]`. */
export interface OidcSettings {
  /** Issuer identifier: https, or http on this computer only. */
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined: a public client, which PKCE alone protects. */
  readonly clientSecret: string | undefined;
  /** Asked for and demanded. */
  readonly acr: string | undefined;
  /** Methods of which one must have been used; empty = any. */
  readonly amr: readonly string[];
}

/** An address may end with a slash or not; it is the same provider. */
export function isSameIssuer(left: string, right: string): boolean {
  const [one, other] = [left, right].map((each) => (URL.canParse(each) ? new URL(each).href : ''));
  return one !== '' && one === other;
}

/** Proves one person to one request, in the browser session that asked. */
export interface ApprovePurpose {
  readonly kind: 'approve';
  readonly opHash: string;
  readonly approvalId: string;
  /** Names the session: a hash of its id, never the id. */
  readonly session: string;
}

/** Opens a session. */
export interface SignInPurpose {
  readonly kind: 'sign-in';
  /** Request that the person was looking at. */
  readonly returnTo?: string;
}

export type OidcPurpose = SignInPurpose | ApprovePurpose;

/** A person at a provider is issuer and subject; an e-mail address is neither asked for nor read. */
export interface OidcIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly acr: string | undefined;
  readonly amr: readonly string[];
  /** SHA-256 of the ID token as it came, 64 lower-case hex digits. */
  readonly idTokenSha256: string;
}

/** Somebody signed in just now, for one approval. */
export interface StepUp extends OidcIdentity {
  readonly purpose: ApprovePurpose;
  /** Seconds since 1970. */
  readonly authTimeS: number;
}

/** A checked sign-in. */
export type SignedIn =
  | StepUp
  | (OidcIdentity & {
      readonly purpose: SignInPurpose;
      /** Undefined: the provider does not say, and nobody asked. */
      readonly authTimeS: number | undefined;
    });

export function isStepUp(signedIn: SignedIn): signedIn is StepUp {
  return signedIn.purpose.kind === 'approve';
}
