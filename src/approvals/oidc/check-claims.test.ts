import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { checkAuthTime, checkClaims, type IdTokenClaims } from './check-claims.ts';

const nowS = 1_800_000_000;
const nowMs = nowS * 1_000;
const issuer = 'https://login.example';
const settings = {
  issuer,
  clientId: 'intentplane',
  clientSecret: undefined,
  acr: undefined,
  amr: [],
};
const claims: IdTokenClaims = { iss: issuer, sub: 'person-1', exp: nowS + 300 };

const check = (changes: Partial<IdTokenClaims> = {}) =>
  checkClaims({ ...claims, ...changes }, { settings, issuer, nowMs });

describe('claims of an ID token', () => {
  it('name a person of the configured issuer only', () => {
    expect(check()).toEqual({ ok: true, issuer, subject: 'person-1', acr: undefined, amr: [] });
    for (const iss of [`${issuer}/`, 'https://login.example.evil', '']) {
      expect(check({ iss })).toMatchObject({ ok: false, reason: 'ISSUER_MISMATCH' });
    }
  });

  it('end by our own clock, 30 s late', () => {
    expect(check({ exp: nowS - 29 })).toMatchObject({ ok: true });
    expect(check({ exp: nowS - 30 })).toMatchObject({ ok: false, reason: 'TOKEN_EXPIRED' });
  });

  it('of another type than they should be count as absent', () => {
    expect(check({ acr: 1, amr: 'otp' })).toMatchObject({ ok: true, acr: undefined, amr: [] });
    expect(check({ amr: ['otp', 7, null] })).toMatchObject({ ok: true, amr: ['otp'] });
  });
});

describe('time of authentication', () => {
  verifies('APR-14', 'is at most 60 s ago and at most 30 s ahead', () => {
    expect(checkAuthTime(nowS - 60, nowMs)).toEqual({ ok: true, authTimeS: nowS - 60 });
    expect(checkAuthTime(nowS - 60, nowMs + 1)).toMatchObject({ reason: 'AUTH_TIME_STALE' });
    expect(checkAuthTime(nowS + 30, nowMs)).toEqual({ ok: true, authTimeS: nowS + 30 });
    expect(checkAuthTime(nowS + 31, nowMs)).toMatchObject({ reason: 'AUTH_TIME_AHEAD' });
  });

  verifies('APR-14', 'is a whole number', () => {
    expect(checkAuthTime(undefined, nowMs)).toMatchObject({ reason: 'AUTH_TIME_MISSING' });
    for (const authTime of [nowS + 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(checkAuthTime(authTime, nowMs)).toMatchObject({ reason: 'TOKEN_INVALID' });
    }
  });
});
