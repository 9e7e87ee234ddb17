// Proofs that do not show the receipt in the tree of the checkpoint.
import type { TlogProof } from '../../src/receipts/tlog-proof.ts';
import { type Base, editPath, editProof, invalid, type Vectors } from './receipt-vector.ts';

/** Step 3, and the index of step 1. */
export function proofVectors({ bundle, trust }: Base): Vectors {
  const flip = (hash: Uint8Array): Uint8Array => hash.map((byte, i) => (i === 0 ? byte ^ 1 : byte));
  const none = new Uint8Array(32);
  const mismatch = [3, 'PROOF_ROOT_MISMATCH'] as const;
  const edits: [string, (proof: TlogProof) => Partial<TlogProof>, number, string][] = [
    ['one-short', ({ path }) => ({ path: path.slice(1) }), 3, 'PROOF_LENGTH'],
    ['one-long', ({ path }) => ({ path: [...path, ...path.slice(-1)] }), 3, 'PROOF_LENGTH'],
    ['empty', () => ({ path: [] }), 3, 'PROOF_LENGTH'],
    ['reversed', ({ path }) => ({ path: path.toReversed() }), 3, 'PROOF_ROOT_MISMATCH'],
    ['index-plus-one', () => ({ index: 5 }), 1, 'SEQ_MISMATCH'],
    ['index-minus-one', () => ({ index: 3 }), 1, 'SEQ_MISMATCH'],
    ['index-is-size', () => ({ index: 7 }), 1, 'SEQ_MISMATCH'],
    ['index-of-the-first', () => ({ index: 0 }), 1, 'SEQ_MISMATCH'],
    ['largest-index', () => ({ index: Number.MAX_SAFE_INTEGER }), 1, 'SEQ_MISMATCH'],
    [
      'last-two-swapped',
      ({ path }) => ({ path: path.toSpliced(1, 2, ...path.slice(1).reverse()) }),
      ...mismatch,
    ],
    ['zeros', ({ path }) => ({ path: path.map(() => new Uint8Array(32)) }), ...mismatch],
    [
      'same-hash-throughout',
      ({ path }) => ({ path: path.map(() => path[0] ?? none) }),
      ...mismatch,
    ],
    ['53-hashes', () => ({ path: new Array(53).fill(none) }), 3, 'PROOF_LENGTH'],
    ['54-hashes', () => ({ path: new Array(54).fill(none) }), 3, 'PROOF_MALFORMED'],
    ['hash-of-31-bytes', ({ path }) => ({ path: [none.slice(1), ...path] }), 3, 'PROOF_MALFORMED'],
    [
      'hash-of-33-bytes',
      ({ path }) => ({ path: [Uint8Array.of(0, ...none), ...path] }),
      3,
      'PROOF_MALFORMED',
    ],
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
  const malformed = otherTexts.map(([name, edit]): Vectors[number] => [
    `proof-${name}`,
    { bundle: editProof(bundle, edit), trust, expect: invalid(3, 'PROOF_MALFORMED') },
  ]);
  return [...parsed, ...malformed];
}

/** Texts of the proof that are no proof. */
const otherTexts: readonly [string, (text: string) => string][] = [
  ['leading-zero', (text) => text.replace('index 4', 'index 04')],
  ['negative-index', (text) => text.replace('index 4', 'index -4')],
  ['no-index', (text) => text.replace('index 4\n', '')],
  ['other-version', (text) => text.replace('@v1', '@v2')],
  ['carriage-returns', (text) => text.replaceAll('\n', '\r\n')],
  ['hash-without-padding', (text) => text.replace('=\n', '\n')],
  ['base64url-hash', (text) => text.replace(/\n[^ ]{43}=\n/, `\n${'_'.repeat(42)}w=\n`)],
  ['spare-bits', (text) => text.replace(/\n[^ ]{43}=\n/, `\n${'A'.repeat(42)}B=\n`)],
  ['no-empty-line', (text) => text.replace('\n\n', '\n')],
  ['text-in-front', (text) => `\n${text}`],
  ['space-after-the-version', (text) => text.replace('@v1', '@v1 ')],
  ['index-in-upper-case', (text) => text.replace('index', 'Index')],
  ['two-spaces', (text) => text.replace('index ', 'index  ')],
  ['space-after-the-index', (text) => text.replace('index 4', 'index 4 ')],
  ['index-with-plus', (text) => text.replace('index 4', 'index +4')],
  ['index-in-hex', (text) => text.replace('index 4', 'index 0x4')],
  ['index-in-other-digits', (text) => text.replace('index 4', 'index ٤')],
  ['index-with-a-digit-of-another-script', (text) => text.replace('index 4', 'index 4٤')],
  ['index-with-underscore', (text) => text.replace('index 4', 'index 0_4')],
  ['index-with-exponent', (text) => text.replace('index 4', 'index 4e0')],
  ['index-of-two-to-the-53', (text) => text.replace('index 4', 'index 9007199254740992')],
  ['index-twice', (text) => text.replace('index 4', 'index 4\nindex 4')],
  ['space-after-a-hash', (text) => text.replace('=\n', '= \n')],
  ['two-hashes-in-a-line', (text) => text.replace('=\n', '=')],
  ['extra-after-the-index', (text) => text.replace('index 4', 'index 4\nextra YWdl')],
  ['extra-twice', (text) => text.replace('\nindex', '\nextra YWdl\nextra YWdl\nindex')],
  ['extra-without-space', (text) => text.replace('\nindex', '\nextra\nindex')],
  ['extra-not-base64', (text) => text.replace('\nindex', '\nextra A\nindex')],
];
