import { randomBytes, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createTestMaker } from '../../../test/fixtures/attestation-maker.ts';
import {
  createSoftAuthenticator,
  type Deviations,
  flags,
  packedStatement,
  type SoftAuthenticator,
} from '../../../test/fixtures/soft-authenticator.ts';
import { verifies } from '../../../test/requirements/verifies.ts';
import { encodeBase64Url } from '../../core/base64.ts';
import type { CredentialRow } from '../../core/person.ts';
import { type EnrolmentInput, enrolmentOptions, verifyEnrolment } from './enrolment.ts';

const site = { rpId: 'localhost', origin: 'http://localhost:7391' } as const;
const challenge = randomBytes(32);
const authenticator = createSoftAuthenticator();
const person = { personId: 'ab'.repeat(16), handle: 'alice', name: 'Alice' } as const;

async function enrol(
  how: Deviations = {},
  {
    passkey = authenticator,
    ...changes
  }: Partial<EnrolmentInput> & { passkey?: SoftAuthenticator } = {},
): Promise<unknown> {
  const response = passkey.register(challenge, how);
  const verdict = await verifyEnrolment({ ...site, response, challenge, ...changes });
  return verdict.ok ? verdict.value : verdict.error;
}

describe('enrolmentOptions', () => {
  const credential = { credentialId: 'AAAA', status: 'active', rpId: 'localhost' } as CredentialRow;
  const ask = (models?: EnrolmentInput['models']) =>
    enrolmentOptions({
      ...{ person, rpId: 'localhost', rpName: 'accounts', challenge },
      credentials: [
        credential,
        { ...credential, credentialId: 'BBBB', status: 'removed' },
        { ...credential, credentialId: 'CCCC', rpId: 'approvals.example' },
      ],
      ...(models === undefined ? {} : { models }),
    });

  verifies(
    'APR-12',
    'asks for a verified person and for keys that receipts can be checked with',
    async () => {
      expect(await ask()).toMatchObject({
        challenge: encodeBase64Url(challenge),
        rp: { id: 'localhost', name: 'accounts' },
        user: { id: 'q6urq6urq6urq6urq6urqw', name: 'alice', displayName: 'Alice' },
        pubKeyCredParams: [{ alg: -7 }, { alg: -8 }, { alg: -257 }],
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        excludeCredentials: [{ id: 'AAAA' }],
        attestation: 'none',
        timeout: 120_000,
      });
    },
  );

  it('asks for an attestation only where models are listed', async () => {
    expect(await ask({ aaguids: [], roots: [] })).toMatchObject({ attestation: 'direct' });
  });
});

describe('verifyEnrolment', () => {
  it('gives the row of each kind of key', async () => {
    for (const algorithm of ['ES256', 'EdDSA', 'RS256'] as const) {
      for (const isSynced of [true, false]) {
        const passkey = createSoftAuthenticator({ algorithm, isSynced, aaguid: '1f'.repeat(16) });
        expect(await enrol({}, { passkey })).toEqual({
          credentialId: encodeBase64Url(passkey.credentialId),
          rpId: 'localhost',
          publicKey: encodeBase64Url(passkey.publicKey),
          counter: isSynced ? 0 : 1,
          isDeviceBound: !isSynced,
          aaguid: '1f1f1f1f-1f1f-1f1f-1f1f-1f1f1f1f1f1f',
          transports: ['internal'],
        });
      }
    }
  });

  verifies('APR-12', 'refuses an authenticator that did not verify the person', async () => {
    expect(await enrol({ flipFlags: flags.verified })).toBe('PASSKEY_USER_NOT_VERIFIED');
  });

  const withCurve = Uint8Array.from(authenticator.publicKey);
  withCurve[6] = 0x02;
  it.each<[string, Deviations]>([
    ['PASSKEY_CHALLENGE_MISMATCH', { clientData: { challenge: 'AAAA' } }],
    ['PASSKEY_ORIGIN_MISMATCH', { clientData: { origin: 'https://evil.example' } }],
    ['PASSKEY_CLIENT_DATA', { clientData: { type: 'webauthn.get' } }],
    ['PASSKEY_CLIENT_DATA', { clientData: { crossOrigin: true } }],
    ['PASSKEY_SITE_MISMATCH', { rpId: 'evil.example' }],
    ['PASSKEY_USER_NOT_PRESENT', { flipFlags: flags.present }],
    ['PASSKEY_KEY_INVALID', { publicKey: withCurve }],
    ['LIBRARY_REFUSED', { flipFlags: flags.backedUp }],
    [
      'LIBRARY_REFUSED',
      { attestation: () => ({ format: 'none', statement: Buffer.of(0xa1, 0, 0) }) },
    ],
    ['LIBRARY_REFUSED', { attestation: () => ({ format: 'mine', statement: Buffer.of(0xa0) }) }],
    ['RESPONSE_MALFORMED', { flipFlags: 0x40 }],
    ['RESPONSE_MALFORMED', { trailing: Buffer.of(0) }],
    ['RESPONSE_MALFORMED', { outer: { id: 'AAAA', rawId: 'AAAA' } }],
    ['RESPONSE_MALFORMED', { outer: { type: 'password' } }],
    ['RESPONSE_MALFORMED', { response: { attestationObject: 'AAAA' } }],
    ['RESPONSE_MALFORMED', { response: { attestationObject: 'A'.repeat(20_000) } }],
    ['RESPONSE_MALFORMED', { response: { clientDataJSON: 'AB' } }],
    ['RESPONSE_MALFORMED', { response: { transports: ['Wi-Fi 6'] } }],
  ])('answers %s to %j', async (reason, how) => {
    expect(await enrol(how)).toBe(reason);
  });

  it('takes an answer without transports', async () => {
    expect(await enrol({ response: { transports: undefined } })).toMatchObject({ transports: [] });
  });
});

