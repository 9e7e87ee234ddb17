// What a passkey signed, wrong in one way each.
import { encodeBase64Url } from '../../src/core/base64.ts';
import { flags } from '../../test/fixtures/soft-authenticator.ts';
import { type Case, type Groups, good, groupVectors, other, recorded } from './answer-cases.ts';
import type { Vectors } from './receipt-vector.ts';
import { recordedSignatures } from './recorded-signatures.ts';
import { passkeyEvidence } from './signed-answer.ts';

/** Step 7. */
export function passkeyVectors(): Promise<Vectors> {
  return groupVectors(groups);
}

const clientData = (name: string, text: string): Case => [
  name,
  passkeyEvidence({ clientDataText: text }),
];
const key = (name: string, hex: string): Case => [
  name,
  { ...good, public_key: encodeBase64Url(Buffer.from(hex, 'hex')) },
];
const modulus = `80${'00'.repeat(254)}`;
const es256 = (x: string, y: string): string => `a5010203262001215820${x}225820${y}`;
const member = Buffer.from(good.client_data, 'base64url').toString();
const groups: Groups = [
  [
    'PASSKEY_CLIENT_DATA',
    [
      ['of-an-enrolment', passkeyEvidence({ clientData: { type: 'webauthn.create' } })],
      ['in-a-frame', passkeyEvidence({ clientData: { crossOrigin: true } })],
      ['below-another-site', passkeyEvidence({ clientData: { topOrigin: 'https://x.example' } })],
      ['cross-origin-null', passkeyEvidence({ clientData: { crossOrigin: null } })],
      clientData('no-client-data', '[]'),
      clientData('client-data-cut', member.slice(0, -1)),
      clientData('client-data-type-twice', member.replace('{', '{"type":"webauthn.get",')),
      clientData('client-data-byte-order-mark', `\ufeff${member}`),
      clientData(
        'client-data-9-deep',
        member.replace('}', `,"x":${'['.repeat(8)}${']'.repeat(8)}}`),
      ),
      ['client-data-no-utf-8', { ...good, client_data: 'wyg' }],
    ],
  ],
  [
    'PASSKEY_CHALLENGE_MISMATCH',
    [
      ['of-another-operation', passkeyEvidence({ clientData: { challenge: 'A'.repeat(43) } })],
      [
        'challenge-encoded-twice',
        passkeyEvidence({
          clientData: { challenge: encodeBase64Url(Buffer.from('A'.repeat(43))) },
        }),
      ],
      ['challenge-as-list', passkeyEvidence({ clientData: { challenge: [1] } })],
      ['leaf-of-another-operation', good, { open: { op_hash: 'ab'.repeat(32) } }],
    ],
  ],
  [
    'PASSKEY_ORIGIN_MISMATCH',
    [
      ['on-another-page', passkeyEvidence({ clientData: { origin: 'https://evil.example' } })],
      ['other-origin-named', { ...good, origin: 'https://evil.example' }],
    ],
  ],
  [
    'PASSKEY_AUTHENTICATOR_DATA',
    [
      ['authenticator-data-short', { ...good, authenticator_data: 'A'.repeat(48) }],
      ['authenticator-data-of-3-bytes', { ...good, authenticator_data: 'AAAA' }],
      ['bytes-behind-authenticator-data', passkeyEvidence({ trailing: Buffer.of(0xa0) })],
      ['extensions-announced', passkeyEvidence({ flipFlags: 0x80 })],
      ['attested-flag', passkeyEvidence({ flipFlags: 0x40 })],
    ],
  ],
  [
    'PASSKEY_SITE_MISMATCH',
    [
      ['for-another-site', passkeyEvidence({ rpId: 'evil.example' })],
      ['other-site-named', { ...good, rp_id: 'evil.example' }],
    ],
  ],
  ['PASSKEY_USER_NOT_PRESENT', [['nobody-present', passkeyEvidence({ flipFlags: flags.present })]]],
  [
    'PASSKEY_USER_NOT_VERIFIED',
    [['nobody-verified', passkeyEvidence({ flipFlags: flags.verified })]],
  ],
  [
    'PASSKEY_KEY_INVALID',
    [
      key('key-of-one-byte', 'a5'),
      key('key-of-other-algorithm', `a4010103382f2006215820${'11'.repeat(32)}`),
      key('key-with-one-byte-more', `a4010103272006215820${'11'.repeat(33)}`),
      key('point-beside-the-curve', es256('11'.repeat(32), '22'.repeat(32))),
      key('coordinate-too-large', es256('ff'.repeat(32), '22'.repeat(32))),
      key('curve-p-384', es256('11'.repeat(32), '22'.repeat(32)).replace('2001', '2002')),
      key(
        'y-under-another-name',
        es256('11'.repeat(32), '22'.repeat(32)).replace('225820', '235820'),
      ),
      key('rsa-1024', `a401030339010020590080${'81'.repeat(128)}2143010001`),
      key('rsa-exponent-3', `a401030339010020590100${modulus}012143000003`),
      key('rsa-even-modulus', `a401030339010020590100${modulus}022143010001`),
      key('rsa-leading-zero', `a40103033901002059010100${modulus}012143010001`),
      key('rsa-other-length-named', `a401030339010020590101${modulus}012143010001`),
      key('rsa-8192', `a401030339010020590400${'81'.repeat(1_000)}2143010001`),
    ],
  ],
  [
    'PASSKEY_SIGNATURE_INVALID',
    [
      ['other-key-named', { ...good, public_key: other.public_key }],
      ['other-signature', { ...good, signature: other.signature }],
      [
        'signature-cut',
        passkeyEvidence({ signature: (bytes) => bytes.subarray(0, bytes.length - 1) }),
      ],
      ['es256-over-other-data', { ...recorded('ES256'), client_data: again(good.client_data) }],
      ['rs256-over-other-data', { ...recorded('RS256'), client_data: again(good.client_data) }],
      ...derCases(),
    ],
  ],
];

