// Trust files and bundles that cannot be read, and operations that are not the logged one.
import type { LeafDraft } from '../../src/core/leaf.ts';
import { encodePreimage } from '../../src/core/op-hash.ts';
import { deriveKeyId, formatVerifierKey } from '../../src/receipts/verifier-key.ts';
import {
  aDecisionDraft,
  aPreimage,
  createTestLog,
  createTestSigner,
} from '../../src/testing/test-bundle.ts';
import { type Base, change, invalid, type Vectors } from './receipt-vector.ts';

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

/** Step 7. */
export async function operationVectors({ bundle, trust }: Base): Promise<Vectors> {
  const text = encodePreimage(aPreimage());
  const log = await createTestLog();
  const foreign = aPreimage({ gateway: 'log.example/other' });
  log.append(aDecisionDraft(foreign));
  log.append({ ...aDecisionDraft(), opId: 'f'.repeat(32) } satisfies LeafDraft);
  log.append({ type: 'alarm', open: { kind: 'clock_step' }, committed: {} });
  const of = (preimage: string): string => change(bundle, { evidence: { preimage } });
  const list: [string, string, string][] = [
    ['one-cent', of(text.replace('1240.00', '1240.01')), 'OP_HASH_MISMATCH'],
    ['other-nonce', of(text.replace('AAECAw', 'BBECAw')), 'OP_HASH_MISMATCH'],
    ['not-canonical', of(` ${text}`), 'PREIMAGE_NOT_CANONICAL'],
    ['missing-field', of(text.replace('"agent":null,', '')), 'PREIMAGE_INVALID'],
    [
      'extra-field',
      of(text.replace('"agent":null,', '"agent":null,"also":1,')),
      'PREIMAGE_INVALID',
    ],
    ['empty', of(''), 'PREIMAGE_NOT_CANONICAL'],
    ['other-log', log.bundle(0, { preimage: encodePreimage(foreign) }), 'PREIMAGE_OTHER_OPERATION'],
    ['other-operation', log.bundle(1, { preimage: text }), 'PREIMAGE_OTHER_OPERATION'],
    ['leaf-without-operation', log.bundle(2, { preimage: text }), 'OP_HASH_MISSING'],
  ];
  return list.map(([name, changed, code]) => [
    `operation-${name}`,
    { bundle: changed, trust, expect: invalid(7, code) },
  ]);
}

/** Bundle files. */
export function bundleVectors({ bundle, trust }: Base): Vectors {
  const { leaf } = JSON.parse(bundle) as { leaf: string };
  const salt = 'A'.repeat(43);
  const list: [string, string, string][] = [
    ['empty', '', 'BUNDLE_NOT_JSON'],
    ['second-value', `${bundle}{}`, 'BUNDLE_NOT_JSON'],
    ['duplicate-key', bundle.replace('"leaf"', '"leaf": "", "leaf"'), 'BUNDLE_NOT_JSON'],
    ['byte-order-mark', `\ufeff${bundle}`, 'BUNDLE_NOT_JSON'],
    ['other-format', change(bundle, { format: 'intentplane-receipt/2' }), 'BUNDLE_FORMAT'],
    ['unknown-key', change(bundle, { note: 'x' }), 'BUNDLE_MALFORMED'],
    ['no-leaf', change(bundle, { leaf: undefined }), 'BUNDLE_MALFORMED'],
    ['base64url-leaf', change(bundle, { leaf: `-_-_${leaf}` }), 'BUNDLE_MALFORMED'],
    ['leaf-without-padding', change(bundle, { leaf: 'AA' }), 'BUNDLE_MALFORMED'],
    ['leaf-with-spare-bits', change(bundle, { leaf: 'AB==' }), 'BUNDLE_MALFORMED'],
    [
      'base64-salt',
      change(bundle, { disclosed: { x: { salt: `${salt}=`, value: 1 } } }),
      'BUNDLE_MALFORMED',
    ],
    [
      'fraction-disclosed',
      change(bundle, { disclosed: { x: { salt, value: 0.5 } } }),
      'BUNDLE_MALFORMED',
    ],
    ['unknown-evidence', change(bundle, { evidence: { approvals: [] } }), 'BUNDLE_MALFORMED'],
  ];
  return list.map(([name, text, code]) => [
    `bundle-${name}`,
    { bundle: text, trust, expect: { verdict: 'bad_input', input: 'bundle', code } },
  ]);
}