describe('with a list of models', () => {
  const aaguid = '2fc0579f811347eab116bb5a8db9202a';
  const models = { aaguids: ['2fc0579f-8113-47ea-b116-bb5a8db9202a'], roots: [] as string[] };
  const maker = createTestMaker(aaguid);
  const passkey = createSoftAuthenticator({ aaguid });
  const packed = (...certificates: X509Certificate[]): Deviations => ({
    attestation: (signed) => ({
      format: 'packed',
      statement: packedStatement(
        signed,
        certificates.length === 0 ? passkey.privateKey : maker.privateKey,
        certificates,
      ),
    }),
  });
  const roots = [maker.root];

  it('takes a model that its maker attests', async () => {
    const chosen = { passkey, models: { ...models, roots } };
    expect(await enrol(packed(maker.certificate), chosen)).toMatchObject({
      aaguid: models.aaguids[0],
    });
    expect(
      await enrol(packed(maker.certificate, new X509Certificate(maker.root)), chosen),
    ).toMatchObject({ aaguid: models.aaguids[0] });
  });

  it('refuses another model, and a model that nobody attests', async () => {
    const chosen = { passkey, models: { ...models, roots } };
    expect(await enrol(packed(maker.certificate), { models: chosen.models })).toBe(
      'MODEL_NOT_ALLOWED',
    );
    expect(await enrol({}, chosen)).toBe('MODEL_NOT_ATTESTED');
    expect(await enrol(packed(), chosen)).toBe('MODEL_NOT_ATTESTED');
    expect(await enrol(packed(maker.certificate), { passkey, models })).toBe('MODEL_NOT_ATTESTED');
    const other = createTestMaker(aaguid);
    expect(
      await enrol(packed(maker.certificate), {
        passkey,
        models: { ...models, roots: [other.root] },
      }),
    ).toBe('MODEL_NOT_ATTESTED');
    expect(await enrol(packed(maker.certificate, other.certificate), chosen)).toBe(
      'MODEL_NOT_ATTESTED',
    );
  });

  it('refuses a certificate that signed nothing here', async () => {
    const chosen = { passkey, models: { ...models, roots } };
    const how: Deviations = {
      attestation: (signed) => ({
        format: 'packed',
        statement: packedStatement(signed, passkey.privateKey, [maker.certificate]),
      }),
    };
    expect(await enrol(how, chosen)).toBe('LIBRARY_REFUSED');
  });

  it('refuses a chain that is no certificates', async () => {
    const raw = Buffer.from('no certificate');
    const how = packed({ raw } as X509Certificate);
    expect(await enrol(how, { passkey, models: { ...models, roots } })).toBe('MODEL_NOT_ATTESTED');
  });
});
