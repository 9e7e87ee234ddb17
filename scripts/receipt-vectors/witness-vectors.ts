// Step 5: cosignatures of witnesses, and the quorum that a trust file asks for.
import { encodeBase64 } from '../../src/core/base64.ts';
import { type CosigningKey, cosignNote } from '../../src/receipts/cosign-note.ts';
import { formatSignature, parseNote } from '../../src/receipts/signed-note.ts';
import { createVerifierKey, formatVerifierKey } from '../../src/receipts/verifier-key.ts';
import { createTestSigner } from '../../src/testing/test-bundle.ts';
import {
  type Base,
  editNote,
  invalid,
  type ReceiptVector,
  type Vectors,
} from './receipt-vector.ts';

const timeS = 1_790_000_123;

/** A witness whose key follows from a number. */
async function witness(seed: number): Promise<CosigningKey> {
  const signer = createTestSigner(seed);
  const named = { name: `w${seed}.example/w`, type: 0x04, publicKey: signer.publicKey };
  return { key: await createVerifierKey(named), signer };
}

const [w1, w2, w3, stranger] = await Promise.all([
  witness(21),
  witness(22),
  witness(23),
  witness(24),
]);
const postQuantum = await createVerifierKey({
  name: 'w25.example/w',
  type: 0x06,
  publicKey: new Uint8Array(1312).fill(25),
});

/** Policy lines of three witnesses and one that this verifier may not be able to check. */
const witnessLines = [w1.key, w2.key, w3.key, postQuantum]
  .map((key, i) => `witness W${i + 1} ${formatVerifierKey(key)}\n`)
  .join('');

const believe = (trust: string, quorum: string): string =>
  trust.replace('quorum none\n', `${witnessLines}${quorum}\n`);

interface LineChoice {
  /** Time that stands in the line; the signed one when left out. */
  readonly shownS?: number;
  readonly signedS?: number;
  readonly name?: string;
  /** What is signed instead of the text of the note. */
  readonly text?: string;
}

/** The line of a witness under a note. */
function line({ key, signer }: CosigningKey, note: string, choice: LineChoice = {}): string {
  const { signedS = timeS, shownS = signedS, name = key.name } = choice;
  const parsed = parseNote(note);
  if (!parsed.ok) throw new Error(parsed.error);
  const text = choice.text ?? parsed.value.text;
  const cosigned = cosignNote({ key, signer }, { timeS: signedS, text });
  const signature = Uint8Array.from(cosigned.signature);
  new DataView(signature.buffer).setBigUint64(0, BigInt(shownS));
  return formatSignature({ ...cosigned, name, signature });
}

type Edit = (note: string) => string;

const by =
  (...cosigners: readonly CosigningKey[]): Edit =>
  (note) =>
    note + cosigners.map((each) => line(each, note)).join('');

const withLine =
  (cosigner: CosigningKey, choice: LineChoice): Edit =>
  (note) =>
    note + line(cosigner, note, choice);

/** A line of the witness whose algorithm not everybody has; nothing signed it. */
const unchecked: Edit = (note) => {
  const signature = Buffer.concat([Buffer.from(postQuantum.keyId, 'hex'), Buffer.alloc(2428, 1)]);
  return `${note}— ${postQuantum.name} ${encodeBase64(signature)}\n`;
};

/** A line of a witness with other bytes behind its key id. */
const withBytes =
  ({ key }: CosigningKey, bytes: (of: Buffer) => Uint8Array): Edit =>
  (note) => {
    const [, , encoded = ''] = line(w1, note).trimEnd().split(' ');
    const signature = Buffer.from(encoded, 'base64').subarray(4);
    const whole = Buffer.concat([Buffer.from(key.keyId, 'hex'), bytes(signature)]);
    return `${note}— ${key.name} ${encodeBase64(whole)}\n`;
  };

const chain =
  (...edits: readonly Edit[]): Edit =>
  (note) =>
    edits.reduce((text, edit) => edit(text), note);

const groups = 'group A 2 W1 W2\ngroup B any A W3\ngroup C all B\n';

/** Quorums that are met. */
export function validWitnessVectors({ bundle, trust }: Base): Vectors {
  const list: [string, Edit, string][] = [
    ['one-witness', by(w1), 'quorum W1'],
    ['two-of-three', by(w3, w1), 'group G 2 W1 W2 W3\nquorum G'],
    ['all-of-three', by(w1, w2, w3), 'group G all W1 W2 W3\nquorum G'],
    ['any-of-three', by(w2), 'group G any W1 W2 W3\nquorum G'],
    ['group-in-a-group', by(w2, w1), `${groups}quorum C`],
    ['group-by-its-other-member', by(w3), `${groups}quorum C`],
    ['in-front-of-the-log', (note) => note.replace('\n\n', `\n\n${line(w1, note)}`), 'quorum W1'],
    ['twice-at-two-times', chain(by(w1), withLine(w1, { signedS: timeS + 60 })), 'quorum W1'],
    ['unknown-witness-beside', by(stranger, w1), 'quorum W1'],
    ['unknown-name-with-known-id', chain(by(w1), withLine(w2, { name: 'other' })), 'quorum W1'],
    ['at-the-first-second', withLine(w1, { signedS: 1 }), 'quorum W1'],
    ['at-the-last-second', withLine(w1, { signedS: Number.MAX_SAFE_INTEGER }), 'quorum W1'],
    ['unchecked-line-not-needed', chain(unchecked, by(w1)), 'quorum W1'],
    ['unchecked-member-not-needed', chain(unchecked, by(w1)), 'group G any W1 W4\nquorum G'],
    ['bad-line-and-no-quorum', withLine(w1, { shownS: 7 }), 'quorum none'],
  ];
  return list.map(([name, edit, quorum]) => [
    `valid-witness-${name}`,
    vector({ bundle, edit }, believe(trust, quorum), { verdict: 'valid' }),
  ]);
}

