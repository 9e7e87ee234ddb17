// Erases what the receipts of one operation hold, and what those hold that joined or repeated it.
import type { RedactionBasis, RedactionTarget } from '../core/moves/plan-redaction.ts';
import type { OperationState } from '../core/operation.ts';
import type { Store, StoredLeaf } from '../stores/store.ts';

export interface RedactionWish {
  readonly opId: string;
  /** Committed fields by name; absent = everything. */
  readonly fields: readonly string[] | undefined;
  readonly basis: RedactionBasis;
}

export type RedactionReport =
  | { readonly kind: 'unknown' }
  /** None of its receipts has such a field. */
  | { readonly kind: 'no_field'; readonly field: string; readonly known: readonly string[] }
  | { readonly kind: 'refused'; readonly opId: string; readonly state: OperationState }
  | {
      readonly kind: 'erased';
      /** Values that were taken now. */
      readonly fields: number;
      /** Other proposals of the same call. */
      readonly repeats: readonly string[];
      /** Fields of its receipts that are still kept. */
      readonly kept: readonly string[];
      readonly isGone: boolean;
    };

/** Targets in one transaction. */
const batchMax = 500;
const decoder = new TextDecoder();

export async function redactOperation(store: Store, wish: RedactionWish): Promise<RedactionReport> {
  const { opId, fields, basis } = wish;
  const own = await store.readLeaves({ opId });
  if (own.length === 0) return { kind: 'unknown' };
  const known = committedFields(own);
  const unknown = fields?.find((field) => !known.includes(field));
  if (unknown !== undefined) return { kind: 'no_field', field: unknown, known };
  const repeats = await store.readRepeats(opId);
  const targets: RedactionTarget[] = own.map((leaf) => toTarget(leaf, fields));
  for (const each of repeats) {
    const leaves = await store.readLeaves({ opId: each });
    targets.push(...leaves.map((leaf) => toTarget(leaf, fields)));
  }
  let count = 0;
  let isGone = true;
  // The operation itself comes first, so a refusal comes before anything is erased.
  for (let at = 0; at < targets.length; at += batchMax) {
    const batch = targets.slice(at, at + batchMax);
    const result = await store.redact({ basis, targets: batch });
    if (result.refused !== undefined) return { kind: 'refused', ...result.refused };
    count += result.erasures.reduce((sum, each) => sum + each.fields.length, 0);
    isGone = result.isGone;
  }
  const left = await store.readLeaves({ opId });
  return { kind: 'erased', fields: count, repeats, kept: keptFields(left), isGone };
}

const toTarget = ({ seq }: StoredLeaf, fields: readonly string[] | undefined): RedactionTarget => ({
  seq,
  ...(fields === undefined ? {} : { fields }),
});

function committedFields(leaves: readonly StoredLeaf[]): readonly string[] {
  const names = leaves.flatMap(({ bytes }) => {
    const { commit } = JSON.parse(decoder.decode(bytes)) as { commit: Record<string, string> };
    return Object.keys(commit);
  });
  return [...new Set(names)].toSorted();
}

const keptFields = (leaves: readonly StoredLeaf[]): readonly string[] =>
  [...new Set(leaves.flatMap(({ payload }) => Object.keys(payload)))].toSorted();
