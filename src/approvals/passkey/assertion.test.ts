import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createSoftAuthenticator,
  type Deviations,
  flags,
  type SoftAuthenticator,
} from '../../../test/fixtures/soft-authenticator.ts';
import { verifies } from '../../../test/requirements/verifies.ts';
import { encodeBase64Url } from '../../core/base64.ts';
import type { CredentialRow } from '../../core/person.ts';
import { checkPasskey } from '../../receipts/check-passkey.ts';
import { parsePasskeyEvidence } from '../../receipts/passkey-evidence.ts';
import {
  type AssertionInput,
  type AssertionVerdict,
  assertionOptions,
  verifyAssertion,
} from './assertion.ts';

const site = { rpId: 'localhost', origin: 'http://localhost:7391' } as const;
const opHash = Uint8Array.from({ length: 32 }, (_, at) => at);
const challenge = { purpose: 'approve', opHash } as const;
const authenticator = createSoftAuthenticator();

function rowOf(passkey: SoftAuthenticator, changes: Partial<CredentialRow> = {}): CredentialRow {
  return {
    credentialId: encodeBase64Url(passkey.credentialId),
    personId: 'ab'.repeat(16),
    rpId: site.rpId,
    publicKey: encodeBase64Url(passkey.publicKey),
    counter: 0,
    isDeviceBound: true,
    aaguid: '00000000-0000-0000-0000-000000000000',
    transports: ['internal'],
    label: 'laptop',
    status: 'active',
    createdMs: 1,
    ...changes,
  };
}

const row = rowOf(authenticator);

const verify = (response: unknown, changes: Partial<AssertionInput> = {}) =>
  verifyAssertion({ ...site, response, credential: row, challenge, ...changes });

const reasonOf = (verdict: AssertionVerdict): string => (verdict.ok ? 'accepted' : verdict.reason);

describe('assertionOptions', () => {
  verifies(
    ['APR-11', 'APR-12'],
    'asks for the bytes of the hash, verified, from one person',
    () => {
      const options = assertionOptions({ rpId: 'localhost', credentials: [row], challenge });
      expect(options).toEqual({
        challenge: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8',
        rpId: 'localhost',
        allowCredentials: [{ id: row.credentialId, type: 'public-key', transports: ['internal'] }],
        userVerification: 'required',
        timeout: 120_000,
      });
    },
  );

  it('names no removed passkey and none of another site', () => {
    const credentials = [
      rowOf(createSoftAuthenticator(), { status: 'removed' }),
      rowOf(createSoftAuthenticator(), { rpId: 'approvals.example' }),
    ];
    const ask = (more: readonly CredentialRow[]) =>
      assertionOptions({ rpId: 'localhost', credentials: [...credentials, ...more], challenge });
    expect(ask([row])?.allowCredentials.map(({ id }) => id)).toEqual([row.credentialId]);
    expect(ask([])).toBeUndefined();
  });

  it('throws for a hash as text, and for bytes of another length', () => {
    for (const wrong of [new Uint8Array(31), Buffer.from('ab'.repeat(32))]) {
      const credentials = [row];
      expect(() =>
        assertionOptions({
          ...{ rpId: 'localhost', credentials },
          challenge: { purpose: 'approve', opHash: wrong },
        }),
      ).toThrow('a challenge is 32 bytes');
    }
  });
});