/** Quorums that are not met, and lines that no witness made. */
export function witnessVectors({ bundle, trust, log }: Base): Vectors {
  const other = log.checkpoint(6).split('\n\n')[0] ?? '';
  const missing: [string, Edit, string][] = [
    ['no-line', (note) => note, 'quorum W1'],
    ['another-witness', by(w2), 'quorum W1'],
    ['unknown-witness', by(stranger), 'quorum W1'],
    ['unknown-name', withLine(w1, { name: 'w21.example' }), 'quorum W1'],
    ['one-of-two', by(w1), 'group G 2 W1 W2 W3\nquorum G'],
    ['one-witness-twice', by(w1, w1), 'group G 2 W1 W2 W3\nquorum G'],
    [
      'one-witness-at-two-times',
      chain(by(w1), withLine(w1, { signedS: 9 })),
      'group G 2 W1 W2\nquorum G',
    ],
    ['two-of-all', by(w1, w2), 'group G all W1 W2 W3\nquorum G'],
    ['none-of-any', by(stranger), 'group G any W1 W2 W3\nquorum G'],
    ['group-half', by(w1), `${groups}quorum C`],
    ['witness-outside-the-group', by(w3), 'group G any W1 W2\nquorum G'],
    ['unchecked-line-not-enough', unchecked, 'group G all W1 W4\nquorum G'],
  ];
  const wrong: [string, Edit, string][] = [
    ['other-time', withLine(w1, { shownS: timeS + 1 }), 'quorum W1'],
    [
      'no-time',
      withBytes(w1, (of) => Buffer.concat([Buffer.alloc(8), of.subarray(8)])),
      'quorum W1',
    ],
    ['time-beyond-numbers', withLine(w1, { shownS: 2 ** 53 }), 'quorum W1'],
    ['other-checkpoint', withLine(w1, { text: `${other}\n` }), 'quorum W1'],
    ['key-of-another-witness', withBytes(w2, (of) => of), 'quorum W2'],
    ['plain-signature', withBytes(w1, (of) => of.subarray(8)), 'quorum W1'],
    ['time-alone', withBytes(w1, (of) => of.subarray(0, 8)), 'quorum W1'],
    ['one-byte', withBytes(w1, (of) => of.subarray(0, 1)), 'quorum W1'],
    ['signature-cut', withBytes(w1, (of) => of.subarray(0, -1)), 'quorum W1'],
    ['signature-longer', withBytes(w1, (of) => Buffer.concat([of, Buffer.alloc(1)])), 'quorum W1'],
    ['text-of-the-log-signed', textSigned, 'quorum W1'],
    ['second-line-bad', chain(by(w1), withLine(w1, { shownS: 7 })), 'quorum W1'],
    ['bad-line-of-one-that-is-not-needed', chain(by(w1), withLine(w2, { shownS: 7 })), 'quorum W1'],
  ];
  const of = (rows: [string, Edit, string][], code: string): Vectors =>
    rows.map(([name, edit, quorum]) => [
      `witness-${name}`,
      vector({ bundle, edit }, believe(trust, quorum), invalid(5, code)),
    ]);
  return [
    ...of(missing, 'QUORUM_MISSING'),
    ...of(wrong, 'COSIGNATURE_INVALID'),
    ...of([['unchecked-line', unchecked, 'quorum W4']], 'ALG_UNAVAILABLE'),
    ...of(
      [['unchecked-member', chain(unchecked, by(w1)), 'group G all W1 W4\nquorum G']],
      'ALG_UNAVAILABLE',
    ),
    ...otherSteps(bundle, trust),
  ];
}

/** The text of the log's own signature, behind a time: the words in front make the difference. */
const textSigned: Edit = (note) => {
  const text = note.slice(0, note.indexOf('\n\n') + 1);
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(timeS));
  const bytes = Buffer.concat([
    Buffer.from(w1.key.keyId, 'hex'),
    time,
    w1.signer.sign(Buffer.from(text)),
  ]);
  return `${note}— ${w1.key.name} ${encodeBase64(bytes)}\n`;
};

/** What is wrong with the checkpoint itself is said by the step before. */
function otherSteps(bundle: string, trust: string): Vectors {
  const believed = believe(trust, 'quorum W1');
  const rows: [string, Edit, string][] = [
    ['without-the-log', chain(by(w1), withoutLog), 'NOTE_KEY_UNKNOWN'],
    ['of-no-note', () => 'x', 'NOTE_MALFORMED'],
    ['of-no-checkpoint', (note) => note.replace('\n7\n', '\n-7\n'), 'CHECKPOINT_MALFORMED'],
  ];
  return rows.map(([name, edit, code]) => [
    `witness-${name}`,
    vector({ bundle, edit }, believed, invalid(4, code)),
  ]);
}

const withoutLog: Edit = (note) => note.replace(/\n\n— [^\n]+\n/, '\n\n');

const vector = (
  { bundle, edit }: { readonly bundle: string; readonly edit: Edit },
  trust: string,
  expect: ReceiptVector['expect'],
): ReceiptVector => ({ bundle: editNote(bundle, edit), trust, expect });
