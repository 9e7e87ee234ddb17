// Bundles beside an earlier checkpoint: a log that grew, and every way to have another one.
import type { LeafDraft } from '../../src/core/leaf.ts';
import { formatCheckpoint } from '../../src/receipts/checkpoint.ts';
import { signCheckpoint } from '../../src/receipts/sign-checkpoint.ts';
import { formatNote } from '../../src/receipts/signed-note.ts';
import { aDecisionDraft, createTestLog, type TestLog } from '../../src/testing/test-bundle.ts';
import { change, invalid, type Json, type ReceiptVector, type Vectors } from './receipt-vector.ts';

/** Leaves of the log in these vectors; the auditor saw the first six. */
const size = 13;
const seenSize = 6;

const alarm = (n: number): LeafDraft => ({
  type: 'alarm',
  open: { kind: 'test', figures: { n } },
  committed: {},
});

/** A log of these alarms and one decision; the same numbers give the same leaves. */
async function logOf(numbers: readonly number[], seed = 1): Promise<TestLog> {
  const log = await createTestLog({ seed });
  log.append(aDecisionDraft());
  for (const n of numbers) log.append(alarm(n));
  return log;
}

const numbers: readonly number[] = Array.from({ length: size - 1 }, (_unused, i) => i + 1);

const valid = { verdict: 'valid' } as const;

interface History {
  readonly log: TestLog;
  readonly seen: string;
  readonly bundle: string;
}

async function aHistory(): Promise<History> {
  const log = await logOf(numbers);
  return {
    log,
    seen: log.checkpoint(seenSize),
    bundle: log.bundle(0, { previousSize: seenSize }),
  };
}

interface Consistency {
  readonly size: number;
  readonly path: readonly string[];
}

/** The bundle with other evidence of consistency. */
const editConsistency = (bundle: string, edit: (evidence: Consistency) => unknown): string => {
  const { evidence } = JSON.parse(bundle) as { evidence: { consistency: Consistency } & Json };
  return change(bundle, { evidence: { ...evidence, consistency: edit(evidence.consistency) } });
};

/** Step 6. */
export async function historyVectors(): Promise<Vectors> {
  const history = await aHistory();
  return [...grown(history), ...(await rewritten(history)), ...badProofs(history)].map(
    ([name, vector]) => [`history-${name}`, vector],
  );
}

function grown({ log, seen }: History): Vectors {
  const { trust } = log;
  const sizes = [1, 2, 3, 4, 5, 7, 8, 9, 12].map((at): Vectors[number] => [
    `grown-from-${at}`,
    {
      bundle: log.bundle(0, { previousSize: at }),
      trust,
      previous: log.checkpoint(at),
      expect: valid,
    },
  ]);
  return [
    ...sizes,
    [
      'grown-from-nothing',
      {
        bundle: log.bundle(0, { previousSize: 0 }),
        trust,
        previous: log.checkpoint(0),
        expect: valid,
      },
    ],
    ['unchanged', { bundle: log.bundle(3), trust, previous: log.checkpoint(), expect: valid }],
    [
      'unchanged-with-a-needless-proof',
      {
        bundle: log.bundle(3, { previousSize: seenSize }),
        trust,
        previous: log.checkpoint(),
        expect: valid,
      },
    ],
    [
      'required-and-given',
      {
        bundle: log.bundle(0, { previousSize: seenSize }),
        trust: JSON.stringify({ policy: trust, require: [6] }),
        previous: seen,
        expect: valid,
      },
    ],
    [
      'proof-without-a-checkpoint-to-compare',
      { bundle: log.bundle(0, { previousSize: seenSize }), trust, expect: valid },
    ],
  ];
}

