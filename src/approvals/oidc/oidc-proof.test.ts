import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { type OidcProof, oidcEvidence, openOidcProof, sealOidcProof } from './oidc-proof.ts';
import type { ApprovePurpose } from './oidc-settings.ts';

const secret = new Uint8Array(32).fill(4);
const authTimeS = 1_800_000_000;
const signedInMs = authTimeS * 1_000;
const purpose: ApprovePurpose = {
  kind: 'approve',
  opHash: 'ab'.repeat(32),
  approvalId: '0c'.repeat(16),
  session: 'session-1',
};
const stepUp = {
  issuer: 'https://login.example',
  subject: 'person-1',
  acr: 'urn:two-factor',
  amr: ['pwd', 'otp'],
  idTokenSha256: 'cd'.repeat(32),
  purpose,
  authTimeS,
};
const sealed = sealOidcProof(stepUp, secret, signedInMs + 5_000);

const expected = { purpose, issuer: 'https://login.example/', subject: 'person-1' };

const open = (nowMs: number, changes: Partial<ApprovePurpose> = {}) =>
  openOidcProof(sealed, { ...expected, purpose: { ...purpose, ...changes } }, { secret, nowMs });

describe('proof of a fresh sign-in', () => {
  verifies('APR-14', 'ends 60 s after the sign-in', () => {
    const proof = { ...stepUp, expiresMs: signedInMs + 60_000 };
    expect(open(signedInMs + 59_999)).toEqual({ ok: true, proof });
    expect(open(signedInMs + 60_000)).toMatchObject({ ok: false, reason: 'PROOF_EXPIRED' });
  });

  it('lives no longer when the clock of the provider is ahead', () => {
    const early = sealOidcProof(stepUp, secret, signedInMs - 20_000);
    const at = (nowMs: number) => openOidcProof(early, expected, { secret, nowMs });
    expect(at(signedInMs + 39_999)).toMatchObject({ ok: true });
    expect(at(signedInMs + 40_000)).toMatchObject({ ok: false, reason: 'PROOF_EXPIRED' });
  });

  verifies('APR-14', 'is good for its own operation, request and session', () => {
    const changes: readonly Partial<ApprovePurpose>[] = [
      { opHash: 'ac'.repeat(32) },
      { approvalId: '0d'.repeat(16) },
      { session: 'session-2' },
    ];
    for (const change of changes) {
      expect(open(signedInMs, change)).toMatchObject({ ok: false, reason: 'PROOF_MISSING' });
    }
  });

  verifies('APR-14', 'is of issuer and subject together', () => {
    for (const other of [
      { subject: 'person-2' },
      { subject: '' },
      { issuer: 'https://other.example' },
      { issuer: 'nothing' },
    ]) {
      const result = openOidcProof(
        sealed,
        { ...expected, ...other },
        { secret, nowMs: signedInMs },
      );
      expect(result).toMatchObject({ ok: false, reason: 'SUBJECT_WRONG' });
    }
  });

  it('cannot be made by anybody else', () => {
    for (const text of ['', 'x', `${sealed}A`, JSON.stringify(stepUp)]) {
      const result = openOidcProof(text, expected, { secret, nowMs: signedInMs });
      expect(result).toMatchObject({ ok: false, reason: 'PROOF_MISSING' });
    }
    const otherSecret = new Uint8Array(32).fill(5);
    expect(
      openOidcProof(sealed, expected, { secret: otherSecret, nowMs: signedInMs }),
    ).toMatchObject({ ok: false });
  });
});

describe('evidence of a sign-in', () => {
  const proof: OidcProof = { ...stepUp, expiresMs: 0 };

  it('is flat, and names the person as the provider does', () => {
    expect(oidcEvidence(proof)).toEqual({
      kind: 'oidc',
      issuer: 'https://login.example',
      subject: 'person-1',
      auth_time: authTimeS,
      acr: 'urn:two-factor',
      amr: 'otp pwd',
      id_token_sha256: 'cd'.repeat(32),
    });
  });

  it('leaves out what the provider did not say', () => {
    const keys = Object.keys(oidcEvidence({ ...proof, acr: undefined, amr: [] }));
    expect(keys).toEqual(['kind', 'issuer', 'subject', 'auth_time', 'id_token_sha256']);
  });
});
