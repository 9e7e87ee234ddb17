// Sign-in at an OpenID provider: code flow with PKCE, `state` and `nonce` (OpenID Connect Core 1.0,
// RFC 7636, RFC 9207). It says who is there, and never what that person may do.

import { sha256Hex } from '../../core/sha256.ts';
import { checkAuthTime, checkClaims } from './check-claims.ts';
import { describeFailure } from './describe-failure.ts';
import type { KnownIssuer } from './discover-issuer.ts';
import { createIssuer } from './discover-issuer.ts';
import { type OidcRefusal, refuseOidc } from './oidc-refusals.ts';
import type { OidcPurpose, OidcSettings, SignedIn } from './oidc-settings.ts';
import { newOidcState, type OidcState, openOidcState, sealOidcState } from './oidc-state.ts';

export interface OidcSignInOptions {
  readonly config: OidcSettings;
  /** Own address that the provider sends browsers back to, as it is registered there. */
  readonly redirectUri: string;
  /** Seals states; shared by all processes of a store. */
  readonly secret: Uint8Array;
  /** True the first time only, in any process. */
  readonly useNonce: (nonce: string, expiresMs: number) => Promise<boolean>;
  readonly nowMs: () => number;
}

interface StartedSignIn {
  readonly ok: true;
  /** Where the browser goes. */
  readonly url: string;
  /** Sealed; kept by the browser that started, for at most 5 minutes. */
  readonly state: string;
}

export interface OidcSignIn {
  readonly begin: (request: {
    readonly purpose: OidcPurpose;
  }) => Promise<StartedSignIn | OidcRefusal>;
  /**
   * Checks what the browser brought back. Of `currentUrl` only the query counts: the rest is
   * `redirectUri`, whatever a proxy made of it.
   */
  readonly finish: (answer: {
    readonly currentUrl: string;
    readonly state: string;
  }) => Promise<({ readonly ok: true } & SignedIn) | OidcRefusal>;
}

export function createOidcSignIn(options: OidcSignInOptions): OidcSignIn {
  const issuer = createIssuer(options.config, options.nowMs);
  return {
    begin: async ({ purpose }) => {
      const known = await issuer();
      return known.ok ? startSignIn(options, known, purpose) : known;
    },
    finish: async ({ currentUrl, state: sealed }) => {
      const state = openOidcState(sealed, options.secret);
      if (state === undefined) return refuseOidc('STATE_INVALID', 'not sealed here');
      const url = new URL(options.redirectUri);
      url.search = new URL(currentUrl, options.redirectUri).search;
      const refused = refuseState(state, url, options.nowMs());
      if (refused !== undefined) return refused;
      const known = await issuer();
      return known.ok ? finishSignIn({ options, known, state, url }) : known;
    },
  };
}

async function startSignIn(
  { config, redirectUri, secret, nowMs }: OidcSignInOptions,
  { client, configuration }: KnownIssuer,
  purpose: OidcPurpose,
): Promise<StartedSignIn> {
  const state = newOidcState(purpose, nowMs());
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: 'openid',
    state: state.state,
    nonce: state.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(state.codeVerifier),
    code_challenge_method: 'S256',
    ...(config.acr === undefined ? {} : { acr_values: config.acr }),
    // Both: some providers know one of them only. What counts is `auth_time`.
    ...(purpose.kind === 'approve' ? { prompt: 'login', max_age: '0' } : {}),
  });
  return { ok: true, url: url.href, state: sealOidcState(state, secret) };
}

/** The answer has to come back to the browser that asked, in time. */
function refuseState(state: OidcState, url: URL, nowMs: number): OidcRefusal | undefined {
  const returned = url.searchParams.getAll('state');
  if (returned.length !== 1 || returned[0] !== state.state) {
    return refuseOidc('STATE_INVALID', 'state of another sign-in');
  }
  return nowMs >= state.expiresMs ? refuseOidc('STATE_EXPIRED') : undefined;
}

interface ReturnedSignIn {
  readonly options: OidcSignInOptions;
  readonly known: KnownIssuer;
  readonly state: OidcState;
  readonly url: URL;
}

async function finishSignIn(
  returned: ReturnedSignIn,
): Promise<({ readonly ok: true } & SignedIn) | OidcRefusal> {
  const { options, known, state, url } = returned;
  const mixedUp = refuseIssuer(known, url);
  if (mixedUp !== undefined) return mixedUp;
  // Used up by the try, not by success: a code is never sent twice.
  if (!(await options.useNonce(state.nonce, state.expiresMs))) return refuseOidc('STATE_USED');
  const exchanged = await exchangeCode(returned);
  if (!exchanged.ok) return exchanged;
  const nowMs = options.nowMs();
  const { claims, idToken } = exchanged;
  const checked = checkClaims(claims, { settings: options.config, issuer: known.issuer, nowMs });
  if (!checked.ok) return checked;
  const { purpose } = state;
  const identity = { ...checked, idTokenSha256: sha256Hex(idToken) };
  if (purpose.kind === 'sign-in') return { ...identity, purpose, authTimeS: claims.auth_time };
  const fresh = checkAuthTime(claims.auth_time, nowMs);
  return fresh.ok ? { ...identity, purpose, authTimeS: fresh.authTimeS } : fresh;
}

/** RFC 9207: an answer of another provider never gets to see our code verifier. */
function refuseIssuer({ configuration, issuer }: KnownIssuer, url: URL): OidcRefusal | undefined {
  const named = url.searchParams.getAll('iss');
  const { authorization_response_iss_parameter_supported: isNamed } =
    configuration.serverMetadata();
  const isOwn = named.length === 0 ? isNamed !== true : named.length === 1 && named[0] === issuer;
  return isOwn ? undefined : refuseOidc('ISSUER_MISMATCH', 'iss of the response');
}

async function exchangeCode({ known, state, url }: ReturnedSignIn) {
  try {
    const tokens = await known.client.authorizationCodeGrant(known.configuration, url, {
      expectedState: state.state,
      expectedNonce: state.nonce,
      pkceCodeVerifier: state.codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    const idToken = tokens.id_token;
    if (claims === undefined || idToken === undefined) return refuseOidc('TOKEN_INVALID');
    return { ok: true as const, claims, idToken };
  } catch (error) {
    return describeFailure(error);
  }
}
