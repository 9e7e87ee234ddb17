// Logs whose key was replaced or is no longer believed, and evidence about it that does not hold.
import { inclusionPath } from '../../src/core/merkle.ts';
import type { LocalSigner } from '../../src/keys/signer.ts';
import { addSignature } from '../../src/receipts/add-signature.ts';
import type { KeyStatement } from '../../src/receipts/history-evidence.ts';
import { signCheckpoint } from '../../src/receipts/sign-checkpoint.ts';
import { formatTlogProof } from '../../src/receipts/tlog-proof.ts';
import {
  createLogKey,
  formatVerifierKey,
  type VerifierKey,
} from '../../src/receipts/verifier-key.ts';
import {
  aDecisionDraft,
  createTestLog,
  createTestSigner,
  type TestLog,
} from '../../src/testing/test-bundle.ts';
import { change, invalid, type ReceiptVector, type Vectors } from './receipt-vector.ts';

interface Signing {
  readonly key: VerifierKey;
  readonly signer: LocalSigner;
}

const signingOf = async (seed: number, origin = 'log.example/test'): Promise<Signing> => {
  const signer = createTestSigner(seed);
  return { signer, key: await createLogKey(origin, signer.publicKey) };
};

/** A note of the first `size` leaves with the signatures of all these keys. */
function noteOf(log: TestLog, size: number, [first, ...others]: readonly Signing[]): string {
  if (first === undefined) throw new Error('nobody signs');
  const note = signCheckpoint({ size, root: log.root(size) }, first.key, first.signer);
  return others.reduce((text, { key, signer }) => addSignature(text, key, signer), note);
}

function rotate(log: TestLog, from: Signing, to: Signing): number {
  return log.append({
    type: 'key.rotate',
    open: {
      purpose: 'log',
      old_key: formatVerifierKey(from.key),
      new_key: formatVerifierKey(to.key),
    },
    committed: {},
  });
}

function statementOf(log: TestLog, seq: number, checkpoint: string): KeyStatement {
  const size = Number(checkpoint.split('\n')[1]);
  const path = inclusionPath(seq, size, log.readNode);
  return { leaf: log.leaf(seq).bytes, proof: formatTlogProof({ index: seq, path, checkpoint }) };
}

interface Rotated {
  readonly log: TestLog;
  readonly one: Signing;
  readonly two: Signing;
  readonly three: Signing;
  readonly statements: readonly KeyStatement[];
  /** Signed note of the whole log by the third key alone. */
  readonly last: string;
}

/** Seven leaves, a rotation (7), two leaves, a rotation (10), three leaves. */
async function aRotatedLog(): Promise<Rotated> {
  const log = await createTestLog();
  const [one, two, three] = [await signingOf(1), await signingOf(2), await signingOf(3)];
  log.append(aDecisionDraft());
  log.fill(6);
  const first = rotate(log, one, two);
  log.fill(2);
  const second = rotate(log, two, three);
  log.fill(3);
  const statements = [
    statementOf(log, first, noteOf(log, 9, [one, two])),
    statementOf(log, second, noteOf(log, 11, [two, three])),
  ];
  return { log, one, two, three, statements, last: noteOf(log, 14, [three]) };
}

/** Step 4. */
export async function keyVectors(): Promise<Vectors> {
  const rotated = await aRotatedLog();
  const all = [
    ...good(rotated),
    ...chains(rotated),
    ...(await leaves(rotated)),
    ...distrusts(rotated),
    ...distrustLists(rotated),
    ...shapes(rotated),
  ];
  return all.map(([name, vector]) => [`key-${name}`, vector]);
}

const valid = { verdict: 'valid' } as const;
const bad = invalid(4, 'KEY_EVIDENCE_INVALID');

/** The decision, proven to `checkpoint`, with these statements. */
const bundleOf = (
  { log, last }: Rotated,
  keys: readonly KeyStatement[],
  checkpoint = last,
): string => log.bundle(0, { keys, checkpoint, size: Number(checkpoint.split('\n')[1]) });

