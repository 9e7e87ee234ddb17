// Checks a whole log leaf by leaf: each against its own hash, its place, its commitments and the
// tree above it. Reads nothing by itself, so that any store can be walked through it.

import { decodeBase64Url } from '../core/base64.ts';
import { commitmentText, type LeafType } from '../core/leaf-format.ts';
import {
  appendLeafHash,
  type CompleteNode,
  emptyFrontier,
  type Frontier,
  frontierRoot,
  isSameHash,
  isTileNode,
  leafHash,
} from '../core/merkle.ts';
import { hmacSha256Base64Url } from '../core/sha256.ts';
import { MissingValues, type RedactedTargets } from './missing-values.ts';

/** What is wrong in a store. */
export type StoreFaultCode =
  | 'FILE_DAMAGED'
  | 'LEAF_MISSING'
  | 'LEAF_CHANGED'
  | 'LEAF_MALFORMED'
  | 'LEAF_OUT_OF_ORDER'
  | 'COMMITMENT_MISMATCH'
  | 'PAYLOAD_MISSING'
  | 'ERASURE_UNDONE'
  | 'TILE_MISMATCH'
  | 'CHECKPOINT_MISMATCH'
  | 'ROOT_MISMATCH'
  | 'APPROVAL_USED_TWICE'
  | 'STATE_MISMATCH'
  | 'BUDGET_MISMATCH';

export interface StoreFault {
  readonly code: StoreFaultCode;
  /** Index of the first leaf that it is about; undefined when no leaf can be named. */
  readonly seq: number | undefined;
  /** One sentence without values. */
  readonly words: string;
}

/** A leaf as a store gives it. */
export interface CheckedLeaf {
  readonly seq: number;
  readonly bytes: Uint8Array;
  /** The hash that the store keeps beside it. */
  readonly hash: Uint8Array;
  readonly payload: Readonly<Record<string, { readonly salt: string; readonly value: string }>>;
}

/** Size and root that were signed. */
export interface SignedSize {
  readonly size: number;
  readonly root: Uint8Array;
}

interface LeafFields {
  readonly type: LeafType;
  readonly seq: number;
  readonly ts: number;
  readonly op_id?: string;
  readonly state?: string;
  readonly verdict?: string;
  readonly joins?: string;
  readonly repeats?: string;
  readonly request?: string;
  readonly end?: string;
  readonly commit: Readonly<Record<string, string>>;
  readonly targets?: RedactedTargets;
}

/** Faults that are kept; a broken log has one per leaf. */
const faultsMax = 100;
const decoder = new TextDecoder();

export class LogCheck {
  readonly #signed: ReadonlyMap<number, readonly Uint8Array[]>;
  readonly #faults: StoreFault[] = [];
  readonly #consumed = new Set<string>();
  readonly #missing: MissingValues;
  /** Operation → state after its last leaf. */
  readonly states: Map<string, string> = new Map();
  /** Operation → state of its approval after its last leaf; those that nobody was asked about have none. */
  readonly approvals: Map<string, string> = new Map();
  #frontier: Frontier;
  #lastMs = 0;
  #tiles: CompleteNode[] = [];

  /** `signed` = every checkpoint that the store keeps; `from` = the tree before the first leaf that is checked. */
  constructor(signed: readonly SignedSize[], from: Frontier = emptyFrontier) {
    this.#frontier = from;
    this.#missing = new MissingValues(from.size);
    const roots = new Map<number, Uint8Array[]>();
    for (const { size, root } of signed) roots.set(size, [...(roots.get(size) ?? []), root]);
    this.#signed = roots;
  }

  get faults(): readonly StoreFault[] {
    return this.#faults;
  }

  get size(): number {
    return this.#frontier.size;
  }