/** Other logs under the same name and key: whoever signs can sign anything. */
async function rewritten({ log, seen }: History): Promise<Vectors> {
  const [one = 0, two = 0, three = 0, ...others] = numbers;
  const swapped = await logOf([two, one, three, ...others]);
  const deleted = await logOf([one, three, ...others]);
  const forked = await logOf([one, two, three, 104, 105, 106, 107, 108, 109, 110, 111, 112]);
  const replaced = await logOf(numbers.map((n) => n + 1_000));
  const inserted = await logOf([one, 200, two, three, ...others]);
  const other = await logOf(numbers, 2);
  const list: [string, TestLog, string, string][] = [
    ['two-leaves-swapped', swapped, seen, 'CONSISTENCY_MISMATCH'],
    ['middle-leaf-deleted', deleted, seen, 'CONSISTENCY_MISMATCH'],
    ['leaf-inserted', inserted, seen, 'CONSISTENCY_MISMATCH'],
    ['forked-before-the-checkpoint', forked, seen, 'CONSISTENCY_MISMATCH'],
    ['whole-log-replaced', replaced, seen, 'CONSISTENCY_MISMATCH'],
  ];
  const cut = await logOf(numbers.slice(0, seenSize - 2));
  return [
    ...list.map(([name, liar, previous, code]): [string, ReceiptVector] => [
      name,
      {
        bundle: liar.bundle(0, { previousSize: seenSize }),
        trust: log.trust,
        previous,
        expect: invalid(6, code),
      },
    ]),
    [
      'tail-cut',
      {
        bundle: cut.bundle(0),
        trust: log.trust,
        previous: seen,
        expect: invalid(6, 'LOG_SHORTER'),
      },
    ],
    [
      'old-backup',
      {
        bundle: log.bundle(0, { size: seenSize - 1 }),
        trust: log.trust,
        previous: seen,
        expect: invalid(6, 'LOG_SHORTER'),
      },
    ],
    [
      'old-backup-that-went-on',
      {
        bundle: forked.bundle(0, { size: 9, previousSize: seenSize }),
        trust: log.trust,
        previous: seen,
        expect: invalid(6, 'CONSISTENCY_MISMATCH'),
      },
    ],
    [
      'same-size-other-root',
      {
        bundle: forked.bundle(0, { size: seenSize }),
        trust: log.trust,
        previous: seen,
        expect: invalid(6, 'LOG_FORKED'),
      },
    ],
    [
      'checkpoint-of-another-key',
      {
        bundle: log.bundle(0, { previousSize: seenSize }),
        trust: log.trust,
        previous: other.checkpoint(seenSize),
        expect: invalid(6, 'PREVIOUS_NOT_SIGNED'),
      },
    ],
  ];
}

function badProofs({ log, seen, bundle }: History): Vectors {
  const edits: [string, (evidence: Consistency) => unknown, string][] = [
    ['of-another-size', ({ path }) => ({ size: 5, path }), 'CONSISTENCY_OTHER_SIZE'],
    ['one-hash-short', (e) => ({ ...e, path: e.path.slice(1) }), 'CONSISTENCY_LENGTH'],
    ['one-hash-long', (e) => ({ ...e, path: [...e.path, e.path[0] ?? ''] }), 'CONSISTENCY_LENGTH'],
    ['empty', (e) => ({ ...e, path: [] }), 'CONSISTENCY_LENGTH'],
    ['reversed', (e) => ({ ...e, path: e.path.toReversed() }), 'CONSISTENCY_MISMATCH'],
    [
      'of-the-old-root-throughout',
      (e) => ({
        ...e,
        path: e.path.map(() => Buffer.from(log.root(seenSize)).toString('base64')),
      }),
      'CONSISTENCY_MISMATCH',
    ],
    ...[0, 1, 2].map((at): [string, (evidence: Consistency) => unknown, string] => [
      `hash-${at}-flipped`,
      (e) => ({ ...e, path: e.path.map((text, i) => (i === at ? flipped(text) : text)) }),
      'CONSISTENCY_MISMATCH',
    ]),
  ];
  const edited = edits.map(([name, edit, code]): Vectors[number] => [
    `proof-${name}`,
    {
      bundle: editConsistency(bundle, edit),
      trust: log.trust,
      previous: seen,
      expect: invalid(6, code),
    },
  ]);
  return [
    ...edited,
    [
      'no-proof',
      {
        bundle: log.bundle(0),
        trust: log.trust,
        previous: seen,
        expect: invalid(6, 'CONSISTENCY_MISSING'),
      },
    ],
    [
      'proof-from-nothing-with-a-hash',
      {
        bundle: editConsistency(log.bundle(0, { previousSize: 0 }), (e) => ({
          ...e,
          path: [Buffer.from(log.root(1)).toString('base64')],
        })),
        trust: log.trust,
        previous: log.checkpoint(0),
        expect: invalid(6, 'CONSISTENCY_LENGTH'),
      },
    ],
    [
      'root-of-nothing-that-is-something',
      {
        bundle: log.bundle(0, { previousSize: 0 }),
        trust: log.trust,
        previous: signCheckpoint({ size: 0, root: log.root(1) }, log.key, log.signer),
        expect: invalid(6, 'CONSISTENCY_MISMATCH'),
      },
    ],
  ];
}

