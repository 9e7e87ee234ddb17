// Signatures and trust files at the edges of the format that must verify.
import { encodeBase64 } from '../../src/core/base64.ts';
import { signCheckpoint } from '../../src/receipts/sign-checkpoint.ts';
import {
  deriveKeyId,
  formatVerifierKey,
  type VerifierKey,
} from '../../src/receipts/verifier-key.ts';
import { createTestLog, createTestSigner, makeTestBundle } from '../../src/testing/test-bundle.ts';
import { unknownLines } from './note-line-vectors.ts';
import { type Base, editNote, editProof, type Vectors } from './receipt-vector.ts';

/** Steps 3 and 4. */
export async function validNoteVectors(base: Base): Promise<Vectors> {
  const list = [
    ...(await validKeys(base)),
    ...validLines(base),
    ...(await validTrust(base)),
    ...(await validOrigins()),
  ];
  return list.map(([name, bundle, trust]) => [
    `valid-${name}`,
    { bundle, trust, expect: { verdict: 'valid' } },
  ]);
}

type Row = [name: string, bundle: string, trust: string];

const lastLine = (note: string): string => note.split('\n').at(-2) ?? '';

/** Two keys of one log, as during a rotation. */
async function validKeys({ log, bundle, trust }: Base): Promise<Row[]> {
  const next = await createTestLog({ seed: 2 });
  const line = lastLine(signCheckpoint({ size: 7, root: log.root() }, next.key, next.signer));
  const both = next.trust.replace('quorum none\n', trust);
  const two = editNote(bundle, (note) => `${note}${line}\n`);
  const key = { name: log.key.name, type: 0x06, publicKey: new Uint8Array(1312) };
  const postQuantum = formatVerifierKey({ ...key, keyId: await deriveKeyId(key) });
  const id = Buffer.from(await deriveKeyId(key), 'hex');
  const cosigned = `— ${log.key.name} ${encodeBase64(Buffer.concat([id, Buffer.alloc(2428)]))}`;
  return [
    ['two-keys-both-signed', two, both],
    ['two-signatures-one-key-known', two, next.trust],
    ['same-signature-twice', editNote(bundle, (note) => `${note}${lastLine(note)}\n`), trust],
    ['ml-dsa-key-beside', bundle, `log ${postQuantum}\n${trust}`],
    [
      'ml-dsa-signature-that-is-not-checked',
      editNote(bundle, (note) => `${note}${cosigned}\n`),
      `log ${postQuantum}\n${trust}`,
    ],
  ];
}

function validLines({ log, bundle, trust }: Base): Row[] {
  const extended = editNote(bundle, (note) => {
    const text = note.replace('\n\n', '\nan extension\n— x\n\n').split('\n\n')[0];
    const id = Buffer.from(log.key.keyId, 'hex');
    const signature = Buffer.concat([id, log.signer.sign(Buffer.from(`${text}\n`))]);
    return `${text}\n\n— ${log.key.name} ${encodeBase64(signature)}\n`;
  });
  const first = (lines: string) => (note: string) => note.replace('\n\n', `\n\n${lines}`);
  return [
    ['extension-lines', extended, trust],
    ['unknown-signature-first', editNote(bundle, first(unknownLines(1))), trust],
    ['100-signatures', editNote(bundle, first(unknownLines(99))), trust],
    [
      'bad-signature-under-another-id',
      editNote(bundle, first(`— ${log.key.name} AAAAAAAA\n`)),
      trust,
    ],
    ['signature-name-not-ascii', editNote(bundle, first('— wítneß\u200b AAAAAAAA\n')), trust],
    [
      'empty-extra-line',
      editProof(bundle, (text) => text.replace('\nindex', '\nextra \nindex')),
      trust,
    ],
  ];
}

async function validTrust({ bundle, trust }: Base): Promise<Row[]> {
  const witness = async (seed: number): Promise<string> => {
    const { publicKey } = createTestSigner(seed);
    const key: Omit<VerifierKey, 'keyId'> = { name: `w${seed}.example`, type: 0x04, publicKey };
    return `witness W${seed} ${formatVerifierKey({ ...key, keyId: await deriveKeyId(key) })}\n`;
  };
  const groups = 'group A 2 W11 W12\ngroup B any A W13\ngroup C all B\n';
  const witnesses = (await witness(11)) + (await witness(12)) + (await witness(13));
  return [
    ['trust-groups-unused', bundle, `${witnesses}${groups}${trust}`],
    ['trust-urls', bundle, trust.replace(/(log .*)/, '$1 https://log.example/')],
    ['trust-tabs', bundle, `\t# tab\n  \n${trust.replace(' ', '\t \t').replace('\n', ' \n')}`],
    ['trust-without-newline-at-end', bundle, trust.trimEnd()],
    ['trust-quorum-first', bundle, trust.split('\n').slice(0, 2).reverse().join('\n')],
    ['trust-comment-not-ascii', bundle, `# Kundenprüfung \u0085 \u{1f600}\n${trust}`],
    ['trust-json-after-space', bundle, ` \t\r\n${JSON.stringify({ policy: trust, require: [] })}`],
    ['trust-json-policy-only', bundle, JSON.stringify({ policy: trust })],
    ['trust-json-steps-twice', bundle, JSON.stringify({ require: [4, 1, 4], policy: trust })],
  ];
}

async function validOrigins(): Promise<Row[]> {
  const origins: [string, string][] = [
    ['not-ascii', 'konten.example/zahlungen-für-\u{1f600}'],
    ['of-one-letter', 'l'],
    ['of-255-bytes', `${'é'.repeat(127)}x`],
    ['with-zero-width-space', 'log.example/\u200b'],
  ];
  return Promise.all(
    origins.map(async ([name, origin]): Promise<Row> => {
      const { bundle, trust } = await makeTestBundle({ size: 7, seq: 4, origin });
      return [`origin-${name}`, bundle, trust];
    }),
  );
}
