// Notes whose lines are not those of the format, or are signed by somebody else.
import { encodeBase64 } from '../../src/core/base64.ts';
import { signCheckpoint } from '../../src/receipts/sign-checkpoint.ts';
import {
  deriveKeyId,
  formatVerifierKey,
  type VerifierKey,
} from '../../src/receipts/verifier-key.ts';
import { createTestLog, createTestSigner, type TestLog } from '../../src/testing/test-bundle.ts';
import { type Base, editNote, invalid, type Vectors } from './receipt-vector.ts';

type Edit = (note: string) => string;

/** Step 4, beside those of note-vectors.ts. */
export async function noteLineVectors(base: Base): Promise<Vectors> {
  const all: [string, Edit, string, string][] = [
    ...malformed(base.log).map(([name, edit]) => row(name, edit, 'NOTE_MALFORMED')),
    ...checkpoints.map(([name, edit]) => row(name, edit, 'CHECKPOINT_MALFORMED')),
    ...signatures(base.log).map(([name, edit, code]) => row(name, edit, code)),
    ...(await strangers(base)),
  ];
  return all.map(([name, edit, code, trust]) => [
    `note-${name}`,
    {
      bundle: editNote(base.bundle, edit),
      trust: trust === '' ? base.trust : trust,
      expect: invalid(4, code),
    },
  ]);
}

/** An edit under the trust file of the log. */
const row = (name: string, edit: Edit, code: string): [string, Edit, string, string] => [
  name,
  edit,
  code,
  '',
];

/** Base64 of the last line, and the line with other bytes or another text there. */
const encodedIn = (note: string): string => note.slice(note.lastIndexOf(' ') + 1, -1);
const withEncoded = (note: string, encoded: string): string =>
  `${note.slice(0, note.lastIndexOf(' ') + 1)}${encoded}\n`;
const withBytes = (note: string, edit: (bytes: Buffer) => Uint8Array): string =>
  withEncoded(note, encodeBase64(edit(Buffer.from(encodedIn(note), 'base64'))));

function malformed({ key }: TestLog): [string, Edit][] {
  const dash = `— ${key.name} `;
  return [
    ['empty', () => ''],
    ['carriage-returns', (note) => note.replaceAll('\n', '\r\n')],
    ['tab-for-space', (note) => note.replace(dash, `—\t${key.name} `)],
    ['nul', (note) => note.replace(dash, `— ${key.name}\u0000 `)],
    ['no-empty-line', (note) => note.replace('\n\n', '\n')],
    ['empty-line-at-end', (note) => `${note}\n`],
    ['text-after-the-signature', (note) => `${note}x\n`],
    ['space-in-front-of-the-dash', (note) => note.replace('—', ' —')],
    ['no-space-after-the-dash', (note) => note.replace('— ', '—')],
    ['two-spaces', (note) => note.replace(dash, `— ${key.name}  `)],
    ['no-name', (note) => note.replace(dash, '— ')],
    ['name-with-plus', (note) => note.replace(dash, '— log+example ')],
    ['name-with-no-break-space', (note) => note.replace(dash, '— log\u00a0example ')],
    ['name-with-line-separator', (note) => note.replace(dash, '— log\u2028example ')],
    ['signature-in-base64url', (note) => withEncoded(note, `-_${encodedIn(note).slice(2)}`)],
    ['signature-without-padding', (note) => withEncoded(note, encodedIn(note).replace(/=+$/, ''))],
    ['signature-in-hex', (note) => withEncoded(note, `${'ab'.repeat(34)}x`)],
    ['signature-with-spare-bits', (note) => withEncoded(note, 'AAAAAAB=')],
    ['key-id-alone', (note) => withBytes(note, (bytes) => bytes.subarray(0, 4))],
    ['key-id-cut', (note) => withBytes(note, (bytes) => bytes.subarray(0, 3))],
    ['101-signatures', (note) => note + unknownLines(100)],
  ];
}

/** Signature lines of keys that nobody knows. */
export const unknownLines = (count: number): string =>
  Array.from({ length: count }, (_unused, i) => `— k${i} AAAAAAAA\n`).join('');

const checkpoints: readonly [string, Edit][] = [
  ['no-origin', (note) => note.replace(/^[^\n]+\n/, '\n')],
  ['origin-alone', (note) => note.replace(/\n7\n[^\n]+\n/, '\n')],
  ['size-with-plus', (note) => note.replace('\n7\n', '\n+7\n')],
  ['negative-size', (note) => note.replace('\n7\n', '\n-7\n')],
  ['size-in-other-digits', (note) => note.replace('\n7\n', '\n٧\n')],
  ['size-of-two-to-the-53', (note) => note.replace('\n7\n', '\n9007199254740992\n')],
  ['size-with-space', (note) => note.replace('\n7\n', '\n7 \n')],
  ['root-of-31-bytes', (note) => note.replace(/\n7\n[^\n]+/, `\n7\n${'A'.repeat(42)}==`)],
  ['root-in-hex', (note) => note.replace(/\n7\n[^\n]+/, `\n7\n${'a'.repeat(64)}`)],
  ['root-without-padding', (note) => note.replace('=\n\n', '\n\n')],
  ['empty-extension-line', (note) => note.replace('=\n\n', '=\n\nx\n\n')],
  ['hash-after-an-empty-line', (note) => `${'A'.repeat(43)}=\n\n${note}`],
];

const order = 2n ** 252n + 27742317777372353535851937790883648493n;

