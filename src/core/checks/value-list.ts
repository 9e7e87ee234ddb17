// Lists of critical values: every item resolves by its own normaliser, or the whole list is
// refused. One string is never split into several values.
import type { JsonValue } from '../json-value.ts';
import type {
  Normalised,
  NormalisedValue,
  Normaliser,
  NormaliserFault,
  NormaliserOptions,
} from './normaliser.ts';

export interface ListOptions {
  readonly itemsMin: number;
  readonly itemsMax: number;
  /** Two items with one canonical form are refused. */
  readonly isUnique: boolean;
  /** `set`: order means nothing, so the canonical order is sorted. */
  readonly as: 'list' | 'set';
  readonly item: NormaliserOptions;
}

export interface NormalisedList {
  readonly ok: true;
  /** In the order of the canonical form. */
  readonly items: readonly NormalisedItem[];
}

interface NormalisedItem extends NormalisedValue {
  /** Where the item stood in the list as it was sent. */
  readonly index: number;
}

export interface ListRefusal {
  readonly ok: false;
  readonly code: NormaliserFault | 'duplicate' | 'count';
  /** The item that fails; absent when the list itself does. */
  readonly index?: number;
  readonly at?: number;
  readonly hint?: string;
}

/** What a contract gets that says nothing else. */
export const listDefaults: ListOptions = {
  itemsMin: 1,
  itemsMax: 50,
  isUnique: true,
  as: 'list',
  item: {},
};

/** Normalises every item; the first bad one refuses the list with its index. */
export function normaliseList(
  raw: JsonValue,
  normaliser: Normaliser,
  options: ListOptions,
): NormalisedList | ListRefusal {
  if (!Array.isArray(raw)) return { ok: false, code: 'type', hint: 'a list of values' };
  const values = raw as readonly JsonValue[];
  if (values.length < options.itemsMin || values.length > options.itemsMax) {
    const hint = `between ${options.itemsMin} and ${options.itemsMax} items`;
    return { ok: false, code: 'count', hint };
  }
  const items: NormalisedItem[] = [];
  const seen = new Set<string | boolean | number>();
  for (const [index, value] of values.entries()) {
    const normalised: Normalised = normaliser.normalise(value, options.item);
    if (!normalised.ok) return { ...normalised, index };
    if (options.isUnique && seen.has(normalised.canonical)) {
      return { ok: false, code: 'duplicate', index, hint: 'each item once' };
    }
    seen.add(normalised.canonical);
    items.push({ ...normalised, index });
  }
  return { ok: true, items: options.as === 'set' ? items.sort(byCanonical) : items };
}

/** By UTF-16 units, the same in every locale. */
function byCanonical(a: NormalisedItem, b: NormalisedItem): number {
  if (a.canonical === b.canonical) return 0;
  return String(a.canonical) < String(b.canonical) ? -1 : 1;
}