  /** The next leaf, in order. */
  add(leaf: CheckedLeaf): void {
    const seq = this.#frontier.size;
    if (leaf.seq !== seq) {
      this.#report('LEAF_MISSING', seq, `leaf ${seq} is missing, ${leaf.seq} follows`);
    }
    const hash = leafHash(leaf.bytes);
    if (!isSameHash(hash, leaf.hash)) {
      this.#report('LEAF_CHANGED', leaf.seq, `leaf ${leaf.seq} has other bytes than its hash`);
    }
    this.#addFields(leaf);
    // The kept hash goes on: one changed leaf must not hide what is wrong behind it.
    const appended = appendLeafHash(this.#frontier, leaf.hash);
    this.#frontier = appended.frontier;
    this.#tiles.push(...appended.completed.filter(isTileNode));
    this.#checkSigned();
  }

  /** A leaf behind the tree that is checked, written meanwhile: it may name values that are gone by now. */
  addLater(bytes: Uint8Array): void {
    this.#missing.explain(targetsOf(readFields(bytes)), () => {});
  }

  /** Whether a value is gone and no receipt has named it so far. */
  get isMissingValues(): boolean {
    return this.#missing.size > 0;
  }

  /** After the last leaf: the tree as the store says it is. */
  end(tree: { readonly size: number; readonly root: Uint8Array }): void {
    const { size } = this.#frontier;
    if (tree.size !== size) {
      this.#report(
        'ROOT_MISMATCH',
        size,
        `the log has ${size} leaves, its state says ${tree.size}`,
      );
    } else if (!isSameHash(frontierRoot(this.#frontier), tree.root)) {
      this.#report('ROOT_MISMATCH', undefined, 'the root does not follow from the leaves');
    }
    for (const [seq, fields] of this.#missing.left()) {
      const named = fields.map((field) => `\`${field.slice(0, 60)}\``).join(', ');
      const words = `the value of ${named} in leaf ${seq} is gone and no redaction names it`;
      this.#report('PAYLOAD_MISSING', seq, words);
    }
    for (const signedSize of this.#signed.keys()) {
      if (signedSize <= size) continue;
      const words = `${signedSize} leaves were signed, the log has ${size}: its tail was cut`;
      this.#report('CHECKPOINT_MISMATCH', size, words);
    }
  }

  #addFields(leaf: CheckedLeaf): void {
    const fields = readFields(leaf.bytes);
    if (fields === undefined) {
      this.#report('LEAF_MALFORMED', leaf.seq, `leaf ${leaf.seq} cannot be read`);
      return;
    }
    if (fields.seq !== leaf.seq || fields.ts < this.#lastMs) {
      this.#report('LEAF_OUT_OF_ORDER', leaf.seq, `leaf ${leaf.seq} names another place or time`);
    }
    this.#lastMs = Math.max(this.#lastMs, fields.ts);
    this.#checkCommitments(leaf, fields);
    this.#missing.note(leaf.seq, Object.keys(fields.commit), leaf.payload);
    this.#missing.explain(targetsOf(fields), (seq, field) => {
      const words = `leaf ${leaf.seq} says that \`${field.slice(0, 60)}\` of leaf ${seq} was erased, and it is there`;
      this.#report('ERASURE_UNDONE', seq, words);
    });
    this.#followOperation(leaf.seq, fields);
  }

  #checkCommitments({ seq, payload }: CheckedLeaf, { type, commit }: LeafFields): void {
    for (const [field, { salt, value }] of Object.entries(payload)) {
      const key = decodeBase64Url(salt);
      const text = commitmentText(type, JSON.stringify(field), value);
      if (key.ok && commit[field] === hmacSha256Base64Url(key.value, text)) continue;
      const words = `the kept value of \`${field.slice(0, 60)}\` is not the one in leaf ${seq}`;
      this.#report('COMMITMENT_MISMATCH', seq, words);
    }
  }

  #followOperation(seq: number, fields: LeafFields): void {
    const { type, op_id: opId, request, end } = fields;
    if (type === 'approval.end' && end === 'CONSUMED' && request !== undefined) {
      if (this.#consumed.has(request)) {
        this.#report('APPROVAL_USED_TWICE', seq, `leaf ${seq} uses a request a second time`);
      }
      this.#consumed.add(request);
    }
    if (opId === undefined) return;
    const { operation, approval } = statesAfter(fields);
    if (approval !== undefined) this.approvals.set(opId, approval);
    if (operation !== undefined) this.states.set(opId, operation);
  }

  /** Nodes that were completed since the last call: each is to be compared with the one that the store keeps. */
  takeTiles(): readonly CompleteNode[] {
    const tiles = this.#tiles;
    this.#tiles = [];
    return tiles;
  }

  /** `kept` is undefined when the store has none. */
  compareTile({ level, index, hash }: CompleteNode, kept: Uint8Array | undefined): void {
    if (kept !== undefined && isSameHash(kept, hash)) return;
    const first = index * 2 ** level;
    const words = `a hash over the leaves ${first} to ${first + 2 ** level - 1} is not theirs`;
    this.#report('TILE_MISMATCH', first, words);
  }

  #checkSigned(): void {
    const { size } = this.#frontier;
    const roots = this.#signed.get(size);
    if (roots === undefined) return;
    const own = frontierRoot(this.#frontier);
    if (roots.every((root) => isSameHash(root, own))) return;
    const words = `the first ${size} leaves were signed with another root`;
    this.#report('CHECKPOINT_MISMATCH', undefined, words);
  }

  #report(code: StoreFaultCode, seq: number | undefined, words: string): void {
    if (this.#faults.length < faultsMax) this.#faults.push({ code, seq, words });
  }
}

const targetsOf = (fields: LeafFields | undefined): RedactedTargets | undefined =>
  fields?.type === 'redaction' ? fields.targets : undefined;

/** In which states an operation and its approval are. */
export interface LeafStates {
  readonly operation: string | undefined;
  readonly approval: string | undefined;
}

/** What the leaves of one operation say in the end. */
export function readStates(leaves: readonly Uint8Array[]): LeafStates {
  const all = leaves.flatMap((bytes) => {
    const fields = readFields(bytes);
    return fields === undefined ? [] : [statesAfter(fields)];
  });
  return {
    operation: all.findLast(({ operation }) => operation !== undefined)?.operation,
    approval: all.findLast(({ approval }) => approval !== undefined)?.approval,
  };
}

/** What one leaf says. A decision about an earlier operation has an id of its own and no row. */
function statesAfter(fields: LeafFields): LeafStates {
  const { state, joins, repeats } = fields;
  const isOwn = joins === undefined && repeats === undefined && state !== 'DENIED';
  return { operation: isOwn ? state : undefined, approval: approvalState(fields) };
}

function approvalState({ type, verdict, end }: LeafFields): string | undefined {
  if (type === 'approval.request') return 'REQUESTED';
  if (type === 'approval.answer') return verdict === 'approve' ? 'GRANTED' : 'REJECTED';
  return type === 'approval.end' ? end : undefined;
}

/** Only what the checks need: the bytes are proven by their hash. */
function readFields(bytes: Uint8Array): LeafFields | undefined {
  try {
    const fields = JSON.parse(decoder.decode(bytes)) as LeafFields;
    const isLeaf =
      typeof fields.type === 'string' &&
      typeof fields.ts === 'number' &&
      typeof fields.commit === 'object' &&
      fields.commit !== null;
    return isLeaf ? fields : undefined;
  } catch {
    return undefined;
  }
}
