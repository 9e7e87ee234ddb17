// Operations that are not the logged one, or no operations.
import { canonicalJson } from '../../src/core/canonical-json.ts';
import type { LeafDraft } from '../../src/core/leaf.ts';
import { encodePreimage } from '../../src/core/op-hash.ts';
import { sha256Hex } from '../../src/core/sha256.ts';
import { aDecisionDraft, aPreimage, createTestLog } from '../../src/testing/test-bundle.ts';
import { type Base, change, invalid, type Vectors } from './receipt-vector.ts';

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

/** Operations of another shape: field by field, in canonical JSON. */
export function operationShapeVectors({ bundle, trust }: Base): Vectors {
  const good = aPreimage();
  const origin = good.origins['iban'];
  const { iban } = good.values;
  const shapes: [string, object][] = [
    ['version-2', { v: 2 }],
    ['version-true', { v: true }],
    ['id-in-upper-case', { op_id: 'A'.repeat(32) }],
    ['nonce-of-31-bytes', { nonce: 'A'.repeat(42) }],
    ['nonce-with-spare-bits', { nonce: `${'A'.repeat(42)}B` }],
    ['nonce-in-base64', { nonce: `${'/'.repeat(42)}A` }],
    ['empty-gateway', { gateway: '' }],
    ['action-null', { action: null }],
    ['contract-in-upper-case', { contract: 'C'.repeat(64) }],
    ['contract-of-63-digits', { contract: 'c'.repeat(63) }],
    ['values-list', { values: [] }],
    ['value-without-origin', { origins: { iban: origin } }],
    ['origin-without-value', { values: { iban } }],
    ['value-without-type', { values: { ...good.values, iban: { value: 'x' } } }],
    ['value-with-another-field', { values: { ...good.values, iban: { ...iban, raw: 'x' } } }],
    ['value-as-text', { values: { ...good.values, iban: 'DE89' } }],
    [
      'origin-without-record',
      { origins: { ...good.origins, iban: { source: 'x', version: '1' } } },
    ],
    ['origin-record-as-number', { origins: { ...good.origins, iban: { ...origin, record: 1 } } }],
    ['origin-source-null', { origins: { ...good.origins, iban: { ...origin, source: null } } }],
    ['empty-principal', { principal: '' }],
    ['empty-agent', { agent: '' }],
    ['mandate-without-chain', { mandate: { id: 'm', hash: 'd'.repeat(64) } }],
    ['mandate-as-text', { mandate: 'm-1' }],
    ['level-3', { level: 3 }],
    ['level-true', { level: true }],
    ['negative-count', { quorum: { ...good.quorum, count: -1 } }],
    ['person-without-name', { quorum: { ...good.quorum, persons: [''] } }],
    ['roles-as-text', { quorum: { ...good.quorum, roles: 'cfo' } }],
    ['include-user-as-number', { quorum: { ...good.quorum, include_user: 1 } }],
    ['policy-with-another-field', { policy: { ...good.policy, rules: [] } }],
    ['policy-as-list', { policy: [] }],
    ['empty-definition', { target: { ...good.target, definition: '' } }],
    ['no-definition', { target: { connector: 'mcp', version: '1', server: 'bank' } }],
    ['expires-as-text', { expires: '1790000900' }],
    ['negative-expires', { expires: -1 }],
  ];
  const spellings: [string, string][] = [
    ['list', canonicalJson([])],
    ['null', 'null'],
    ['field-null', canonicalJson({ ...good, level: null } as never)],
  ];
  const texts = [
    ...shapes.map(([name, changes]) => [name, canonicalJson({ ...good, ...changes } as never)]),
    ...spellings,
  ];
  return texts.map(([name = '', preimage = '']) => [
    `operation-${name}`,
    {
      bundle: change(bundle, { evidence: { preimage } }),
      trust,
      expect: invalid(7, 'PREIMAGE_INVALID'),
    },
  ]);
}

/** Operations whose text is not canonical, and leaves that name them in another way. */
export async function operationHashVectors({ bundle }: Base): Promise<Vectors> {
  const text = encodePreimage(aPreimage());
  const log = await createTestLog();
  const draft = aDecisionDraft();
  const { op_hash: hash } = draft.open;
  const hashes = [String(hash).toUpperCase(), '', null, 1, [hash ?? null], sha256Hex(text)];
  for (const op_hash of hashes) log.append({ ...draft, open: { ...draft.open, op_hash } });
  const good = Buffer.from(log.leaf(0).bytes).toString();
  log.appendBytes(Buffer.from(good.replace('"v":1', '"v":2')));
  const at = (seq: number): string => log.bundle(seq, { preimage: text });
  const spelt = (preimage: string): string => change(bundle, { evidence: { preimage } });
  const list: [string, string, number, string][] = [
    ['hash-in-upper-case', at(0), 7, 'OP_HASH_MISMATCH'],
    ['hash-empty', at(1), 7, 'OP_HASH_MISMATCH'],
    ['hash-null', at(2), 7, 'OP_HASH_MISSING'],
    ['hash-as-number', at(3), 7, 'OP_HASH_MISSING'],
    ['hash-in-a-list', at(4), 7, 'OP_HASH_MISSING'],
    ['hash-without-label', at(5), 7, 'OP_HASH_MISMATCH'],
    ['under-a-bad-leaf', at(6), 1, 'LEAF_FIELD_INVALID'],
    ['escaped-letter', spelt(text.replace('bank', '\\u0062ank')), 7, 'PREIMAGE_NOT_CANONICAL'],
    ['byte-order-mark', spelt(`\ufeff${text}`), 7, 'PREIMAGE_NOT_CANONICAL'],
    ['newline-at-end', spelt(`${text}\n`), 7, 'PREIMAGE_NOT_CANONICAL'],
    [
      'level-with-point',
      spelt(text.replace('"level":0', '"level":0.0')),
      7,
      'PREIMAGE_NOT_CANONICAL',
    ],
    [
      'expires-too-large',
      spelt(text.replace('1790000900', '9007199254740992')),
      7,
      'PREIMAGE_NOT_CANONICAL',
    ],
  ];
  return list.map(([name, changed, step, code]) => [
    `operation-${name}`,
    { bundle: changed, trust: log.trust, expect: invalid(step, code) },
  ]);
}
