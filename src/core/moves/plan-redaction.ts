// Erasing what a person is entitled to have erased: values and salts go, the leaf that says so is
// appended in the same transaction, and every proof stays as it is.
import { canonicalJson } from '../canonical-json.ts';
import type { LeafDraft } from '../leaf.ts';
import { isSameHash } from '../merkle.ts';
import type { OperationState } from '../operation.ts';

/** Why something was erased, as it stands openly in the receipt. */
export const redactionBases = ['gdpr-17', 'retention', 'legal-order', 'mistake'] as const;
export type RedactionBasis = (typeof redactionBases)[number];

/** What to erase of one leaf. */
export interface RedactionTarget {
  readonly seq: number;
  /** Names of committed fields; absent = everything that is kept. */
  readonly fields?: readonly string[];
  /** Only the leaf with this hash is meant: after a restore another one may stand in its place. */
  readonly leafHash?: Uint8Array;
}

export interface RedactionOrder {
  readonly basis: RedactionBasis;
  readonly targets: readonly RedactionTarget[];
  /** Erased before and back with an old copy: it goes again, whatever the state of its operation. */
  readonly isReplay?: boolean;
}

/** A leaf as the store reads it for an order. */
export interface RedactableLeaf {
  readonly seq: number;
  readonly hash: Uint8Array;
  readonly type: string;
  readonly opId: string | undefined;
  /** State of its operation; undefined when it has no row. */
  readonly state: OperationState | undefined;
  /** Committed fields whose value is still there. */
  readonly kept: readonly string[];
}

/** Fields to take out of one payload; never empty. */
export interface Erasure {
  readonly seq: number;
  readonly leafHash: Uint8Array;
  readonly fields: readonly string[];
  readonly basis: RedactionBasis;
}

export interface RedactionPlan {
  /** An operation that still needs its texts: then nothing is erased. */
  readonly refused: { readonly opId: string; readonly state: OperationState } | undefined;
  readonly erasures: readonly Erasure[];
  /** Operations of which nothing is left: their fingerprints would still confirm a guess. */
  readonly forgotten: readonly string[];
  readonly leaves: readonly LeafDraft[];
}

/** What is asked about, sent, or looked for still needs its texts. */
const openStates: ReadonlySet<OperationState | undefined> = new Set([
  'ASKING',
  'DISPATCHING',
  'UNKNOWN',
]);

/** True while the texts of an operation in this state are needed. */
export function needsTexts(state: OperationState | undefined): boolean {
  return openStates.has(state);
}

/** Only what is still there is erased and named. */
export function planRedaction(
  order: RedactionOrder,
  leaves: readonly RedactableLeaf[],
): RedactionPlan {
  const open = order.isReplay === true ? undefined : leaves.find(({ state }) => needsTexts(state));
  if (open?.opId !== undefined && open.state !== undefined) {
    const refused = { opId: open.opId, state: open.state };
    return { refused, erasures: [], forgotten: [], leaves: [] };
  }
  const bySeq = new Map(leaves.map((leaf) => [leaf.seq, leaf]));
  const hits = order.targets.flatMap((target) => {
    const leaf = bySeq.get(target.seq);
    return leaf === undefined || !isMeant(target, leaf) ? [] : [{ target, leaf }];
  });
  const erasures = hits.flatMap(({ target, leaf }) => erasureOf(target, leaf, order.basis));
  const whole = hits.filter(({ target, leaf }) => leaf.type === 'decision' && !target.fields);
  return {
    refused: undefined,
    erasures,
    forgotten: whole.flatMap(({ leaf }) => leaf.opId ?? []),
    leaves: redactionLeaves(order.basis, erasures, commonOperation(hits)),
  };
}

function isMeant({ leafHash }: RedactionTarget, leaf: RedactableLeaf): boolean {
  return leafHash === undefined || isSameHash(leafHash, leaf.hash);
}

function erasureOf(
  target: RedactionTarget,
  { seq, hash, kept }: RedactableLeaf,
  basis: RedactionBasis,
): readonly Erasure[] {
  const fields = kept.filter((field) => target.fields?.includes(field) ?? true);
  return fields.length === 0 ? [] : [{ seq, leafHash: hash, fields: fields.toSorted(), basis }];
}

function commonOperation(hits: readonly { readonly leaf: RedactableLeaf }[]): string | undefined {
  const opIds = new Set(hits.map(({ leaf }) => leaf.opId));
  return opIds.size === 1 ? hits[0]?.leaf.opId : undefined;
}

/** Well below the longest leaf, which also holds its surroundings. */
const targetsSizeMax = 12_000;
/** Places in one target. */
const seqsMax = 500;

interface NamedTarget {
  readonly fields: readonly string[];
  readonly seqs: readonly number[];
}

/** As many leaves as the targets need; equal lists of fields are written once. */
function redactionLeaves(
  basis: RedactionBasis,
  erasures: readonly Erasure[],
  opId: string | undefined,
): readonly LeafDraft[] {
  const groups = new Map<string, { fields: readonly string[]; seqs: number[] }>();
  for (const { seq, fields } of erasures) {
    const key = canonicalJson(fields);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { fields, seqs: [seq] });
    else group.seqs.push(seq);
  }
  return bundled([...groups.values()].flatMap(inParts)).map((targets) => ({
    type: 'redaction',
    ...(opId === undefined ? {} : { opId }),
    open: {
      basis,
      targets: targets.map(({ fields, seqs }) => ({ fields: [...fields], seqs: [...seqs] })),
    },
    committed: {},
  }));
}

function inParts({ fields, seqs }: NamedTarget): readonly NamedTarget[] {
  const count = Math.ceil(seqs.length / seqsMax);
  return Array.from({ length: count }, (_unused, i) => ({
    fields,
    seqs: seqs.slice(i * seqsMax, (i + 1) * seqsMax),
  }));
}

function bundled(targets: readonly NamedTarget[]): readonly (readonly NamedTarget[])[] {
  const lists: NamedTarget[][] = [];
  let size = targetsSizeMax;
  for (const target of targets) {
    const own = canonicalJson({ fields: [...target.fields], seqs: [...target.seqs] }).length;
    if (size + own > targetsSizeMax) {
      lists.push([]);
      size = 0;
    }
    lists.at(-1)?.push(target);
    size += own;
  }
  return lists;
}
