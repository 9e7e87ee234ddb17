// A small receipt log with a fixed key, clock and salts: the same drafts give the same bytes.
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { type LeafDraft, type SealedLeaf, sealLeaf } from '../core/leaf.ts';
import {
  appendLeafHash,
  consistencyPath,
  emptyFrontier,
  frontierAt,
  frontierRoot,
  leafHash,
} from '../core/merkle.ts';
import { encodePreimage, type OperationPreimage, opHash } from '../core/op-hash.ts';
import { sha256 } from '../core/sha256.ts';
import type { LocalSigner } from '../keys/signer.ts';
import { createBundle } from '../receipts/create-bundle.ts';
import type { KeyStatement } from '../receipts/history-evidence.ts';
import { signCheckpoint } from '../receipts/sign-checkpoint.ts';
import { formatTrustFile } from '../receipts/trust-file.ts';
import { createLogKey, type VerifierKey } from '../receipts/verifier-key.ts';

/** What a bundle of the test log shows. */
export interface TestBundleChoice {
  /** Signed size; the whole log when left out. */
  readonly size?: number;
  /** Fields to disclose; all when left out. */
  readonly disclose?: readonly string[];
  readonly preimage?: string;
  /** Size of an earlier tree that the bundle shows to be a prefix. */
  readonly previousSize?: number;
  readonly keys?: readonly KeyStatement[];
  /** Signed note to prove against, in place of the log's own. */
  readonly checkpoint?: string;
}

/** A log in memory. */
export interface TestLog {
  readonly key: VerifierKey;
  readonly signer: LocalSigner;
  /** Bare tlog-policy text that believes this log. */
  readonly trust: string;
  size(): number;
  /** Seals a draft, appends it and returns its place. */
  append(draft: LeafDraft): number;
  /** Appends bytes as they are, also such that are no leaf. */
  appendBytes(bytes: Uint8Array): number;
  /** Appends leaves that nobody will open; cheap enough for large trees. */
  fill(count: number): void;
  leaf(seq: number): SealedLeaf;
  root(size?: number): Uint8Array;
  readNode(level: number, index: number): Uint8Array;
  /** Signed note of a size. */
  checkpoint(size?: number): string;
  bundle(seq: number, choice?: TestBundleChoice): string;
}

