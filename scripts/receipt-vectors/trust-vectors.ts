// Trust files that cannot be read, and such that ask for more than can be checked.
import { deriveKeyId, formatVerifierKey } from '../../src/receipts/verifier-key.ts';
import { createTestSigner } from '../../src/testing/test-bundle.ts';
import { type Base, invalid, type Vectors } from './receipt-vector.ts';

/** Trust files. */
export async function trustVectors({ bundle, trust }: Base): Promise<Vectors> {
  const key = { name: 'w.example', type: 0x04, publicKey: createTestSigner(9).publicKey };
  const vkey = formatVerifierKey({ ...key, keyId: await deriveKeyId(key) });
  const witness = `witness W ${vkey}\n`;
  const logLine = trust.split('\n')[0] ?? '';
  const texts: [string, string, string][] = [
    ['two-quorum-lines', `${trust}quorum none\n`, 'POLICY_QUORUM'],
    ['no-quorum-line', `${logLine}\n`, 'POLICY_QUORUM'],
    ['unknown-member', `${witness}group G all W X\nquorum G\n`, 'POLICY_NAME'],
    ['unknown-quorum', `${logLine}\nquorum X\n`, 'POLICY_NAME'],
    ['k-above-n', `${witness}group G 2 W\nquorum G\n`, 'POLICY_THRESHOLD'],
    ['k-zero', `${witness}group G 0 W\nquorum G\n`, 'POLICY_THRESHOLD'],
    ['duplicate-log', `${logLine}\n${trust}`, 'POLICY_DUPLICATE'],
    ['duplicate-witness', `${witness}witness V ${vkey}\nquorum none\n`, 'POLICY_DUPLICATE'],
    ['member-twice', `${witness}group G any W W\nquorum G\n`, 'POLICY_DUPLICATE'],
    ['wrong-key-id', trust.replace(/\+[0-9a-f]{8}\+/, '+00000000+'), 'POLICY_KEY'],
    ['witness-key-as-log', `log ${vkey}\nquorum none\n`, 'POLICY_KEY'],
    ['carriage-return', trust.replaceAll('\n', '\r\n'), 'POLICY_CHARACTER'],
    ['unknown-line', `${trust}trust everybody\n`, 'POLICY_LINE'],
    ['unknown-json-key', JSON.stringify({ policy: trust, steps: [1] }), 'TRUST_KEY_UNKNOWN'],
    ['step-9', JSON.stringify({ policy: trust, require: [9] }), 'TRUST_MALFORMED'],
  ];
  return texts.map(([name, text, code]) => [
    `trust-${name}`,
    { bundle, trust: text, expect: { verdict: 'bad_input', input: 'trust', code } },
  ]);
}

/** Trust files in JSON. */
export function trustJsonVectors({ bundle, trust }: Base): Vectors {
  const of = (more: object): string => JSON.stringify({ policy: trust, ...more });
  const nested = `${'['.repeat(8)}${']'.repeat(8)}`;
  const keys = Object.fromEntries(Array.from({ length: 101 }, (_unused, i) => [`k${i}`, 0]));
  const texts: [string, string, string][] = [
    ['json-cut', of({}).slice(0, -1), 'TRUST_MALFORMED'],
    ['json-second-value', `${of({})}{}`, 'TRUST_MALFORMED'],
    ['json-key-twice', of({}).replace('{', '{"policy":"quorum none",'), 'TRUST_MALFORMED'],
    ['json-forbidden-key', of({}).replace('{', '{"__proto__":{},'), 'TRUST_MALFORMED'],
    ['json-9-deep', of({}).replace('{', `{"require":${nested},`), 'TRUST_MALFORMED'],
    ['json-101-keys', JSON.stringify(keys), 'TRUST_MALFORMED'],
    ['json-10001-values', of({ require: new Array(9_999).fill(1) }), 'TRUST_MALFORMED'],
    ['json-without-policy', '{"require":[1]}', 'TRUST_MALFORMED'],
    ['json-policy-as-list', of({ policy: trust.split('\n') }), 'TRUST_MALFORMED'],
    ['json-bad-policy', of({ policy: 'quorum X' }), 'POLICY_NAME'],
    ['step-0', of({ require: [0] }), 'TRUST_MALFORMED'],
    ['step-as-text', of({ require: ['1'] }), 'TRUST_MALFORMED'],
    ['step-true', of({ require: [true] }), 'TRUST_MALFORMED'],
    ['step-with-fraction', of({}).replace('}', ',"require":[1.0]}'), 'TRUST_MALFORMED'],
    ['steps-as-number', of({ require: 5 }), 'TRUST_MALFORMED'],
    ['steps-null', of({ require: null }), 'TRUST_MALFORMED'],
    ['approvers', of({ approvers: [] }), 'TRUST_NOT_SUPPORTED'],
    ['lowest-assurance', of({ assurance_min: 2 }), 'TRUST_NOT_SUPPORTED'],
    ['accept-solo', of({ accept_solo: false }), 'TRUST_NOT_SUPPORTED'],
    ['timestamp-roots-and-no-policy', '{"timestamp_roots":[]}', 'TRUST_MALFORMED'],
    ['unknown-key-after-unsupported', of({ approvers: [], x: 1 }), 'TRUST_KEY_UNKNOWN'],
    ['json-in-a-list', `[${of({})}]`, 'POLICY_LINE'],
    ['json-after-no-break-space', `\u00a0${of({})}`, 'POLICY_LINE'],
    ['json-after-byte-order-mark', `\ufeff${of({})}`, 'POLICY_LINE'],
  ];
  return texts.map(([name, text, code]) => [
    `trust-${name}`,
    { bundle, trust: text, expect: { verdict: 'bad_input', input: 'trust', code } },
  ]);
}

/** Trust files that a good receipt does not satisfy. */
export async function requiredStepVectors({ bundle, trust, log }: Base): Promise<Vectors> {
  const key = { name: 'w.example', type: 0x04, publicKey: createTestSigner(9).publicKey };
  const witness = `witness W ${formatVerifierKey({ ...key, keyId: await deriveKeyId(key) })}\n`;
  const requiring = (...require: number[]): string => JSON.stringify({ policy: trust, require });
  const unproven = log.bundle(4);
  const wrong = bundle.replace('1240.00', '1240.01').replace('1240.00', '1240.01');
  const list: [string, string, string, number, string][] = [
    ['witness', bundle, witness + trust.replace('none', 'W'), 5, 'QUORUM_MISSING'],
    ['step-5', bundle, requiring(5), 5, 'QUORUM_NOT_SET'],
    ['step-6', bundle, requiring(8, 6), 6, 'NO_PREVIOUS'],
    ['step-7', bundle, requiring(7), 7, 'APPROVALS_NOT_CHECKED'],
    ['step-7-without-operation', unproven, requiring(7), 7, 'NOT_SUPPORTED'],
    ['step-8', bundle, requiring(8), 8, 'NOT_SUPPORTED'],
    ['step-5-of-a-bad-receipt', wrong, requiring(5), 2, 'COMMITMENT_MISMATCH'],
  ];
  return list.map(([name, text, believed, step, code]) => [
    `trust-requires-${name}`,
    { bundle: text, trust: believed, expect: invalid(step, code) },
  ]);
}
