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

/** Proves one person to one request, in the browser session that asked. */
export interface ApprovePurpose {
  readonly kind: 'approve';
  readonly opHash: string;
  readonly approvalId: string;
  /** Names the session: a hash of its id, never the id. */
  readonly session: string;
}

export type OidcPurpose = { readonly kind: 'sign-in' } | ApprovePurpose;

/** A person at a provider is issuer and subject; an e-mail address is neither asked for nor read. */
export interface OidcIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly acr: string | undefined;
  readonly amr: readonly string[];
  /** SHA-256 of the ID token as it came, 64 lower-case hex digits. */
  readonly idTokenSha256: string;
}

/** A checked sign-in. For an approval the time of authentication is known and fresh. */
export type SignedIn = OidcIdentity &
  (
    | { readonly purpose: { readonly kind: 'sign-in' }; readonly authTimeS: number | undefined }
    | { readonly purpose: ApprovePurpose; readonly authTimeS: number }
  );
