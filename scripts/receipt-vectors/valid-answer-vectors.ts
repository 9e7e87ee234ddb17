// Answers of people that hold: signed with a passkey, or vouched for by the gateway.
import { good, knows, other, recorded, synced, toVectors } from './answer-cases.ts';
import type { Vectors } from './receipt-vector.ts';
import { assertedEvidence, passkeyEvidence } from './signed-answer.ts';

const signed = { verdict: 'valid', approval: 'signed' } as const;
const asserted = { verdict: 'valid', approval: 'asserted' } as const;

/** Step 7. */
export async function validAnswerVectors(): Promise<Vectors> {
  const reject = { open: { verdict: 'reject' } };
  return [
    ...(await toVectors('valid-answer', signed, [
      ['ed25519', good],
      ['es256', recorded('ES256')],
      ['rs256', recorded('RS256')],
      ['synced', synced],
      ['device-bound', good, { open: { assurance: 'passkey-bound' } }],
      ['allowed-model-synced', synced, { open: { assurance: 'passkey-bound' } }],
      ['extension-data', passkeyEvidence({ flipFlags: 0x80, trailing: Buffer.of(0xa0) })],
      ['more-client-data', passkeyEvidence({ clientData: { later: [1.5, { a: null }] } })],
      ['without-cross-origin', passkeyEvidence({ clientData: { crossOrigin: undefined } })],
      ['required', good, { require: [7] }],
      ['person-closed', good, { disclose: ['evidence'], approvals: knows('alice', good) }],
      ['known-passkey', good, { approvals: knows('alice', other, good) }],
      ['strong-enough', good, { approvals: { min_assurance: 'passkey' } }],
      [
        'bound-as-asked',
        good,
        { open: { assurance: 'passkey-bound' }, approvals: { min_assurance: 'passkey-bound' } },
      ],
      ['solo-not-refused', good, { open: { four_eyes: 'solo-delay' }, approvals: {} }],
      ['two-people', good, { approvals: { refuse_solo: true } }],
    ])),
    ...(await toVectors('valid-answer', asserted, [
      ['passcode', assertedEvidence],
      ['passcode-as-asked', assertedEvidence, { approvals: { min_assurance: 'passcode' } }],
      ['passcode-beside-known-passkeys', assertedEvidence, { approvals: knows('alice', good) }],
      ['form', { said: 'approve' }, { open: { assurance: 'elicitation', channel: 'elicitation' } }],
      ['other-kind', { kind: 'oidc', issuer: 'x' }, { open: { assurance: 'oidc' } }],
      ['reject', assertedEvidence, reject],
      [
        'reject-after-sign-in-with-passkey',
        assertedEvidence,
        {
          open: { verdict: 'reject', assurance: 'passkey', four_eyes: 'solo-delay' },
          approvals: { min_assurance: 'passkey-bound', refuse_solo: true },
        },
      ],
    ])),
    ...(await toVectors('valid-answer', { verdict: 'valid' }, [
      ['closed', good, { disclose: [] }],
    ])),
  ];
}