/** The same client data in other words. */
function again(clientData: string): string {
  const text = Buffer.from(clientData, 'base64url').toString();
  return encodeBase64Url(Buffer.from(text.replace('{', '{ ')));
}

/** Spellings of an ECDSA signature that are no DER. */
function derCases(): Case[] {
  const der = Buffer.from(recordedSignatures.ES256.signature, 'base64url');
  const spelt = (name: string, bytes: Uint8Array): Case => [
    `es256-${name}`,
    { ...recorded('ES256'), signature: encodeBase64Url(bytes) },
  ];
  const edited = (at: number, ...bytes: number[]): Buffer =>
    Buffer.concat([der.subarray(0, at), Buffer.from(bytes), der.subarray(at + 1)]);
  // r has 33 bytes with its leading zero, s has 32.
  const r = der.subarray(5, 37);
  const s = der.subarray(39);
  const of = (...numbers: Uint8Array[]): Buffer => {
    const body = numbers.flatMap((each) => [2, each.length, ...each]);
    return Buffer.from([0x30, body.length, ...body]);
  };
  const zero = Buffer.of(0);
  return [
    spelt('as-two-numbers', Buffer.concat([r, s])),
    spelt('byte-behind', Buffer.concat([der, zero])),
    spelt('long-length', edited(1, 0x81, der[1] as number)),
    spelt('r-negative', of(r, s)),
    spelt('s-with-needless-zero', of(Buffer.concat([zero, r]), Buffer.concat([zero, s]))),
    spelt('s-too-long', of(Buffer.concat([zero, r]), Buffer.concat([Buffer.of(1), s]))),
    spelt('s-empty', of(Buffer.concat([zero, r]), Buffer.of())),
    spelt('s-missing', of(Buffer.concat([zero, r]))),
    spelt('s-zero', of(Buffer.concat([zero, r]), zero)),
    spelt('three-numbers', of(Buffer.concat([zero, r]), s, zero)),
    spelt('other-tag', edited(2, 0x03)),
    spelt('number-beyond-the-end', edited(38, 0x21)),
  ];
}
