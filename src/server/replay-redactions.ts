// Erases again what a restored copy of the store brought back, before anything is served from it.
import { type RedactionTarget, redactionBases } from '../core/moves/plan-redaction.ts';
import type { RedactionList } from '../stores/erasure.ts';
import type { Store } from '../stores/store.ts';

/** Targets in one transaction: other processes wait for it. */
const batchMax = 500;

/** How many fields were erased again; the list names leaves by their hashes, so no other leaf is touched. */
export async function replayRedactions(store: Store, list: RedactionList): Promise<number> {
  const listed = list.read();
  let fields = 0;
  for (const basis of redactionBases) {
    const targets: readonly RedactionTarget[] = listed.filter((each) => each.basis === basis);
    for (let at = 0; at < targets.length; at += batchMax) {
      const batch = targets.slice(at, at + batchMax);
      const { erasures } = await store.redact({ basis, targets: batch, isReplay: true });
      fields += erasures.reduce((sum, each) => sum + each.fields.length, 0);
    }
  }
  return fields;
}
