// Policies in trust files with a line that is not as it should be.
import { encodeBase64 } from '../../src/core/base64.ts';
import { deriveKeyId, formatVerifierKey } from '../../src/receipts/verifier-key.ts';
import { createTestSigner } from '../../src/testing/test-bundle.ts';
import type { Base, Vectors } from './receipt-vector.ts';

/** Bad input; each text differs from a good policy in one thing. */
export async function policyVectors({ bundle, trust }: Base): Promise<Vectors> {
  const line = trust.split('\n')[0] ?? '';
  const key = line.slice('log '.length);
  const w = await keyText('w.example', 0x04, createTestSigner(9).publicKey);
  const v = await keyText('v.example', 0x04, createTestSigner(8).publicKey);
  const texts = [
    ...characterTexts(trust),
    ...lineTexts({ trust, key, w }),
    ...groupTexts({ trust, w, v }),
    ...(await keyTexts(line)),
  ];
  return texts.map(([name, text, code]) => [
    `trust-${name}`,
    { bundle, trust: text, expect: { verdict: 'bad_input', input: 'trust', code } },
  ]);
}

type Row = [name: string, text: string, code: string];

async function keyText(name: string, type: number, publicKey: Uint8Array): Promise<string> {
  const key = { name, type, publicKey };
  return formatVerifierKey({ ...key, keyId: await deriveKeyId(key) });
}

const characterTexts = (trust: string): Row[] => [
  ['empty', '', 'POLICY_QUORUM'],
  ['nul', `${trust}\u0000`, 'POLICY_CHARACTER'],
  ['delete-character-in-a-comment', `# \u007f\n${trust}`, 'POLICY_CHARACTER'],
  ['form-feed', trust.replace('none', 'none\f'), 'POLICY_CHARACTER'],
  ['byte-order-mark', `\ufeff${trust}`, 'POLICY_LINE'],
  ['no-break-space', trust.replace(' ', '\u00a0'), 'POLICY_LINE'],
  ['longer-than-262144', `#${'x'.repeat(262_144)}`, 'POLICY_TOO_LARGE'],
];

const lineTexts = ({ trust, key, w }: Record<'trust' | 'key' | 'w', string>): Row[] => [
  ['upper-case-line', trust.replace('log ', 'LOG '), 'POLICY_LINE'],
  ['log-without-key', `log\n${trust}`, 'POLICY_LINE'],
  ['log-with-three-items', `log ${key} url more\nquorum none\n`, 'POLICY_LINE'],
  ['witness-without-key', `witness W\n${trust}`, 'POLICY_LINE'],
  ['witness-with-four-items', `witness W ${w} url more\n${trust}`, 'POLICY_LINE'],
  ['group-without-members', `witness W ${w}\ngroup G any\n${trust}`, 'POLICY_LINE'],
  ['quorum-without-name', `log ${key}\nquorum\n`, 'POLICY_LINE'],
  ['quorum-of-two-names', `log ${key}\nquorum none none\n`, 'POLICY_LINE'],
  ['quorum-twice-and-unknown', `${trust}quorum X\n`, 'POLICY_QUORUM'],
  ['comment-after-a-line', trust.replace('none', 'none # of them'), 'POLICY_LINE'],
];

