// The numbers of refusals on each wire: HTTP statuses of the approval page, JSON-RPC errors.
import { describe, expect, it } from 'vitest';
import { oidcRefusals } from '../../src/approvals/oidc/oidc-refusals.ts';
import { pageFaults } from '../../src/http/page-faults.ts';
import { rpcCodes } from '../../src/proxy/message.ts';

/** Code of the approval page → HTTP status. */
const pageStatuses: Readonly<Record<string, number>> = {
  BAD_REQUEST: 400,
  FORBIDDEN: 403,
  PASSCODE_WRONG: 403,
  APPROVAL_NOT_ELIGIBLE: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  TOO_SLOW: 408,
  ANSWERED_ALREADY: 409,
  TOO_EARLY: 409,
  FACTOR_REFUSED: 403,
  PASSKEY_REFUSED: 403,
  SIGN_IN_NEEDED: 403,
  SIGN_IN_REFUSED: 403,
  CODE_REFUSED: 403,
  PASSCODE_UNFIT: 400,
  TYPED_WRONG: 403,
  SESSION_ENDED: 403,
  TOO_FAST: 409,
  ENDED: 409,
  EXECUTION_CHANGED: 409,
  PREVIEW_INCOMPLETE: 409,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_TYPE: 415,
  HOST_REFUSED: 421,
  PASSCODE_LOCKED: 429,
  TOO_MANY_TRIES: 429,
  INTERNAL: 500,
};

/** Codes of a sign-in at a provider that is not believed, in the order of their sentences. */
const oidcCodes: readonly string[] = [
  'ISSUER_UNAVAILABLE',
  'ISSUER_MISMATCH',
  'CLIENT_REFUSED',
  'STATE_INVALID',
  'STATE_EXPIRED',
  'STATE_USED',
  'PROVIDER_REFUSED',
  'CODE_REFUSED',
  'TOKEN_INVALID',
  'TOKEN_EXPIRED',
  'AUDIENCE_WRONG',
  'NONCE_WRONG',
  'ACR_WRONG',
  'AMR_WRONG',
  'AUTH_TIME_MISSING',
  'AUTH_TIME_STALE',
  'AUTH_TIME_AHEAD',
  'SUBJECT_UNKNOWN',
  'SUBJECT_WRONG',
  'PROOF_MISSING',
  'PROOF_EXPIRED',
];

describe('error codes', () => {
  it('each refusal of a sign-in at a provider has its code', () => {
    expect(Object.keys(oidcRefusals)).toEqual(oidcCodes);
  });

  it('each refusal of the approval page has its HTTP status', () => {
    const rows = Object.entries(pageFaults).map(([code, { status }]) => [code, status]);
    expect(Object.fromEntries(rows)).toEqual(pageStatuses);
  });

  it('JSON-RPC errors have the numbers of the protocol', () => {
    expect(rpcCodes).toEqual({
      parseError: -32700,
      invalidRequest: -32600,
      methodNotFound: -32601,
      invalidParams: -32602,
      internalError: -32603,
      unsupportedVersion: -32022,
    });
  });
});