/** The second form of an Ed25519 signature that careless verifiers accept: S + L for S. */
function addOrder(bytes: Buffer): Uint8Array {
  const s = BigInt(`0x${Buffer.from(bytes.subarray(36)).reverse().toString('hex')}`) + order;
  const hex = s.toString(16).padStart(64, '0');
  return Buffer.concat([bytes.subarray(0, 36), Buffer.from(hex, 'hex').reverse()]);
}

function signatures(log: TestLog): [string, Edit, string][] {
  const bad = 'NOTE_SIGNATURE_INVALID';
  return [
    ['size-changed', (note) => note.replace('\n7\n', '\n8\n'), bad],
    [
      'signature-of-an-earlier-tree',
      (note) => withEncoded(note, encodedIn(log.checkpoint(6))),
      bad,
    ],
    ['signature-of-63-bytes', (note) => withBytes(note, (bytes) => bytes.subarray(0, -1)), bad],
    [
      'signature-of-65-bytes',
      (note) => withBytes(note, (bytes) => Buffer.concat([bytes, none(1)])),
      bad,
    ],
    ['signature-of-one-byte', (note) => withBytes(note, (bytes) => bytes.subarray(0, 5)), bad],
    [
      'signature-of-zeros',
      (note) => withBytes(note, (bytes) => Buffer.concat([bytes.subarray(0, 4), none(64)])),
      bad,
    ],
    [
      'signature-of-2420-bytes',
      (note) => withBytes(note, (bytes) => Buffer.concat([bytes.subarray(0, 4), none(2420)])),
      bad,
    ],
    ['second-form-of-the-signature', (note) => withBytes(note, addOrder), bad],
    ['signature-over-the-empty-line-too', (note) => resign(log, note, '\n'), bad],
    [
      'bad-before-good',
      (note) => note.replace('\n\n', `\n\n${withBytes(note, flipLast).split('\n').at(-2)}\n`),
      bad,
    ],
    ['delete-character-in-the-text', (note) => note.replace('\n\n', '\nx\u007f\n\n'), bad],
    [
      'other-key-id',
      (note) => withBytes(note, (bytes) => Buffer.concat([none(4), bytes.subarray(4)])),
      'NOTE_KEY_UNKNOWN',
    ],
    [
      'other-origin-in-the-text',
      (note) => note.replace(/^[^\n]+/, 'log.example/other'),
      'ORIGIN_UNKNOWN',
    ],
    [
      'origin-in-upper-case',
      (note) => note.replace(/^[^\n]+/, 'LOG.example/test'),
      'ORIGIN_UNKNOWN',
    ],
    ['origin-with-space', (note) => note.replace(/^[^\n]+/, '$& '), 'ORIGIN_UNKNOWN'],
  ];
}

const none = (length: number): Uint8Array => new Uint8Array(length);
const flipLast = (bytes: Buffer): Uint8Array =>
  bytes.map((byte, i) => (i === bytes.length - 1 ? byte ^ 1 : byte));

/** The note with a signature of the log over its text and something more. */
function resign(log: TestLog, note: string, more: string): string {
  const text = note.slice(0, note.indexOf('\n\n') + 1) + more;
  return withBytes(note, (bytes) =>
    Buffer.concat([bytes.subarray(0, 4), log.signer.sign(Buffer.from(text))]),
  );
}

/** Notes of keys that are believed for something else, and keys that cannot be used here. */
async function strangers({ log, trust }: Base): Promise<[string, Edit, string, string][]> {
  const tree = { size: 7, root: log.root() };
  const other = await createTestLog({ origin: 'log.example/other', seed: 2 });
  const witness = createTestSigner(9);
  const cosigner = await keyOf({ name: 'w.example', type: 0x04, publicKey: witness.publicKey });
  const believed = trust.replace('quorum', `witness W ${formatVerifierKey(cosigner)}\nquorum`);
  const both = other.trust.replace('quorum none\n', trust);
  const line =
    (key: VerifierKey, signer: TestLog['signer']): Edit =>
    (note) =>
      note.slice(0, note.indexOf('\n\n') + 2) + signCheckpoint(tree, key, signer).split('\n\n')[1];
  // Signed as the log's own checkpoint, by the key of another log that is believed too.
  const borrowed: Edit = (note) => {
    const text = note.slice(0, note.indexOf('\n\n') + 1);
    const id = Buffer.from(other.key.keyId, 'hex');
    const signature = Buffer.concat([id, other.signer.sign(Buffer.from(text))]);
    return `${text}\n— ${other.key.name} ${encodeBase64(signature)}\n`;
  };
  const only = async (type: number, length: number): Promise<string> => {
    const key = await keyOf({ name: log.key.name, type, publicKey: none(length) });
    return `log ${formatVerifierKey(key)}\nquorum none\n`;
  };
  return [
    ['signed-by-another-believed-log', borrowed, 'NOTE_KEY_UNKNOWN', both],
    ['signed-by-a-witness-alone', line(cosigner, witness), 'NOTE_KEY_UNKNOWN', believed],
    ['no-log-believed', (note) => note, 'ORIGIN_UNKNOWN', 'quorum none\n'],
    ['ml-dsa-key-only', (note) => note, 'ALG_UNAVAILABLE', await only(0x06, 1312)],
    ['ecdsa-key-only', (note) => note, 'ALG_UNAVAILABLE', await only(0x02, 91)],
  ];
}

async function keyOf(key: Omit<VerifierKey, 'keyId'>): Promise<VerifierKey> {
  return { ...key, keyId: await deriveKeyId(key) };
}
