// Leaves in canonical JSON whose type or fields are not those of the format.
import { bundleOfBytes, goodLeaf, invalid, type Vectors } from './receipt-vector.ts';

type Edit = readonly [name: string, from: string | RegExp, to: string];

const commitment = /"reasons":"[^"]+"/;
const commitOf = (text: string): string => `"reasons":${text}`;

const contents: readonly Edit[] = [
  ['no-version', ',"v":1}', '}'],
  ['version-as-text', '"v":1', '"v":"1"'],
  ['version-true', '"v":1', '"v":true'],
  ['no-seq', '"seq":0,', ''],
  ['seq-as-text', '"seq":0', '"seq":"0"'],
  ['seq-false', '"seq":0', '"seq":false'],
  ['time-as-text', /"ts":([0-9]+)/, '"ts":"$1"'],
  ['negative-time', '"ts":', '"ts":-'],
  ['no-gateway-version', /"gw":"[^"]+",/, ''],
  ['empty-gateway-version', /"gw":"[^"]+"/, '"gw":""'],
  ['gateway-version-as-number', /"gw":"[^"]+"/, '"gw":1'],
  ['no-config', /"config":"[^"]+",/, ''],
  ['config-null', /"config":"[^"]+"/, '"config":null'],
  ['no-commit', /"commit":\{[^}]+\},/, ''],
  ['commit-list', /"commit":\{[^}]+\}/, '"commit":[]'],
  ['commitment-null', commitment, commitOf('null')],
  ['commitment-with-padding', commitment, commitOf(`"${'A'.repeat(43)}="`)],
  ['commitment-with-spare-bits', commitment, commitOf(`"${'A'.repeat(42)}B"`)],
  ['commitment-of-33-bytes', commitment, commitOf(`"${'A'.repeat(44)}"`)],
  ['commitment-in-base64', commitment, commitOf(`"${'+'.repeat(42)}A"`)],
  ['commitment-in-hex', commitment, commitOf(`"${'a'.repeat(64)}"`)],
  ['operation-null', /"op_id":"[^"]+"/, '"op_id":null'],
  ['operation-of-31-digits', /"op_id":"./, '"op_id":"'],
  ['operation-with-newline', /("op_id":"[^"]+)"/, '$1\\n"'],
  ['empty-state', '"DISPATCHING"', '""'],
  ['state-as-number', '"DISPATCHING"', '1'],
  ['empty-code', '{"codes"', '{"code":"","codes"'],
  ['previous-state-null', '"seq":', '"prev":null,"seq":'],
];

const names: readonly Edit[] = [
  ['field-of-another-type', '"gw":', '"flips":0,"gw":'],
  ['field-in-upper-case', '{"codes"', '{"Level":0,"codes"'],
  ['field-that-objects-inherit', '"ts":', '"toString":0,"ts":'],
  ['person-in-the-open', '"seq":', '"person":"Ann","seq":'],
  ['empty-field-name', '{"codes"', '{"":0,"codes"'],
  ['unknown-and-bad-field', /("gw":)"[^"]+"/, '"flips":0,$11'],
];

const types: readonly Edit[] = [
  ['type-in-upper-case', '"type":"decision"', '"type":"Decision"'],
  ['type-in-a-list', '"type":"decision"', '"type":["decision"]'],
  ['type-null', '"type":"decision"', '"type":null'],
  ['type-of-another-version', '"type":"decision"', '"type":"token.issue"'],
  ['type-that-objects-inherit', '"type":"decision"', '"type":"toString"'],
  ['unknown-type-and-field', /"mode":(.*)"type":"decision"/, '"module":$1"type":"x"'],
];

/** Step 1, after the bytes were read. */
export async function leafFieldVectors(): Promise<Vectors> {
  const good = await goodLeaf();
  const edited = (code: string, edits: readonly Edit[]): [string, string, string][] =>
    edits.map(([name, from, to]) => [name, good.replace(from, to), code]);
  const all: [string, string, string][] = [
    ...edited('LEAF_FIELD_INVALID', contents),
    ...edited('LEAF_FIELD_UNKNOWN', names),
    ...edited('LEAF_TYPE_UNKNOWN', types),
    ['largest-seq', good.replace('"seq":0', '"seq":9007199254740991'), 'SEQ_MISMATCH'],
    ['16385-spaces', ' '.repeat(16_385), 'LEAF_TOO_LARGE'],
  ];
  return Promise.all(
    all.map(async ([name, text, code]): Promise<Vectors[number]> => {
      const { bundle, trust } = await bundleOfBytes(Buffer.from(text));
      return [`leaf-${name}`, { bundle, trust, expect: invalid(1, code) }];
    }),
  );
}
