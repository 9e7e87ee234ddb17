// A fresh sign-in on its way from the provider to the answer: sealed for one request, one session
// and the rest of its minute. It decides nothing; the answer that comes with it does.
import { openText, sealText } from '../sealed-text.ts';
import { authAgeMaxS } from './check-claims.ts';
import { type OidcRefusal, refuseOidc } from './oidc-refusals.ts';
import {
  type ApprovePurpose,
  isSameIssuer,
  type OidcIdentity,
  type StepUp,
} from './oidc-settings.ts';

export interface OidcProof extends StepUp {
  /** 60 s after the person signed in. */
  readonly expiresMs: number;
}

/**
 * What an answer keeps about a sign-in. It is committed to, like every value of a person, so the
 * subject stands in it as it is. The provider's signature is not kept: this is the gateway's word.
 */
export interface OidcEvidence {
  readonly kind: 'oidc';
  readonly issuer: string;
  readonly subject: string;
  /** Seconds since 1970. */
  readonly auth_time: number;
  readonly acr?: string;
  /** Methods, sorted, with spaces in between. */
  readonly amr?: string;
  readonly id_token_sha256: string;
}

/** What an answer says about itself: what it approves, and the account of whoever sends it. */
export interface ExpectedProof {
  readonly purpose: ApprovePurpose;
  /** Configured issuer, and the person's subject there. */
  readonly issuer: string;
  readonly subject: string;
}

const label = 'intentplane/oidc-proof/v1';

export function sealOidcProof(stepUp: StepUp, secret: Uint8Array, nowMs: number): string {
  const { issuer, subject, acr, amr, idTokenSha256, purpose, authTimeS } = stepUp;
  const identity: OidcIdentity = { issuer, subject, acr, amr, idTokenSha256 };
  // A provider whose clock is ahead gives nobody more time.
  const expiresMs = Math.min(authTimeS * 1_000, nowMs) + authAgeMaxS * 1_000;
  const proof: OidcProof = { ...identity, purpose, authTimeS, expiresMs };
  return sealText(JSON.stringify(proof), { secret, label });
}

/** The proof of this person and session for this request, while it is fresh. */
export function openOidcProof(
  sealed: string,
  expected: ExpectedProof,
  { secret, nowMs }: { readonly secret: Uint8Array; readonly nowMs: number },
): { readonly ok: true; readonly proof: OidcProof } | OidcRefusal {
  const text = openText(sealed, { secret, label });
  if (text === undefined) return refuseOidc('PROOF_MISSING', 'not sealed here');
  const proof = JSON.parse(text) as OidcProof;
  const { opHash, approvalId, session } = proof.purpose;
  const { purpose } = expected;
  const isForThis =
    opHash === purpose.opHash && approvalId === purpose.approvalId && session === purpose.session;
  if (!isForThis) return refuseOidc('PROOF_MISSING', 'of another request or session');
  if (!isSameIssuer(proof.issuer, expected.issuer) || proof.subject !== expected.subject) {
    return refuseOidc('SUBJECT_WRONG');
  }
  return nowMs < proof.expiresMs ? { ok: true, proof } : refuseOidc('PROOF_EXPIRED');
}

export function oidcEvidence(proof: OidcProof): OidcEvidence {
  const { issuer, subject, acr, amr } = proof;
  return {
    kind: 'oidc',
    issuer,
    subject,
    auth_time: proof.authTimeS,
    ...(acr === undefined ? {} : { acr }),
    ...(amr.length === 0 ? {} : { amr: amr.toSorted().join(' ') }),
    id_token_sha256: proof.idTokenSha256,
  };
}
