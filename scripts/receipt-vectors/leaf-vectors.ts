// Bytes that are in the log and are no receipt.
import { bundleOfBytes, goodLeaf, invalid, type Vectors } from './receipt-vector.ts';

/** Step 1. */
export async function leafVectors(): Promise<Vectors> {
  const good = await goodLeaf();
  const edit = (from: string, to: string): string => good.replace(from, to);
  const notCanonical: [string, string][] = [
    ['unsorted-keys', edit('{"codes":[],', '{"v":1,"codes":[],').replace(',"v":1}', '}')],
    ['float', edit('"level":0', '"level":0.5')],
    ['float-of-an-integer', edit('"level":0', '"level":0.0')],
    ['minus-zero', edit('"level":0', '"level":-0')],
    ['exponent', edit('"level":0', '"level":0e0')],
    ['two-to-the-53', edit('"level":0', '"level":9007199254740992')],
    ['duplicate-key', edit('"level":0', '"level":0,"level":0')],
    ['lone-surrogate', edit('"enforce"', '"\\ud800"')],
    ['escaped-letter', edit('"enforce"', '"\\u0065nforce"')],
    ['space', edit(':', ': ')],
    ['newline-at-end', `${good}\n`],
    ['byte-order-mark', `\ufeff${good}`],
    ['two-values', `${good}${good}`],
    ['list', `[${good}]`],
    ['forbidden-key', edit('"level":0', '"__proto__":0')],
    ['empty', ''],
    ['depth-33', edit('"level":0', `"level":${'['.repeat(32)}${']'.repeat(32)}`)],
  ];
  const others: [string, string, string][] = [
    ['unknown-type', edit('"type":"decision"', '"type":"decisive"'), 'LEAF_TYPE_UNKNOWN'],
    ['no-type', edit('"type":"decision",', ''), 'LEAF_TYPE_UNKNOWN'],
    ['unknown-field', edit('"level":0', '"kind":0'), 'LEAF_FIELD_UNKNOWN'],
    ['version-2', edit('"v":1', '"v":2'), 'LEAF_FIELD_INVALID'],
    ['negative-seq', edit('"seq":0', '"seq":-1'), 'LEAF_FIELD_INVALID'],
    ['no-time', edit(/"ts":[0-9]+,/.exec(good)?.[0] ?? '', ''), 'LEAF_FIELD_INVALID'],
    ['no-operation', edit(/"op_id":"[0-9a-f]+",/.exec(good)?.[0] ?? '', ''), 'LEAF_FIELD_INVALID'],
    ['upper-case-operation', edit('aabbcc', 'AABBCC'), 'LEAF_FIELD_INVALID'],
    ['short-commitment', edit('"commit":{', '"commit":{"a":"AAAA",'), 'LEAF_FIELD_INVALID'],
    ['wrong-seq', edit('"seq":0', '"seq":1'), 'SEQ_MISMATCH'],
    ['16385-bytes', edit('enforce', 'e'.repeat(16_385 - good.length + 7)), 'LEAF_TOO_LARGE'],
  ];
  const all = [
    ...notCanonical.map(([name, text]) => [name, text, 'LEAF_NOT_CANONICAL']),
    ...others,
  ];
  return Promise.all(
    all.map(async ([name = '', text = '', code = '']): Promise<Vectors[number]> => {
      const { bundle, trust } = await bundleOfBytes(Buffer.from(text));
      return [`leaf-${name}`, { bundle, trust, expect: invalid(1, code) }];
    }),
  );
}
