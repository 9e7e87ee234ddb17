// Every reason not to believe a sign-in, with the sentence a person reads.

export type OidcRefusalCode =
  | 'ISSUER_UNAVAILABLE'
  | 'ISSUER_MISMATCH'
  | 'CLIENT_REFUSED'
  | 'STATE_INVALID'
  | 'STATE_EXPIRED'
  | 'STATE_USED'
  | 'PROVIDER_REFUSED'
  | 'CODE_REFUSED'
  | 'TOKEN_INVALID'
  | 'TOKEN_EXPIRED'
  | 'AUDIENCE_WRONG'
  | 'NONCE_WRONG'
  | 'ACR_WRONG'
  | 'AMR_WRONG'
  | 'AUTH_TIME_MISSING'
  | 'AUTH_TIME_STALE'
  | 'AUTH_TIME_AHEAD'
  | 'SUBJECT_UNKNOWN'
  | 'SUBJECT_WRONG'
  | 'PROOF_MISSING'
  | 'PROOF_EXPIRED';

export const oidcRefusals: Readonly<Record<OidcRefusalCode, string>> = {
  ISSUER_UNAVAILABLE: 'The sign-in provider does not answer as it should: try again later.',
  ISSUER_MISMATCH: 'The answer is of another provider than the configured one.',
  CLIENT_REFUSED:
    'The provider did not accept this gateway: check client_id, client_secret and the redirect address.',
  STATE_INVALID: 'This sign-in was not started in this browser: start it again.',
  STATE_EXPIRED: 'The sign-in took longer than 5 minutes: start it again.',
  STATE_USED: 'This sign-in was already used: start it again.',
  PROVIDER_REFUSED: 'The provider did not sign you in.',
  CODE_REFUSED: 'The provider no longer knows this sign-in: start it again.',
  TOKEN_INVALID: 'The answer of the provider is not one that can be trusted.',
  TOKEN_EXPIRED: 'The answer of the provider is too old: check both clocks.',
  AUDIENCE_WRONG: 'The answer of the provider is meant for somebody else.',
  NONCE_WRONG: 'The answer of the provider belongs to another sign-in.',
  ACR_WRONG: 'The provider did not sign you in as strongly as is demanded here.',
  AMR_WRONG: 'The provider did not sign you in with a method that is demanded here.',
  AUTH_TIME_MISSING: 'The provider does not say when you signed in.',
  AUTH_TIME_STALE: 'You have to sign in anew for this approval, less than 60 seconds before it.',
  AUTH_TIME_AHEAD: 'The provider says that you signed in at a time to come: check both clocks.',
  SUBJECT_UNKNOWN: 'Nobody here has this account of the provider.',
  SUBJECT_WRONG: 'Somebody else signed in at the provider than the person of this page.',
  PROOF_MISSING: 'Sign in for this approval first.',
  PROOF_EXPIRED: 'Your sign-in for this approval is older than 60 seconds: sign in again.',
};

export interface OidcRefusal {
  readonly ok: false;
  readonly reason: OidcRefusalCode;
  /** What the library saw, for the log: no value of a person and no secret. */
  readonly detail: string;
}

export const refuseOidc = (reason: OidcRefusalCode, detail = ''): OidcRefusal => ({
  ok: false,
  reason,
  detail,
});
