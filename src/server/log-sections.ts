// The origins that a log had one after the other: each restart begins a new one in the same tree.
import type { CanonicalValue } from '../core/canonical-json.ts';
import { parseLeaf } from '../core/parse-leaf.ts';
import type { Store, StoredLeaf } from '../stores/store.ts';

/** Leaves that were written under one origin. */
export interface LogSection {
  readonly origin: string;
  /** `seq` of its `log.start` leaf. */
  readonly from: number;
  /** Checkpoints of this origin are not larger; infinite for the one that goes on. */
  readonly end: number;
  /** `key.rotate` and `key.distrust`, in order. */
  readonly keyLeaves: readonly StoredLeaf[];
}

/** In order; empty for a store that never started. */
export async function readSections(store: Store): Promise<readonly LogSection[]> {
  const leaves = await store.readLeaves({ about: 'log' });
  const starts = leaves.filter(({ type }) => type === 'log.start');
  return starts.map((start, i) => {
    const end = starts[i + 1]?.seq ?? Number.POSITIVE_INFINITY;
    return {
      origin: String(openField(start, 'origin')),
      from: start.seq,
      end,
      keyLeaves: leaves.filter(
        ({ type, seq }) => type !== 'log.start' && seq > start.seq && seq < end,
      ),
    };
  });
}

/** The section in which a leaf was written. */
export function sectionOf(sections: readonly LogSection[], seq: number): LogSection | undefined {
  return sections.find(({ from, end }) => seq >= from && seq < end);
}

/** An open field of a leaf; undefined also for bytes that are none. */
export function openField({ bytes }: StoredLeaf, field: string): CanonicalValue | undefined {
  const leaf = parseLeaf(bytes);
  return leaf.ok ? leaf.value.open[field] : undefined;
}
