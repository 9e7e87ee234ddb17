// What an ID token has to say beyond what makes it valid: the demanded strength, and for an
// approval that the person signed in just now. By our own clock.
import { type OidcRefusal, refuseOidc } from './oidc-refusals.ts';
import type { OidcSettings } from './oidc-settings.ts';

/** How old a sign-in may be that approves something. */
export const authAgeMaxS = 60;
/** How far the clock of a provider may be ahead of ours, or an ended token behind. */
const clockSkewS = 30;
/** OpenID Connect Core 1.0, section 2. */
const subjectMaxLength = 255;
/** Of `acr` and `amr` together: a proof has to fit into a cookie. */
const strengthMaxLength = 1_000;

/** Claims of a validated ID token. */
export interface IdTokenClaims {
  readonly iss: string;
  readonly sub: string;
  readonly exp: number;
  readonly auth_time?: number | undefined;
  readonly [claim: string]: unknown;
}

/** Who signed in, as it stands in a valid token. */
export interface CheckedClaims {
  readonly ok: true;
  readonly issuer: string;
  readonly subject: string;
  readonly acr: string | undefined;
  readonly amr: readonly string[];
}

export function checkClaims(
  claims: IdTokenClaims,
  expected: {
    readonly settings: OidcSettings;
    readonly issuer: string;
    readonly nowMs: number;
  },
): CheckedClaims | OidcRefusal {
  const { settings, issuer, nowMs } = expected;
  if (claims.iss !== issuer) return refuseOidc('ISSUER_MISMATCH', 'iss of the ID token');
  if (claims.sub === '' || claims.sub.length > subjectMaxLength) {
    return refuseOidc('TOKEN_INVALID', 'sub is empty or too long');
  }
  if (claims.exp <= nowMs / 1_000 - clockSkewS) return refuseOidc('TOKEN_EXPIRED');
  const acr = readText(claims['acr']);
  const amr = readTexts(claims['amr']);
  if (JSON.stringify([acr, amr]).length > strengthMaxLength) {
    return refuseOidc('TOKEN_INVALID', 'acr and amr are too long');
  }
  if (settings.acr !== undefined && acr !== settings.acr) return refuseOidc('ACR_WRONG');
  const isAsDemanded =
    settings.amr.length === 0 || settings.amr.some((method) => amr.includes(method));
  if (!isAsDemanded) return refuseOidc('AMR_WRONG');
  return { ok: true, issuer, subject: claims.sub, acr, amr };
}

/** Present, not older than a minute, and not of a time to come. */
export function checkAuthTime(
  authTimeS: number | undefined,
  nowMs: number,
): { readonly ok: true; readonly authTimeS: number } | OidcRefusal {
  if (authTimeS === undefined) return refuseOidc('AUTH_TIME_MISSING');
  if (!Number.isSafeInteger(authTimeS)) return refuseOidc('TOKEN_INVALID', 'auth_time');
  const ageS = nowMs / 1_000 - authTimeS;
  if (ageS > authAgeMaxS) return refuseOidc('AUTH_TIME_STALE');
  return ageS < -clockSkewS ? refuseOidc('AUTH_TIME_AHEAD') : { ok: true, authTimeS };
}

const readText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

const readTexts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
