// Commitments that were computed by another rule, and values that only look like the logged one.
import { createHash, createHmac } from 'node:crypto';
import type { CanonicalValue } from '../../src/core/canonical-json.ts';
import { aDecisionDraft, createTestLog, type TestLog } from '../../src/testing/test-bundle.ts';
import {
  bundleOfBytes,
  change,
  goodLeaf,
  invalid,
  type Json,
  type Vectors,
} from './receipt-vector.ts';

/** Step 2. */
export async function forgedCommitmentVectors(): Promise<Vectors> {
  return [...(await otherRules()), ...(await otherValues()), ...(await otherFields())];
}

const label = 'intentplane/field/v1\u0000';
const message = '["decision","reasons",[]]';
const salt: Uint8Array = new Uint8Array(32).fill(7);
const saltText = Buffer.from(salt).toString('base64url');
const hmac = (text: string, key: Uint8Array | string = salt): Buffer =>
  createHmac('sha256', key).update(text).digest();

/** What a leaf may hold instead of the commitment to `reasons`. */
const rules: readonly (readonly [string, Buffer])[] = [
  ['without-label', hmac(message)],
  ['label-without-zero', hmac(label.slice(0, -1) + message)],
  ['label-of-operations', hmac(`intentplane/op/v1\u0000${message}`)],
  ['of-another-type', hmac(`${label}["outcome","reasons",[]]`)],
  ['without-type', hmac(`${label}["reasons",[]]`)],
  ['without-field', hmac(`${label}["decision",[]]`)],
  ['with-spaces', hmac(`${label}["decision", "reasons", []]`)],
  ['key-as-text', hmac(label + message, saltText)],
  [
    'key-and-message-swapped',
    createHmac('sha256', label + message)
      .update(salt)
      .digest(),
  ],
  ['hash-without-salt', createHash('sha256').update(label).update(message).digest()],
  ['hash-of-salt-and-value', createHash('sha256').update(salt).update(message).digest()],
  [
    'half-of-sha-512',
    createHmac('sha512', salt).update(label).update(message).digest().subarray(0, 32),
  ],
];

async function otherRules(): Promise<Vectors> {
  const good = await goodLeaf();
  return Promise.all(
    rules.map(async ([name, bytes]): Promise<Vectors[number]> => {
      const commitment = bytes.toString('base64url');
      const leaf = good.replace(/"reasons":"[^"]+"/, `"reasons":"${commitment}"`);
      const { bundle, trust } = await bundleOfBytes(Buffer.from(leaf));
      const opened = change(bundle, { disclosed: { reasons: { salt: saltText, value: [] } } });
      const expect = invalid(2, 'COMMITMENT_MISMATCH');
      return [`commitment-${name}`, { bundle: opened, trust, expect }];
    }),
  );
}

const committed = { n: 1, text: '1', yes: true, list: [1, 2], name: 'é', object: { a: 1 } };

/** The field whose value is shown as another one. */
const shown: readonly (readonly [string, keyof typeof committed, CanonicalValue])[] = [
  ['number-as-text', 'n', '1'],
  ['number-as-truth', 'n', true],
  ['truth-as-number', 'yes', 1],
  ['text-as-number', 'text', 1],
  ['list-in-another-order', 'list', [2, 1]],
  ['list-cut', 'list', [1]],
  ['text-decomposed', 'name', 'e\u0301'],
  ['text-in-upper-case', 'name', 'É'],
  ['member-added', 'object', { a: 1, b: null }],
  ['member-in-a-list', 'object', [{ a: 1 }]],
];

async function typedLog(): Promise<{ log: TestLog; disclosed: Record<string, Json> }> {
  const log = await createTestLog();
  log.append({ ...aDecisionDraft(), committed });
  log.append(aDecisionDraft());
  log.append({ ...aDecisionDraft(), committed: { ...committed, n: 2 } });
  return { log, disclosed: disclosedIn(log.bundle(0)) };
}

const disclosedIn = (bundle: string): Record<string, Json> =>
  (JSON.parse(bundle) as { disclosed: Record<string, Json> }).disclosed;

async function otherValues(): Promise<Vectors> {
  const { log, disclosed } = await typedLog();
  const all = shown.map(([name, field, value]): [string, Json] => [
    name,
    { ...disclosed, [field]: { ...disclosed[field], value } },
  ]);
  const bits = Buffer.from(String(disclosed['n']?.['salt']), 'base64url');
  bits[0] = (bits[0] as number) ^ 1;
  all.push(
    ['salt-with-one-bit-flipped', { n: { value: 1, salt: bits.toString('base64url') } }],
    ['from-another-receipt', { n: disclosedIn(log.bundle(2))['n'] }],
  );
  return all.map(([name, changes]) => [
    `commitment-${name}`,
    {
      bundle: change(log.bundle(0), { disclosed: changes }),
      trust: log.trust,
      expect: invalid(2, 'COMMITMENT_MISMATCH'),
    },
  ]);
}

async function otherFields(): Promise<Vectors> {
  const { log, disclosed } = await typedLog();
  const { n } = disclosed;
  const wrong = { ...n, value: 2 };
  log.append({ type: 'alarm', open: {}, committed: {} });
  const all: [string, string, Json][] = [
    ['field-in-upper-case', log.bundle(0), { N: n }],
    ['field-with-a-space', log.bundle(0), { 'n ': n }],
    ['field-without-a-name', log.bundle(0), { '': n }],
    ['field-of-another-receipt', log.bundle(1), { n }],
    ['nothing-committed', log.bundle(3), { n }],
    ['unknown-field-after-a-wrong-value', log.bundle(0), { n: wrong, x: n }],
  ];
  return all.map(([name, bundle, changes]) => [
    `commitment-${name}`,
    {
      bundle: change(bundle, { disclosed: changes }),
      trust: log.trust,
      expect: invalid(2, 'FIELD_NOT_COMMITTED'),
    },
  ]);
}
