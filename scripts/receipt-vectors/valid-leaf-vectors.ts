// Leaves and disclosures at the edges of the format that must verify.
import type { CanonicalValue } from '../../src/core/canonical-json.ts';
import { encodePreimage } from '../../src/core/op-hash.ts';
import type { OperationPreimage } from '../../src/core/operation-preimage.ts';
import { aDecisionDraft, aPreimage, createTestLog } from '../../src/testing/test-bundle.ts';
import {
  type Base,
  bundleOfBytes,
  change,
  goodLeaf,
  type Json,
  type Vectors,
} from './receipt-vector.ts';

/** Step 1, 2 and 7. */
export async function validLeafVectors(base: Base): Promise<Vectors> {
  return [
    ...(await validBytes()),
    ...(await validDisclosures()),
    ...(await validOperations()),
    ...validTexts(base),
  ];
}

const valid = { verdict: 'valid' } as const;

async function validBytes(): Promise<Vectors> {
  const good = await goodLeaf();
  const level = (text: string): string => good.replace('"level":0', `"level":${text}`);
  const least = '{"commit":{},"config":"c","gw":"g","seq":0,"ts":0,"type":"alarm","v":1}';
  const list: [string, string][] = [
    ['16384-bytes', good.replace('enforce', 'e'.repeat(16_384 - good.length + 7))],
    ['32-deep', level(`${'['.repeat(31)}${']'.repeat(31)}`)],
    ['largest-integers', level('[-9007199254740991,9007199254740991]')],
    ['null-in-a-field', level('null')],
    ['every-escape', level(JSON.stringify('\b\t\n\f\r"\\/\u0000\u001f\u007f\u2028\u{1f600}é'))],
    ['keys-by-utf-16', level('{"\u{1f600}":1,"\ufb33":1}')],
    ['keys-composed-and-not', level('{"e\u0301":1,"é":1}')],
    ['fewest-fields', least],
    ['alarm-of-an-operation', least.replace('"seq"', `"op_id":"${'0'.repeat(32)}","seq"`)],
  ];
  return Promise.all(
    list.map(async ([name, text]): Promise<Vectors[number]> => {
      const { bundle, trust } = await bundleOfBytes(Buffer.from(text));
      return [`valid-leaf-${name}`, { bundle, trust, expect: valid }];
    }),
  );
}

const nested = (depth: number): CanonicalValue => (depth === 0 ? 0 : [nested(depth - 1)]);

async function validDisclosures(): Promise<Vectors> {
  const sets: [string, Record<string, CanonicalValue>][] = [
    ['every-kind', { a: null, b: false, c: true, d: 0, e: -1, f: '', g: [], h: {} }],
    [
      'strange-names',
      { '': 1, ' ': 2, '"\\\n': 3, 10: 4, 9: 5, toString: 6, '\u{1f600}': 7, ﬁ: 8 },
    ],
    ['largest-integers', { n: [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER] }],
    ['32-deep', { deep: nested(32) }],
    ['keys-by-utf-16', { keys: { '\u{1f600}': 1, '\ufb33': 2, é: 3, 'e\u0301': 4 } }],
    ['every-escape', { text: '\b\t\n\f\r"\\/\u0000\u001f\u007f\u2028\u{1f600}é' }],
  ];
  return Promise.all(
    sets.map(async ([name, committed]): Promise<Vectors[number]> => {
      const log = await createTestLog();
      log.append({ ...aDecisionDraft(), committed });
      const vector = { bundle: log.bundle(0), trust: log.trust, expect: valid };
      return [`valid-disclosed-${name}`, vector];
    }),
  );
}

async function validOperations(): Promise<Vectors> {
  const origin = { source: 'untrusted', record: null, version: null };
  const list: [string, Partial<OperationPreimage>][] = [
    ['without-arguments', { values: {}, origins: {} }],
    [
      'with-undeclared-arguments',
      { values: { _rest: { type: 'json', value: '{"a":1}' } }, origins: { _rest: origin } },
    ],
    [
      'of-four-eyes',
      {
        agent: 'agent-1',
        level: 2,
        quorum: { count: 2, persons: ['p1'], roles: ['cfo'], exclude: ['p2'], include_user: true },
      },
    ],
    ['of-an-unknown-definition', { target: { ...aPreimage().target, definition: null } }],
    [
      'of-every-kind-of-value',
      {
        values: { 'to[0].é': { type: 'json', value: [null, true, -1, { b: [], a: '' }] } },
        origins: { 'to[0].é': origin },
      },
    ],
  ];
  return Promise.all(
    list.map(async ([name, changes]): Promise<Vectors[number]> => {
      const preimage = aPreimage(changes);
      const log = await createTestLog();
      log.append(aDecisionDraft(preimage));
      const bundle = log.bundle(0, { preimage: encodePreimage(preimage) });
      return [`valid-operation-${name}`, { bundle, trust: log.trust, expect: valid }];
    }),
  );
}

/** The same bundle, written in other words. */
function validTexts({ bundle, trust }: Base): Vectors {
  const json = JSON.parse(bundle) as { disclosed: Record<string, Json> };
  const backwards = Object.fromEntries(Object.entries(json).reverse());
  const opened = Object.fromEntries(
    Object.entries(json.disclosed).map(([field, { salt, value }]) => [field, { value, salt }]),
  );
  const escaped = bundle.replace('"untrusted"', '"\\u0075ntr\\u0075sted"');
  const list: [string, string][] = [
    ['keys-in-another-order', JSON.stringify(backwards)],
    ['members-in-another-order', change(bundle, { disclosed: opened })],
    ['escapes', escaped.replace('"format"', '"\\u0066ormat"').replaceAll('/', '\\/')],
    [
      'tabs-and-carriage-returns',
      `\r\n${JSON.stringify(json, null, '\t').replaceAll('\n', '\r\n')}\t`,
    ],
    ['no-operation', change(bundle, { evidence: {} })],
    ['value-in-another-order', bundle.replace(valueInOrder, '"value": "$2", "source": "$1"')],
  ];
  return list.map(([name, text]) => [
    `valid-bundle-${name}`,
    { bundle: text, trust, expect: valid },
  ]);
}

const valueInOrder = /"source": "([^"]+)",\s+"value": "([^"]+)"/;
