// What openid-client threw, as a reason code. Every error is a refusal; an unknown one as well.
import { type OidcRefusal, type OidcRefusalCode, refuseOidc } from './oidc-refusals.ts';

/** Codes of the library that say how the provider answered, not what. */
const unavailable: ReadonlySet<string> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_REQUEST_PROTOCOL_FORBIDDEN',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_INVALID_SERVER_METADATA',
]);

const claimCodes: Readonly<Record<string, OidcRefusalCode>> = {
  aud: 'AUDIENCE_WRONG',
  azp: 'AUDIENCE_WRONG',
  iss: 'ISSUER_MISMATCH',
  nonce: 'NONCE_WRONG',
  exp: 'TOKEN_EXPIRED',
};

export function describeFailure(error: unknown): OidcRefusal {
  return refuseOidc(reasonOf(error), detailOf(error));
}

function reasonOf(error: unknown): OidcRefusalCode {
  const code = textOf(error, 'code') ?? '';
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return 'PROVIDER_REFUSED';
  if (code === 'OAUTH_RESPONSE_BODY_ERROR') {
    return textOf(error, 'error') === 'invalid_grant' ? 'CODE_REFUSED' : 'CLIENT_REFUSED';
  }
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE') return 'CLIENT_REFUSED';
  if (unavailable.has(code) || isNetworkError(error)) return 'ISSUER_UNAVAILABLE';
  return claimCodes[claimOf(error)] ?? 'TOKEN_INVALID';
}

/** `fetch` throws a bare TypeError when nobody answers. */
const isNetworkError = (error: unknown): boolean =>
  error instanceof TypeError && textOf(error, 'code') === undefined;

/** Which claim failed; the library hangs it below two causes. */
function claimOf(error: unknown): string {
  let at: unknown = error;
  for (let depth = 0; depth < 3 && at instanceof Error; depth += 1) at = at.cause;
  return textOf(at, 'claim') ?? '';
}

/** Names of errors and messages of the library; of the provider's own words only its error code. */
function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  const said = textOf(error, 'error') ?? '';
  const known = /^[a-z_]{1,40}$/.test(said) ? said : undefined;
  return [error.message, cause, known].filter((each) => each !== undefined).join(': ');
}

function textOf(value: unknown, key: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: unknown = Reflect.get(value, key);
  return typeof found === 'string' ? found : undefined;
}