function good(rotated: Rotated): [string, ReceiptVector][] {
  const { log, one, two, three, statements } = rotated;
  const { trust } = log;
  const [first] = statements;
  const list: [string, string][] = [
    ['two-rotations', bundleOf(rotated, statements)],
    ['one-rotation', bundleOf(rotated, first ? [first] : [], noteOf(log, 10, [two]))],
    ['signed-by-old-and-new', bundleOf(rotated, statements, noteOf(log, 9, [one, two]))],
    ['evidence-that-is-not-needed', bundleOf(rotated, statements, noteOf(log, 5, [one]))],
    ['first-tree-of-the-new-key', bundleOf(rotated, statements, noteOf(log, 8, [two]))],
    ['previous-of-the-old-key', log.bundle(0, { keys: statements, checkpoint: rotated.last })],
  ];
  return [
    ...list.map(([name, bundle]): [string, ReceiptVector] => [
      name,
      { bundle, trust, expect: valid },
    ]),
    [
      'grown-over-two-rotations',
      {
        bundle: log.bundle(0, { keys: statements, checkpoint: rotated.last, previousSize: 6 }),
        trust,
        previous: noteOf(log, 6, [one]),
        expect: valid,
      },
    ],
    [
      'grown-from-a-later-key',
      {
        bundle: log.bundle(0, { keys: statements, checkpoint: rotated.last, previousSize: 10 }),
        trust,
        previous: noteOf(log, 10, [two]),
        expect: valid,
      },
    ],
    [
      'bad-evidence-beside-an-earlier-checkpoint',
      {
        bundle: log.bundle(0, {
          keys: [{ leaf: new Uint8Array(1), proof: '' }],
          checkpoint: rotated.last,
          previousSize: 6,
        }),
        trust,
        previous: noteOf(log, 6, [one]),
        expect: bad,
      },
    ],
    [
      'new-key-alone-in-the-trust-file',
      {
        bundle: bundleOf(rotated, statements),
        trust: `log ${formatVerifierKey(three.key)}\nquorum none\n`,
        expect: valid,
      },
    ],
  ];
}

function chains(rotated: Rotated): [string, ReceiptVector][] {
  const { log, one, two, three, statements } = rotated;
  const [first, second] = statements as [KeyStatement, KeyStatement];
  const unknown = invalid(4, 'NOTE_KEY_UNKNOWN');
  const again = (seq: number, note: string): KeyStatement => statementOf(log, seq, note);
  const list: [string, readonly KeyStatement[], ReceiptVector['expect'], string?][] = [
    ['no-evidence', [], unknown],
    ['first-rotation-missing', [second], unknown],
    ['last-rotation-missing', [first], unknown],
    ['rotations-in-another-order', [second, first], unknown],
    ['rotation-twice', [first, first, second], valid],
    ['not-signed-by-the-old-key', [again(7, noteOf(log, 9, [two])), second], unknown],
    ['not-signed-by-the-new-key', [again(7, noteOf(log, 9, [one])), second], bad],
    ['signed-by-a-third-key', [again(7, noteOf(log, 9, [three, two])), second], unknown],
    ['second-signed-by-the-first-key', [first, again(10, noteOf(log, 11, [one, three]))], unknown],
    ['checkpoint-too-early', [first], invalid(4, 'KEY_TOO_EARLY'), noteOf(log, 7, [two])],
    [
      'bad-signature-of-the-new-key',
      [again(7, noteOf(log, 9, [one, { ...two, signer: three.signer }])), second],
      bad,
    ],
    [
      'bad-signature-of-the-old-key',
      [again(7, noteOf(log, 9, [{ ...one, signer: three.signer }, two])), second],
      bad,
    ],
    [
      'proof-of-another-leaf',
      [{ ...first, proof: first.proof.replace('index 7', 'index 6') }, second],
      bad,
    ],
    ['proof-malformed', [{ ...first, proof: 'x' }, second], bad],
    ['proof-without-note', [{ ...first, proof: `${first.proof.split('\n\n')[0]}\n\nx\n` }], bad],
    [
      'note-without-checkpoint',
      [{ ...first, proof: first.proof.replace('\n9\n', '\n09\n') }, second],
      bad,
    ],
    ['leaf-malformed', [{ ...first, leaf: Buffer.from('{}') }, second], bad],
    ['leaf-of-another-type', [again(0, noteOf(log, 9, [one, two])), second], bad],
    ['proof-too-short', [{ ...first, proof: first.proof.replace(/\n[^ \n]{44}\n/, '\n') }], bad],
    [
      'root-of-another-tree',
      [
        statementWith(first, signCheckpoint({ size: 9, root: log.root(8) }, one.key, one.signer)),
        second,
      ],
      bad,
    ],
  ];
  return list.map(([name, keys, expect, checkpoint]) => [
    name,
    { bundle: bundleOf(rotated, keys, checkpoint), trust: log.trust, expect },
  ]);
}

