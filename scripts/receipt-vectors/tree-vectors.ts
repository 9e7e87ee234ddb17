// Signed checkpoints whose tree is another one, or was hashed by another rule.
import { sha256 } from '../../src/core/sha256.ts';
import { signCheckpoint } from '../../src/receipts/sign-checkpoint.ts';
import { aDecisionDraft, createTestLog, type TestLog } from '../../src/testing/test-bundle.ts';
import { type Base, change, editNote, invalid, type Vectors } from './receipt-vector.ts';

/** Step 3, with a signature that holds. */
export async function treeVectors(base: Base): Promise<Vectors> {
  return [...(await otherHashing()), ...otherTrees(base)];
}

/** The bundle with a checkpoint that the log signed over this size and root. */
const signed = (log: TestLog, bundle: string, tree: Parameters<typeof signCheckpoint>[0]): string =>
  editNote(bundle, () => signCheckpoint(tree, log.key, log.signer));

async function otherHashing(): Promise<Vectors> {
  const log = await createTestLog();
  log.append(aDecisionDraft());
  log.append(aDecisionDraft());
  const { bytes, hash } = log.leaf(0);
  const other = log.leaf(1).hash;
  const one = log.bundle(0, { size: 1 });
  const pair = (first: Uint8Array, second: Uint8Array): Uint8Array =>
    sha256(Uint8Array.of(1, ...first, ...second));
  const two: [string, Uint8Array][] = [
    ['node-without-prefix', sha256(Uint8Array.from([...hash, ...other]))],
    ['node-with-prefix-of-leaves', sha256(Uint8Array.of(0, ...hash, ...other))],
    ['node-of-swapped-halves', pair(other, hash)],
    ['node-of-the-leaf-alone', pair(hash, hash)],
  ];
  const single: [string, Uint8Array][] = [
    ['leaf-without-prefix', sha256(bytes)],
    ['leaf-with-prefix-of-nodes', sha256(Uint8Array.of(1, ...bytes))],
    ['leaf-hashed-as-text', sha256(`\u0000${Buffer.from(bytes).toString('base64')}`)],
  ];
  const all = [
    ...two.map(([name, root]) => [name, signed(log, log.bundle(0), { size: 2, root })]),
    ...single.map(([name, root]) => [name, signed(log, one, { size: 1, root })]),
  ];
  return all.map(([name = '', bundle = '']) => [
    `proof-${name}`,
    { bundle, trust: log.trust, expect: invalid(3, 'PROOF_ROOT_MISMATCH') },
  ]);
}

function otherTrees({ log, bundle, trust }: Base): Vectors {
  const root = log.root();
  const { leaf } = JSON.parse(bundle) as { leaf: string };
  const text = Buffer.from(leaf, 'base64').toString().replace('enforce', 'shadow');
  const list: [string, string, string][] = [
    [
      'leaf-changed',
      change(bundle, { leaf: Buffer.from(text).toString('base64') }),
      'PROOF_ROOT_MISMATCH',
    ],
    [
      'root-of-an-earlier-tree',
      signed(log, bundle, { size: 7, root: log.root(6) }),
      'PROOF_ROOT_MISMATCH',
    ],
    [
      'root-of-the-empty-tree',
      signed(log, bundle, { size: 7, root: sha256('') }),
      'PROOF_ROOT_MISMATCH',
    ],
    ['size-of-an-empty-tree', signed(log, bundle, { size: 0, root }), 'PROOF_LENGTH'],
    ['size-is-index', signed(log, bundle, { size: 4, root }), 'PROOF_LENGTH'],
    ['size-too-small-for-the-hashes', signed(log, bundle, { size: 5, root }), 'PROOF_LENGTH'],
    [
      'size-too-large-for-the-hashes',
      signed(log, bundle, { size: Number.MAX_SAFE_INTEGER, root }),
      'PROOF_LENGTH',
    ],
  ];
  return list.map(([name, changed, code]) => [
    `proof-${name}`,
    { bundle: changed, trust, expect: invalid(3, code) },
  ]);
}