const groupTexts = ({ trust, w, v }: Record<'trust' | 'w' | 'v', string>): Row[] => {
  const two = `witness W ${w}\nwitness V ${v}\n`;
  return [
    ['witness-named-none', `witness none ${w}\n${trust}`, 'POLICY_NAME'],
    ['witness-name-twice', `witness W ${w}\nwitness W ${v}\n${trust}`, 'POLICY_NAME'],
    ['group-named-none', `${two}group none any W\n${trust}`, 'POLICY_NAME'],
    ['group-named-as-a-witness', `${two}group W any V\n${trust}`, 'POLICY_NAME'],
    ['group-of-itself', `${two}group G any W G\n${trust}`, 'POLICY_NAME'],
    ['group-of-none', `${two}group G any none\n${trust}`, 'POLICY_NAME'],
    ['quorum-above-its-group', `${two}quorum G\ngroup G any W\n`, 'POLICY_NAME'],
    ['log-as-quorum', trust.replace('none', 'log.example/test'), 'POLICY_NAME'],
    ['member-of-two-groups', `${two}group G any W\ngroup H any W\n${trust}`, 'POLICY_DUPLICATE'],
    [
      'group-in-two-groups',
      `${two}group G any W\ngroup H any G\ngroup I any G\n${trust}`,
      'POLICY_DUPLICATE',
    ],
    ['threshold-with-leading-zero', `${two}group G 01 W\n${trust}`, 'POLICY_THRESHOLD'],
    ['threshold-as-word', `${two}group G most W V\n${trust}`, 'POLICY_THRESHOLD'],
    ['threshold-in-upper-case', `${two}group G ANY W V\n${trust}`, 'POLICY_THRESHOLD'],
    [
      'threshold-of-20-digits',
      `${two}group G 10000000000000000000 W\n${trust}`,
      'POLICY_THRESHOLD',
    ],
    ['member-unknown-before-threshold', `${two}group G 9 X\n${trust}`, 'POLICY_NAME'],
  ];
};

/** Logs with another key, each in front of a quorum line. */
async function keyTexts(line: string): Promise<Row[]> {
  const [, name = '', id = '', encoded = ''] = /^log ([^+]+)\+([^+]+)\+(.+)$/.exec(line) ?? [];
  const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(5);
  const { publicKey } = createTestSigner(1);
  const other = await keyText('log.example/other', 0x01, publicKey);
  const keys: [string, string, string?][] = [
    ['key-without-id', `${name}+${encoded}`],
    ['key-without-name', `+${id}+${encoded}`],
    ['key-id-in-upper-case', `${name}+${id.toUpperCase()}+${encoded}`],
    ['key-id-of-seven-digits', `${name}+${id.slice(1)}+${encoded}`],
    ['key-of-another-name', `log.example/other+${id}+${encoded}`],
    ['key-in-base64url', `${name}+${id}+${encoded.replaceAll('+', '-').replaceAll('/', '_')}A-A_`],
    ['key-without-padding', `${name}+${id}+${encodeBase64(bytes(32)).slice(0, -1)}`],
    ['key-with-space-in-the-name', await keyText(`${name}\u3000x`, 0x01, publicKey)],
    ['key-with-control-in-the-name', await keyText(`${name}\u0085x`, 0x01, publicKey)],
    ['key-with-a-name-of-256-bytes', await keyText('é'.repeat(128), 0x01, publicKey)],
    ['key-of-31-bytes', await keyText(name, 0x01, bytes(31))],
    ['key-of-33-bytes', await keyText(name, 0x01, bytes(33))],
    ['key-of-type-3', await keyText(name, 0x03, publicKey)],
    ['key-of-no-bytes', await keyText(name, 0x01, bytes(0))],
    ['ml-dsa-key-of-1311-bytes', await keyText(name, 0x06, bytes(1311))],
    ['same-key-under-another-name', `${line.slice(4)}\nlog ${other}`, 'POLICY_DUPLICATE'],
  ];
  const many = Array.from({ length: 257 }, (_unused, i) =>
    keyText('l', 0x01, createTestSigner(i).publicKey),
  );
  const logs = (await Promise.all(many)).map((key) => `log ${key}\n`).join('');
  return [
    ...keys.map(
      ([label, key, code]): Row => [label, `log ${key}\nquorum none\n`, code ?? 'POLICY_KEY'],
    ),
    ['257-logs', `${logs}quorum none\n`, 'POLICY_TOO_LARGE'],
    ['log-key-as-witness', `${line.replace('log', 'witness W')}\nquorum none\n`, 'POLICY_KEY'],
  ];
}