const statementWith = ({ leaf, proof }: KeyStatement, checkpoint: string): KeyStatement => ({
  leaf,
  proof: `${proof.split('\n\n')[0]}\n\n${checkpoint}`,
});

/** Leaves of other contents, in a log of their own, with every signature that is due. */
async function leaves({ one, two, three }: Rotated): Promise<[string, ReceiptVector][]> {
  const [old_key, new_key] = [formatVerifierKey(one.key), formatVerifierKey(two.key)];
  const elsewhere = await signingOf(2, 'log.example/other');
  const purpose = 'log';
  const list: [string, Record<string, string | number>, ReceiptVector['expect']?][] = [
    ['for-another-purpose', { purpose: 'token', old_key, new_key }],
    ['without-purpose', { old_key, new_key }],
    ['without-old-key', { purpose, new_key }],
    ['without-new-key', { purpose, old_key }],
    ['from-an-unknown-key', { purpose, old_key: formatVerifierKey(three.key), new_key }, valid],
    ['to-a-key-that-is-none', { purpose, old_key, new_key: 'log.example/test+00000000+AAAA' }],
    ['to-a-number', { purpose, old_key, new_key: 1 }],
    ['to-a-key-of-another-log', { purpose, old_key, new_key: formatVerifierKey(elsewhere.key) }],
    ['to-itself', { purpose, old_key, new_key: old_key }, valid],
  ];
  return Promise.all(
    list.map(async ([name, open, expect = bad]): Promise<[string, ReceiptVector]> => {
      const log = await createTestLog();
      log.append(aDecisionDraft());
      const seq = log.append({ type: 'key.rotate', open, committed: {} });
      const checkpoint = noteOf(log, 2, [one, two, elsewhere]);
      const keys = [statementOf(log, seq, checkpoint)];
      return [
        `rotation-${name}`,
        { bundle: log.bundle(0, { keys, checkpoint }), trust: log.trust, expect },
      ];
    }),
  );
}

