// Bundles that must verify.
import { type LeafType, leafTypes } from '../../src/core/leaf-format.ts';
import { deriveKeyId, formatVerifierKey } from '../../src/receipts/verifier-key.ts';
import {
  aPreimage,
  createTestLog,
  createTestSigner,
  makeTestBundle,
} from '../../src/testing/test-bundle.ts';
import { type Base, editNote, editProof, type Vectors } from './receipt-vector.ts';

const valid = { verdict: 'valid' } as const;

/** Every leaf type, trees of every shape, and notes with more than they need. */
export async function validVectors(base: Base): Promise<Vectors> {
  return [...(await validTypes()), ...(await validSizes()), ...(await validNotes(base))];
}

async function validTypes(): Promise<Vectors> {
  const opId = aPreimage().op_id;
  return Promise.all(
    Object.entries(leafTypes).map(async ([type, row]): Promise<Vectors[number]> => {
      const log = await createTestLog();
      const open = Object.fromEntries(row.open.map((field, i) => [field, i]));
      const committed = { 'param.é': ['x', 1, true, null, { b: 1, a: {} }], person: 'Ann' };
      const operation = row.ofOperation ? { opId, prev: 'ASKING', state: 'CLOSED' } : {};
      log.append({ type: type as LeafType, ...operation, code: 'INTERNAL', open, committed });
      return [`valid-type-${type}`, { bundle: log.bundle(0), trust: log.trust, expect: valid }];
    }),
  );
}

async function validSizes(): Promise<Vectors> {
  return Promise.all(
    [
      [1, 0],
      [2, 1],
      [3, 2],
      [255, 127],
      [256, 0],
      [256, 255],
      [257, 256],
      [65_537, 40_000],
      [65_537, 65_536],
    ].map(async ([size = 0, seq = 0]): Promise<Vectors[number]> => {
      const { bundle, trust } = await makeTestBundle({ size, seq });
      return [`valid-size-${size}-${seq}`, { bundle, trust, expect: valid }];
    }),
  );
}

async function validNotes({ log, bundle, trust }: Base): Promise<Vectors> {
  const other = await createTestLog({ seed: 2 });
  const foreign = other.checkpoint(0).split('\n').at(-2) ?? '';
  const twoSignatures = editNote(bundle, (note) => `${note}${foreign}\n`);
  const extra = editProof(bundle, (text) => text.replace('\nindex', '\nextra YWdl\nindex'));
  const key = { name: 'w.example', type: 0x04, publicKey: createTestSigner(9).publicKey };
  const witness = formatVerifierKey({ ...key, keyId: await deriveKeyId(key) });
  const nothing = log.bundle(4, { disclose: [] });
  const json = JSON.stringify({ policy: trust, require: [1, 2, 3, 4] });
  const list: [string, string, string][] = [
    ['unknown-second-signature', twoSignatures, trust],
    ['extra-line', extra, trust],
    ['nothing-disclosed', nothing, trust],
    ['one-field-disclosed', log.bundle(4, { disclose: ['reasons'] }), trust],
    ['earlier-checkpoint', log.bundle(4, { size: 5 }), trust],
    ['compact-json', JSON.stringify(JSON.parse(bundle)), trust],
    ['trust-json', bundle, json],
    ['trust-comment-and-witness', bundle, `# ours\n\n${trust}witness W ${witness}\n`],
    ['trust-two-logs', bundle, other.trust.replace('quorum none\n', trust)],
  ];
  return list.map(([name, text, believed]) => [
    `valid-${name}`,
    { bundle: text, trust: believed, expect: valid },
  ]);
}