/** A signer whose key follows from a number. For tests only: anybody can compute it. */
export function createTestSigner(seed: number): LocalSigner {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const der = Buffer.concat([prefix, sha256(`intentplane test key ${seed}`)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return {
    algorithm: 'ed25519',
    publicKey: Uint8Array.from(spki.subarray(-32)),
    sign: (bytes) => Uint8Array.from(sign(null, bytes, key)),
  };
}

/** An empty log. */
export async function createTestLog(
  settings: { readonly origin?: string; readonly seed?: number } = {},
): Promise<TestLog> {
  const { origin = 'log.example/test', seed = 1 } = settings;
  const signer = createTestSigner(seed);
  const key = await createLogKey(origin, signer.publicKey);
  const nodes: Uint8Array[][] = [];
  const leaves = new Map<number, SealedLeaf>();
  let frontier = emptyFrontier;
  let salt = 0;

  const push = (hash: Uint8Array): void => {
    const next = appendLeafHash(frontier, hash);
    for (const node of next.completed) {
      const row = nodes[node.level] ?? [];
      nodes[node.level] = row;
      row[node.index] = node.hash;
    }
    frontier = next.frontier;
  };
  const salts = (): Uint8Array => {
    salt += 1;
    return sha256(`intentplane test salt ${seed} ${salt}`);
  };
  const log: TestLog = {
    key,
    signer,
    trust: formatTrustFile(key),
    size: () => frontier.size,
    appendBytes: (bytes) => {
      const seq = frontier.size;
      const sealed = { bytes, hash: leafHash(bytes), payload: {} };
      leaves.set(seq, sealed);
      push(sealed.hash);
      return seq;
    },
    append: (draft) => {
      const seq = frontier.size;
      const stamp = { seq, ts: 1_790_000_000_000 + seq, gw: '0.1.0', config: 'test-config', salts };
      const sealed = sealLeaf(draft, stamp);
      leaves.set(seq, sealed);
      push(sealed.hash);
      return seq;
    },
    fill: (count) => {
      for (let i = 0; i < count; i += 1) push(leafHash(`filler ${frontier.size}`));
    },
    leaf: (seq) => {
      const sealed = leaves.get(seq);
      if (sealed === undefined) throw new RangeError(`no sealed leaf ${seq}`);
      return sealed;
    },
    readNode: (level, index) => {
      const node = nodes[level]?.[index];
      if (node === undefined) throw new RangeError(`no node ${index} at level ${level}`);
      return node;
    },
    root: (size = frontier.size) => frontierRoot(frontierAt(size, log.readNode)),
    checkpoint: (size = frontier.size) =>
      signCheckpoint({ size, root: log.root(size) }, key, signer),
    bundle: (seq, choice = {}) => {
      const { size = frontier.size, disclose, preimage, previousSize, keys } = choice;
      const { bytes, payload } = log.leaf(seq);
      const shown = Object.entries(payload).filter(([field]) => disclose?.includes(field) ?? true);
      return createBundle({
        seq,
        leaf: bytes,
        disclosed: Object.fromEntries(shown),
        size,
        checkpoint: choice.checkpoint ?? log.checkpoint(size),
        readNode: log.readNode,
        ...(preimage === undefined ? {} : { preimage }),
        ...(keys === undefined ? {} : { keys }),
        ...(previousSize === undefined
          ? {}
          : {
              consistency: {
                size: previousSize,
                path: consistencyPath(previousSize, size, log.readNode),
              },
            }),
      });
    },
  };
  return log;
}

/** A resolved operation of the test log; fields in `changes` replace those of the example. */
export function aPreimage(changes: Partial<OperationPreimage> = {}): OperationPreimage {
  return {
    v: 1,
    op_id: '00112233445566778899aabbccddeeff',
    nonce: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8',
    gateway: 'log.example/test',
    action: 'bank.transfer',
    contract: 'c'.repeat(64),
    values: {
      iban: { type: 'string', value: 'DE89370400440532013000' },
      amount: { type: 'money', value: '1240.00' },
    },
    origins: {
      iban: { source: 'registry:vendors.iban', record: 'v12', version: '3' },
      amount: { source: 'untrusted', record: null, version: null },
    },
    principal: 'user',
    agent: null,
    mandate: { id: 'm-1', hash: 'd'.repeat(64), chain: 'e'.repeat(64) },
    level: 0,
    quorum: { count: 0, persons: [], roles: [], exclude: [], include_user: false },
    policy: { set: 'a'.repeat(64), schema: 'b'.repeat(64), cedar: '4.13.0' },
    target: { connector: 'mcp', version: '1', server: 'bank', definition: 'f'.repeat(64) },
    expires: 1_790_000_900,
    ...changes,
  };
}

/** A `decision` leaf about an operation, with personal fields committed. */
export function aDecisionDraft(preimage: OperationPreimage = aPreimage()): LeafDraft {
  return {
    type: 'decision',
    opId: preimage.op_id,
    state: 'DISPATCHING',
    open: {
      decision: 'allow',
      mode: 'enforce',
      level: preimage.level,
      codes: [],
      op_hash: opHash(encodePreimage(preimage)),
      contract_sha256: preimage.contract,
    },
    committed: {
      'param.iban': { value: 'DE89370400440532013000', source: 'registry:vendors.iban' },
      'param.amount': { value: '1240.00', source: 'untrusted' },
      reasons: [],
    },
  };
}

/** A valid bundle with everything it was made of. */
export interface TestBundle {
  readonly bundle: string;
  readonly trust: string;
  readonly log: TestLog;
  readonly seq: number;
}

/** The bundle of one decision in a log of `size` leaves. */
export async function makeTestBundle(
  settings: { readonly size?: number; readonly seq?: number; readonly origin?: string } = {},
): Promise<TestBundle> {
  const { size = 5, seq = 2, origin = 'log.example/test' } = settings;
  const log = await createTestLog({ origin });
  const preimage = aPreimage({ gateway: origin });
  log.fill(seq);
  log.append(aDecisionDraft(preimage));
  log.fill(size - seq - 1);
  const bundle = log.bundle(seq, { preimage: encodePreimage(preimage) });
  return { bundle, trust: log.trust, log, seq };
}
