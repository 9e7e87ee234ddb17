import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { someFacts } from '../../testing/contract-builders.ts';
import type { MandateFact } from '../facts.ts';
import { checkAuthn } from './authn.ts';

const mandate: MandateFact = {
  id: 'm1',
  status: 'active',
  notBeforeMs: 1_000,
  expiresMs: 2_000,
  scopes: [],
  levelMin: 0,
};

const codesAt = (nowMs: number, changes: Partial<MandateFact> = {}): readonly string[] =>
  checkAuthn(someFacts({ live: { nowMs, mandate: { ...mandate, ...changes } } })).map(
    ({ code }) => code,
  );

describe('checkAuthn', () => {
  it('takes an active mandate from its first millisecond to the last before its end', () => {
    expect(codesAt(1_000)).toEqual([]);
    expect(codesAt(1_999)).toEqual([]);
  });

  it('refuses one millisecond before the start and at the end itself', () => {
    expect(codesAt(999)).toEqual(['AUTHN_NOT_YET_VALID']);
    expect(codesAt(2_000)).toEqual(['AUTHN_TOKEN_EXPIRED']);
  });

  it('refuses a revoked and a suspended mandate within its time', () => {
    expect(codesAt(1_500, { status: 'revoked' })).toEqual(['AUTHN_MANDATE_REVOKED']);
    expect(codesAt(1_500, { status: 'suspended' })).toEqual(['AUTHN_MANDATE_SUSPENDED']);
  });

  verifies(
    'EXE-21',
    'refuses while a mandate above it is not usable, not there or one too many',
    () => {
      const at = (ancestors: readonly (MandateFact | undefined)[], nowMs = 1_500) =>
        checkAuthn(someFacts({ live: { nowMs, mandate, ancestors } })).map(({ code }) => code);
      const broken = ['AUTHN_CHAIN_BROKEN'];
      expect(at([mandate, mandate])).toEqual([]);
      expect(at([mandate, { ...mandate, status: 'suspended' }])).toEqual(broken);
      expect(at([{ ...mandate, status: 'revoked' }])).toEqual(broken);
      expect(at([mandate, undefined])).toEqual(broken);
      expect(at([{ ...mandate, expiresMs: 1_501 }])).toEqual([]);
      expect(at([{ ...mandate, expiresMs: 1_500 }])).toEqual(broken);
      expect(at([{ ...mandate, notBeforeMs: 1_500 }])).toEqual([]);
      expect(at([{ ...mandate, notBeforeMs: 1_501 }])).toEqual(broken);
      expect(at(Array<MandateFact>(5).fill(mandate))).toEqual([]);
      expect(at(Array<MandateFact>(6).fill(mandate))).toEqual(broken);
    },
  );

  it('refuses a session without a mandate', () => {
    expect(checkAuthn(someFacts({ live: { mandate: undefined } }))).toEqual([
      { code: 'AUTHN_TOKEN_INVALID' },
    ]);
  });

  it('stops a caller above its rate, and one whose mandate is not valid at the mandate', () => {
    const live = { nowMs: 1_500, mandate };
    expect(checkAuthn(someFacts({ rateLimited: true, live }))).toEqual([{ code: 'RATE_LIMITED' }]);
    const ended = { nowMs: 2_000, mandate };
    expect(checkAuthn(someFacts({ rateLimited: true, live: ended }))).toEqual([
      { code: 'AUTHN_TOKEN_EXPIRED' },
    ]);
  });
});