/** The second key is not believed after leaf 8 (trust file), or after what a leaf says. */
function distrusts(rotated: Rotated): [string, ReceiptVector][] {
  const { log, one, two, three, statements } = rotated;
  const [first] = statements as [KeyStatement, KeyStatement];
  const policy = log.trust;
  const trusting = (key: VerifierKey, after: number): string =>
    JSON.stringify({ policy, distrust: [{ key: formatVerifierKey(key), after }] });
  const seq = log.append({
    type: 'key.distrust',
    open: { purpose: 'log', key: formatVerifierKey(two.key), after: 8 },
    committed: {},
  });
  const said = statementOf(log, seq, noteOf(log, 15, [three]));
  const strange = log.append({
    type: 'key.distrust',
    open: { purpose: 'log', key: 'nobody', after: 8 },
    committed: {},
  });
  const negative = log.append({
    type: 'key.distrust',
    open: { purpose: 'log', key: formatVerifierKey(two.key), after: -1 },
    committed: {},
  });
  const saidOfNobody = statementOf(log, strange, noteOf(log, 17, [three]));
  const saidMinus = statementOf(log, negative, noteOf(log, 17, [three]));
  const byNobody = statementOf(
    log,
    seq,
    noteOf(log, 15, [{ ...one, signer: three.signer, key: { ...one.key, keyId: '00000000' } }]),
  );
  const by = (signing: Signing, size: number): string => noteOf(log, size, [signing]);
  const unknown = invalid(4, 'NOTE_KEY_UNKNOWN');
  const distrusted = invalid(4, 'KEY_DISTRUSTED');
  type Row = [string, readonly KeyStatement[], string, string, ReceiptVector['expect']];
  const list: Row[] = [
    ['distrusted-later', [first], trusting(two.key, 8), by(two, 10), distrusted],
    ['distrusted-last-leaf', [first], trusting(two.key, 8), by(two, 9), valid],
    ['distrusted-first-key', [], trusting(one.key, 3), by(one, 5), distrusted],
    ['distrusted-first-key-before', [], trusting(one.key, 3), by(one, 4), valid],
    ['distrusted-beside-a-good-one', statements, trusting(one.key, 3), by(three, 14), unknown],
    ['distrusted-from-the-beginning', [first], trusting(two.key, 0), by(two, 10), distrusted],
    ['distrusted-other-key', [first], trusting(three.key, 0), by(two, 10), valid],
    ['distrust-leaf', [...statements, said], policy, by(two, 10), distrusted],
    ['distrust-leaf-last-leaf', [...statements, said], policy, by(two, 9), valid],
    ['distrust-leaf-good-key', [...statements, said], policy, by(three, 15), valid],
    ['distrust-leaf-signed-by-nobody', [first, byNobody], policy, by(two, 10), valid],
    [
      'distrust-leaf-of-an-unknown-key',
      [...statements, saidOfNobody],
      policy,
      by(three, 15),
      valid,
    ],
    ['distrust-leaf-after-minus-one', [...statements, saidMinus], policy, by(three, 15), bad],
  ];
  return [
    ...list.map(([name, keys, trust, checkpoint, expect]): [string, ReceiptVector] => [
      name,
      { bundle: bundleOf(rotated, keys, checkpoint), trust, expect },
    ]),
  ];
}

/** Lists in a trust file that are none. */
function distrustLists(rotated: Rotated): [string, ReceiptVector][] {
  const policy = rotated.log.trust;
  const lists: [string, unknown][] = [
    ['null', null],
    ['object', {}],
    ['row-null', [null]],
    ['row-without-after', [{ key: 'x' }]],
    ['row-without-key', [{ after: 1 }]],
    ['row-with-another-key', [{ key: 'x', after: 1, why: '' }]],
    ['after-as-text', [{ key: 'x', after: '1' }]],
    ['after-minus-one', [{ key: 'x', after: -1 }]],
  ];
  return lists.map(([name, distrust]) => [
    `distrust-list-${name}`,
    {
      bundle: bundleOf(rotated, rotated.statements),
      trust: JSON.stringify({ policy, distrust }),
      expect: { verdict: 'bad_input', input: 'trust', code: 'TRUST_MALFORMED' },
    },
  ]);
}

function shapes(rotated: Rotated): [string, ReceiptVector][] {
  const bundle = bundleOf(rotated, []);
  const leaf = 'AA==';
  const list: [string, unknown][] = [
    ['null', null],
    ['object', {}],
    ['of-texts', ['x']],
    ['without-leaf', [{ proof: '' }]],
    ['without-proof', [{ leaf }]],
    ['with-another-key', [{ leaf, proof: '', seq: 1 }]],
    ['leaf-as-number', [{ leaf: 1, proof: '' }]],
    ['leaf-in-base64url', [{ leaf: '_w==', proof: '' }]],
    ['proof-as-number', [{ leaf, proof: 1 }]],
    ['of-65', new Array(65).fill({ leaf, proof: '' })],
  ];
  return list.map(([name, keys]) => [
    `list-${name}`,
    {
      bundle: change(bundle, { evidence: { keys } }),
      trust: rotated.log.trust,
      expect: { verdict: 'bad_input', input: 'bundle', code: 'BUNDLE_MALFORMED' },
    },
  ]);
}
