// Proofs and checkpoints that do not show the receipt in a log somebody believes.
import { encodeBase64 } from '../../src/core/base64.ts';
import type { TlogProof } from '../../src/receipts/tlog-proof.ts';
import { createTestLog } from '../../src/testing/test-bundle.ts';
import {
  type Base,
  editNote,
  editPath,
  editProof,
  invalid,
  type Vectors,
} from './receipt-vector.ts';

/** Step 3, and the index of step 1. */
export function proofVectors({ bundle, trust }: Base): Vectors {
  const flip = (hash: Uint8Array): Uint8Array => hash.map((byte, i) => (i === 0 ? byte ^ 1 : byte));
  const edits: [string, (proof: TlogProof) => Partial<TlogProof>, number, string][] = [
    ['one-short', ({ path }) => ({ path: path.slice(1) }), 3, 'PROOF_LENGTH'],
    ['one-long', ({ path }) => ({ path: [...path, ...path.slice(-1)] }), 3, 'PROOF_LENGTH'],
    ['empty', () => ({ path: [] }), 3, 'PROOF_LENGTH'],
    ['reversed', ({ path }) => ({ path: path.toReversed() }), 3, 'PROOF_ROOT_MISMATCH'],
    ['index-plus-one', () => ({ index: 5 }), 1, 'SEQ_MISMATCH'],
    ['index-minus-one', () => ({ index: 3 }), 1, 'SEQ_MISMATCH'],
    ['index-is-size', () => ({ index: 7 }), 1, 'SEQ_MISMATCH'],
  ];
  const flips = [0, 1, 2].map((at): (typeof edits)[number] => [
    `hash-${at}-flipped`,
    ({ path }) => ({ path: path.map((hash, i) => (i === at ? flip(hash) : hash)) }),
    3,
    'PROOF_ROOT_MISMATCH',
  ]);
  const parsed = [...edits, ...flips].map(([name, edit, step, code]): Vectors[number] => [
    `proof-${name}`,
    { bundle: editPath(bundle, edit), trust, expect: invalid(step, code) },
  ]);
  const texts: [string, (text: string) => string][] = [
    ['leading-zero', (text) => text.replace('index 4', 'index 04')],
    ['negative-index', (text) => text.replace('index 4', 'index -4')],
    ['no-index', (text) => text.replace('index 4\n', '')],
    ['other-version', (text) => text.replace('@v1', '@v2')],
    ['carriage-returns', (text) => text.replaceAll('\n', '\r\n')],
    ['hash-without-padding', (text) => text.replace('=\n', '\n')],
    ['base64url-hash', (text) => text.replace(/\n[^ ]{43}=\n/, `\n${'_'.repeat(42)}w=\n`)],
    ['spare-bits', (text) => text.replace(/\n[^ ]{43}=\n/, `\n${'A'.repeat(42)}B=\n`)],
    ['extra-not-base64', (text) => text.replace('\nindex', '\nextra A\nindex')],
  ];
  const malformed = texts.map(([name, edit]): Vectors[number] => [
    `proof-${name}`,
    { bundle: editProof(bundle, edit), trust, expect: invalid(3, 'PROOF_MALFORMED') },
  ]);
  return [...parsed, ...malformed];
}

/** Step 4. */
export async function noteVectors({ log, bundle, trust }: Base): Promise<Vectors> {
  const other = await createTestLog({ seed: 2 });
  const elsewhere = await createTestLog({ origin: 'log.example/other' });
  const line = log.checkpoint().split('\n').at(-2) ?? '';
  const lastWords = (text: string): string => text.split(' ').at(-1) ?? '';
  const bad = `— ${log.key.name} ${encodeBase64(
    Uint8Array.from(Buffer.from(lastWords(line), 'base64'), (byte, i) =>
      i === 20 ? byte ^ 1 : byte,
    ),
  )}`;
  const list: [string, (note: string) => string, string, string][] = [
    ['bad-signature', (note) => note.replace(line, bad), trust, 'NOTE_SIGNATURE_INVALID'],
    ['good-and-bad-signature', (note) => `${note}${bad}\n`, trust, 'NOTE_SIGNATURE_INVALID'],
    ['unknown-key-only', (note) => note, other.trust, 'NOTE_KEY_UNKNOWN'],
    [
      'other-key-name',
      (note) => note.replace('— log.example/test', '— log.example/x'),
      trust,
      'NOTE_KEY_UNKNOWN',
    ],
    ['other-origin', (note) => note, elsewhere.trust, 'ORIGIN_UNKNOWN'],
    [
      'extension-line',
      (note) => note.replace('=\n\n', '=\nx\n\n'),
      trust,
      'NOTE_SIGNATURE_INVALID',
    ],
    ['missing-newline', (note) => note.slice(0, -1), trust, 'NOTE_MALFORMED'],
    ['no-signature', (note) => note.replace(`${line}\n`, ''), trust, 'NOTE_MALFORMED'],
    [
      'control-character',
      (note) => note.replace('log.example', 'log\u0007example'),
      trust,
      'NOTE_MALFORMED',
    ],
    ['hyphen-for-dash', (note) => note.replace('— ', '- '), trust, 'NOTE_MALFORMED'],
    ['space-at-end', (note) => note.replace(line, `${line} `), trust, 'NOTE_MALFORMED'],
    [
      'size-with-leading-zero',
      (note) => note.replace('\n7\n', '\n07\n'),
      trust,
      'CHECKPOINT_MALFORMED',
    ],
    ['no-root', (note) => note.replace(/\n7\n.*\n\n/, '\n7\n\n'), trust, 'CHECKPOINT_MALFORMED'],
    [
      'larger-than-128-kib',
      (note) => `${note}${`${line}\n`.repeat(1200)}`,
      trust,
      'NOTE_TOO_LARGE',
    ],
  ];
  return list.map(([name, edit, believed, code]) => [
    `note-${name}`,
    { bundle: editNote(bundle, edit), trust: believed, expect: invalid(4, code) },
  ]);
}