describe('verifyAssertion', () => {
  verifies(
    ['APR-11', 'APR-31'],
    'accepts each kind of key, and its evidence is provable without the gateway',
    async () => {
      for (const algorithm of ['ES256', 'EdDSA', 'RS256'] as const) {
        const passkey = createSoftAuthenticator({ algorithm });
        const verdict = await verify(passkey.assert(opHash), { credential: rowOf(passkey) });
        expect(verdict).toMatchObject({
          ...{ ok: true, purpose: 'approve', counter: 1, counterWentBack: false },
          assurance: 'passkey-bound',
        });
        const evidence = verdict.ok ? verdict.evidence : undefined;
        expect(evidence).toMatchObject({ kind: 'passkey', rp_id: 'localhost' });
        const parsed = parsePasskeyEvidence({ ...evidence });
        expect(parsed && (await checkPasskey(parsed, opHash))).toMatchObject({ ok: true });
      }
    },
  );

  it('calls a synced passkey the weaker kind, and takes its counter of 0', async () => {
    const passkey = createSoftAuthenticator({ isSynced: true });
    const credential = rowOf(passkey, { isDeviceBound: false });
    expect(await verify(passkey.assert(opHash), { credential })).toMatchObject({
      ...{ ok: true, assurance: 'passkey', counter: 0, counterWentBack: false },
    });
  });

  it('warns of a counter that does not go on, and refuses nothing', async () => {
    const wentBack = async (counter: number, stored: number): Promise<unknown> => {
      const credential = rowOf(authenticator, { counter: stored });
      const verdict = await verify(authenticator.assert(opHash, { counter }), { credential });
      return verdict.ok && [verdict.counter, verdict.counterWentBack];
    };
    expect(await wentBack(8, 7)).toEqual([8, false]);
    expect(await wentBack(7, 7)).toEqual([7, true]);
    expect(await wentBack(6, 7)).toEqual([6, true]);
    expect(await wentBack(0, 7)).toEqual([0, true]);
    expect(await wentBack(0, 0)).toEqual([0, false]);
  });

  it('signs a person in over random bytes, and tells that from an approval', async () => {
    const random = randomBytes(32);
    const signIn = { purpose: 'sign-in', random } as const;
    const verdict = await verify(authenticator.assert(random), { challenge: signIn });
    expect(verdict).toMatchObject({ ok: true, purpose: 'sign-in' });
    const other = { purpose: 'sign-in', random: randomBytes(32) } as const;
    expect(reasonOf(await verify(authenticator.assert(random), { challenge: other }))).toBe(
      'PASSKEY_CHALLENGE_MISMATCH',
    );
  });

  verifies('APR-11', 'never takes what was signed over one hash for another', async () => {
    const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
    await fc.assert(
      fc.asyncProperty(hash, hash, fc.nat(255), async (signed, drawn, at) => {
        // Mostly far apart, and once in a while in one bit.
        const near = Uint8Array.from(signed);
        near[at >> 3] = (near[at >> 3] ?? 0) ^ (1 << (at & 7));
        for (const asked of [drawn, near]) {
          if (Buffer.from(signed).equals(asked)) continue;
          const verdict = await verify(authenticator.assert(signed), {
            challenge: { purpose: 'approve', opHash: asked },
          });
          expect(reasonOf(verdict)).toBe('PASSKEY_CHALLENGE_MISMATCH');
        }
      }),
      { numRuns: 60 },
    );
  });

  verifies('APR-12', 'refuses an authenticator that did not verify the person', async () => {
    const response = authenticator.assert(opHash, { flipFlags: flags.verified });
    expect(reasonOf(await verify(response))).toBe('PASSKEY_USER_NOT_VERIFIED');
  });

  it.each<[string, Deviations]>([
    [
      'PASSKEY_CHALLENGE_MISMATCH',
      { clientData: { challenge: encodeBase64Url(Buffer.from(row.publicKey)) } },
    ],
    ['PASSKEY_ORIGIN_MISMATCH', { clientData: { origin: 'http://localhost:7392' } }],
    ['PASSKEY_ORIGIN_MISMATCH', { clientData: { origin: ['http://localhost:7391'] } }],
    ['PASSKEY_CLIENT_DATA', { clientData: { type: 'webauthn.create' } }],
    ['PASSKEY_CLIENT_DATA', { clientData: { crossOrigin: true } }],
    ['PASSKEY_CLIENT_DATA', { clientDataText: '{' }],
    ['PASSKEY_SITE_MISMATCH', { rpId: 'evil.example' }],
    ['PASSKEY_USER_NOT_PRESENT', { flipFlags: flags.present }],
    ['PASSKEY_AUTHENTICATOR_DATA', { flipFlags: 0x40 }],
    ['PASSKEY_AUTHENTICATOR_DATA', { trailing: Buffer.of(0) }],
    ['PASSKEY_SIGNATURE_INVALID', { signature: (bytes) => bytes.subarray(1) }],
    ['PASSKEY_SIGNATURE_INVALID', { signature: () => randomBytes(70) }],
    ['BACKUP_CHANGED', { flipFlags: flags.synced }],
    ['LIBRARY_REFUSED', { flipFlags: flags.backedUp }],
    ['LIBRARY_REFUSED', { flipFlags: 0x80, trailing: Buffer.of(0xff) }],
    ['CREDENTIAL_OTHER', { outer: { id: 'AAAA', rawId: 'AAAA' } }],
    ['CREDENTIAL_OTHER', { outer: { rawId: 'AAAA' } }],
    ['PERSON_OTHER', { response: { userHandle: encodeBase64Url(Buffer.alloc(16)) } }],
    ['RESPONSE_MALFORMED', { outer: { type: 'password' } }],
    ['RESPONSE_MALFORMED', { outer: { id: 7 } }],
    ['RESPONSE_MALFORMED', { response: { signature: 'A'.repeat(1_400) } }],
    ['RESPONSE_MALFORMED', { response: { signature: 'AB==' } }],
    ['RESPONSE_MALFORMED', { response: { signature: 'AB' } }],
    ['RESPONSE_MALFORMED', { response: { authenticatorData: 'A'.repeat(2_800) } }],
    ['RESPONSE_MALFORMED', { response: { clientDataJSON: ['e30'] } }],
    ['RESPONSE_MALFORMED', { response: { userHandle: 'A'.repeat(90) } }],
  ])('answers %s to %j', async (reason, how) => {
    expect(reasonOf(await verify(authenticator.assert(opHash, how)))).toBe(reason);
  });

  it('answers RESPONSE_MALFORMED to what is no object at all', async () => {
    for (const response of [undefined, null, 7, 'x', [], {}, { id: 'AAAA' }]) {
      expect(reasonOf(await verify(response))).toBe('RESPONSE_MALFORMED');
    }
  });

  it('takes the own handle of the person, and an empty one', async () => {
    const own = encodeBase64Url(Buffer.from(row.personId, 'hex'));
    for (const userHandle of [own, null]) {
      const response = authenticator.assert(opHash, { response: { userHandle } });
      expect(reasonOf(await verify(response))).toBe('accepted');
    }
  });

  it('refuses a passkey that was removed, is of another site, or has another key', async () => {
    const reason = async (changes: Partial<CredentialRow>): Promise<string> =>
      reasonOf(
        await verify(authenticator.assert(opHash), { credential: rowOf(authenticator, changes) }),
      );
    expect(await reason({ status: 'removed' })).toBe('CREDENTIAL_REMOVED');
    expect(await reason({ rpId: 'approvals.example' })).toBe('CREDENTIAL_OTHER_SITE');
    const other = encodeBase64Url(createSoftAuthenticator().publicKey);
    expect(await reason({ publicKey: other })).toBe('PASSKEY_SIGNATURE_INVALID');
    expect(await reason({ publicKey: 'AAAA' })).toBe('PASSKEY_KEY_INVALID');
    expect(await reason({ publicKey: 'A' })).toBe('RESPONSE_MALFORMED');
  });
});