const flipped = (text: string): string => {
  const bytes = Buffer.from(text, 'base64');
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  return bytes.toString('base64');
};

/** Texts in place of checkpoint and evidence. */
export async function historyInputVectors(): Promise<Vectors> {
  const { log, seen, bundle } = await aHistory();
  const { trust } = log;
  const elsewhere = await createTestLog({ origin: 'log.example/other' });
  elsewhere.fill(3);
  const unsigned = formatNote({
    text: formatCheckpoint({ origin: log.key.name, size: seenSize, root: log.root(seenSize) }),
    signatures: [{ name: 'somebody', keyId: '00112233', signature: new Uint8Array(64) }],
  });
  const bad: [string, string, string][] = [
    ['empty', '', 'NOTE_MALFORMED'],
    ['a-bundle', bundle, 'NOTE_MALFORMED'],
    ['carriage-returns', seen.replaceAll('\n', '\r\n'), 'NOTE_MALFORMED'],
    ['a-proof', `c2sp.org/tlog-proof@v1\nindex 0\n\n${seen}`, 'CHECKPOINT_MALFORMED'],
    ['too-large', ' '.repeat(131_073), 'NOTE_TOO_LARGE'],
    ['size-with-zero', seen.replace('\n6\n', '\n06\n'), 'CHECKPOINT_MALFORMED'],
  ];
  const evidence: [string, unknown][] = [
    ['null', null],
    ['list', []],
    ['without-size', { path: [] }],
    ['without-path', { size: 6 }],
    ['with-another-key', { size: 6, path: [], root: '' }],
    ['negative-size', { size: -1, path: [] }],
    ['size-as-text', { size: '6', path: [] }],
    ['path-as-text', { size: 6, path: '' }],
    ['hash-as-number', { size: 6, path: [1] }],
    ['hash-of-31-bytes', { size: 6, path: [Buffer.alloc(31).toString('base64')] }],
    ['hash-in-base64url', { size: 6, path: [`${'_'.repeat(42)}w=`] }],
    ['64-hashes', { size: 6, path: new Array(64).fill(Buffer.alloc(32).toString('base64')) }],
  ];
  return [
    ...bad.map(([name, previous, code]): Vectors[number] => [
      `history-previous-${name}`,
      { bundle, trust, previous, expect: { verdict: 'bad_input', input: 'previous', code } },
    ]),
    ...evidence.map(([name, consistency]): Vectors[number] => [
      `history-evidence-${name}`,
      {
        bundle: change(bundle, { evidence: { consistency } }),
        trust,
        previous: seen,
        expect: { verdict: 'bad_input', input: 'bundle', code: 'BUNDLE_MALFORMED' },
      },
    ]),
    [
      'history-previous-unsigned',
      { bundle, trust, previous: unsigned, expect: invalid(6, 'PREVIOUS_NOT_SIGNED') },
    ],
    [
      'history-previous-changed',
      {
        bundle,
        trust,
        previous: seen.replace('\n6\n', '\n5\n'),
        expect: invalid(6, 'PREVIOUS_NOT_SIGNED'),
      },
    ],
    [
      'history-previous-of-another-log',
      {
        bundle,
        trust,
        previous: elsewhere.checkpoint(),
        expect: invalid(6, 'PREVIOUS_OTHER_LOG'),
      },
    ],
    [
      'history-no-checkpoint-to-compare-with',
      {
        bundle: change(bundle, { proof: 'c2sp.org/tlog-proof@v1\nindex 0\n\nnothing\n' }),
        trust,
        previous: seen,
        expect: invalid(4, 'NOTE_MALFORMED'),
      },
    ],
  ];
}
