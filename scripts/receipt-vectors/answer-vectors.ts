// Evidence that does not fit its receipt, and answers that the trust file does not take.
import {
  type Case,
  type Groups,
  good,
  groupVectors,
  knows,
  other,
  synced,
  toVectors,
} from './answer-cases.ts';
import type { Vectors } from './receipt-vector.ts';
import { type AnswerChanges, assertedEvidence } from './signed-answer.ts';

/** Step 7, and trust files that cannot be read. */
export async function answerVectors(): Promise<Vectors> {
  return [...(await groupVectors(groups)), ...(await trustVectors())];
}

const open = (name: string, changes: NonNullable<AnswerChanges['open']>): Case => [
  name,
  good,
  { open: changes },
];
const text = (name: string, evidenceText: string | null): Case => [name, good, { evidenceText }];
const { signature: _unused, ...unsigned } = good;
const groups: Groups = [
  [
    'ANSWER_MALFORMED',
    [
      open('verdict-unknown', { verdict: 'maybe' }),
      open('verdict-as-list', { verdict: ['approve'] }),
      open('assurance-unknown', { assurance: 'fingerprint' }),
      open('channel-as-number', { channel: 1 }),
      open('op-hash-in-upper-case', { op_hash: 'AB'.repeat(32) }),
      open('op-hash-null', { op_hash: null }),
      ['without-assurance', good, { without: ['assurance'] }],
      ['without-evidence-hash', good, { without: ['evidence_sha256'] }],
    ],
  ],
  [
    'EVIDENCE_HASH_MISMATCH',
    [
      open('other-evidence-hash', { evidence_sha256: 'ab'.repeat(32) }),
      open('evidence-hash-empty', { evidence_sha256: '' }),
    ],
  ],
  [
    'EVIDENCE_MALFORMED',
    [
      text('evidence-null', null),
      text('evidence-empty', ''),
      text('evidence-list', '[]'),
      text('evidence-not-canonical', JSON.stringify({ said: 1, kind: 'passkey' })),
      ['evidence-without-signature', unsigned],
      ['evidence-with-another-part', { ...good, also: 1 }],
      ['evidence-signature-empty', { ...good, signature: '' }],
      ['evidence-signature-as-number', { ...good, signature: 1 }],
      ['evidence-signature-with-padding', { ...good, signature: `${good.signature}==` }],
      ['evidence-signature-too-long', { ...good, signature: 'AAAA'.repeat(342) }],
      ['evidence-credential-empty', { ...good, credential: '' }],
      ['evidence-authenticator-data-empty', { ...good, authenticator_data: '' }],
      ['evidence-client-data-empty', { ...good, client_data: '' }],
      ['evidence-key-empty', { ...good, public_key: '' }],
      ['evidence-site-empty', { ...good, rp_id: '' }],
      ['evidence-site-with-space', { ...good, rp_id: 'approvals example' }],
      ['evidence-origin-too-long', { ...good, origin: 'x'.repeat(301) }],
      ['evidence-origin-as-number', { ...good, origin: 1 }],
    ],
  ],
  [
    'ASSURANCE_MISMATCH',
    [
      open('signed-passcode', { assurance: 'passcode' }),
      open('signed-reject', { verdict: 'reject' }),
      ['unsigned-passkey', assertedEvidence, { open: { assurance: 'passkey' } }],
      ['unsigned-bound-passkey', assertedEvidence, { open: { assurance: 'passkey-bound' } }],
    ],
  ],
  [
    'PASSKEY_KEY_UNKNOWN',
    [
      ['key-not-named', good, { approvals: knows('alice', other) }],
      ['no-key-named', good, { approvals: { passkeys: [] } }],
      ['key-of-another-person', good, { approvals: knows('bob', good) }],
    ],
  ],
  [
    'ASSURANCE_TOO_LOW',
    [
      ['passcode-too-low', assertedEvidence, { approvals: { min_assurance: 'passkey' } }],
      ['passkey-too-low', good, { approvals: { min_assurance: 'passkey-bound' } }],
      [
        'synced-passkey-too-low',
        synced,
        { open: { assurance: 'passkey-bound' }, approvals: { min_assurance: 'passkey-bound' } },
      ],
    ],
  ],
  [
    'SOLO_REFUSED',
    [
      ['solo', good, { open: { four_eyes: 'solo-delay' }, approvals: { refuse_solo: true } }],
      ['solo-of-a-later-word', good, { open: { four_eyes: 1 }, approvals: { refuse_solo: true } }],
    ],
  ],
  [
    'EVIDENCE_NOT_DISCLOSED',
    [
      ['closed-and-required', good, { disclose: ['person'], require: [7] }],
      ['closed-and-approvals-asked', good, { disclose: [], approvals: {} }],
    ],
  ],
];

/** Trust files that ask for something unknown. */
function trustVectors(): Promise<Vectors> {
  const row = { person: 'alice', public_key: good.public_key };
  const parts: [string, unknown][] = [
    ['null', null],
    ['list', []],
    ['unknown-key', { max_assurance: 'passkey' }],
    ['unknown-assurance', { min_assurance: 'fingerprint' }],
    ['assurance-null', { min_assurance: null }],
    ['solo-not-refused', { refuse_solo: false }],
    ['solo-as-number', { refuse_solo: 1 }],
    ['passkeys-null', { passkeys: null }],
    ['passkey-as-text', { passkeys: [good.public_key] }],
    ['passkey-without-person', { passkeys: [{ public_key: good.public_key }] }],
    ['passkey-of-nobody', { passkeys: [{ ...row, person: '' }] }],
    ['passkey-person-as-number', { passkeys: [{ ...row, person: 1 }] }],
    ['passkey-with-another-field', { passkeys: [{ ...row, since: 1 }] }],
    ['passkey-key-as-number', { passkeys: [{ ...row, public_key: 1 }] }],
    ['passkey-in-base64', { passkeys: [{ ...row, public_key: `${good.public_key}==` }] }],
    ['passkey-of-no-kind', { passkeys: [{ ...row, public_key: 'AAAA' }] }],
    ['passkey-of-two-people', { passkeys: [row, { ...row, person: 'bob' }] }],
  ];
  const expect = { verdict: 'bad_input', input: 'trust', code: 'TRUST_MALFORMED' } as const;
  return toVectors(
    'trust-approvals',
    expect,
    parts.map(([name, approvals]) => [name, good, { approvals }]),
  );
}
