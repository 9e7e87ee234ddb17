// Erases values whose time is over, in small steps: receipts stay, and nobody waits for it long.
import { setImmediate } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { needsTexts } from '../core/moves/plan-redaction.ts';
import { keepMsOf, keepTimes, type RetentionTerms } from '../core/retention.ts';
import type { KeptLeaf } from '../stores/erasure.ts';
import type { Store } from '../stores/store.ts';

/** Leaves in one transaction. */
const batchMax = 500;

export interface ExpiryReport {
  /** Leaves whose values were erased, or would be. */
  readonly leaves: number;
  readonly values: number;
}

export interface ExpirySettings {
  readonly terms: RetentionTerms;
  readonly nowMs: number;
  /** Counts and erases nothing. */
  readonly isDryRun: boolean;
  /** Asked between steps; true ends it early. */
  readonly isStopped?: () => boolean;
}

export function retentionTerms({ retention, contracts }: Config): RetentionTerms {
  const spends = new Map<string, boolean>();
  for (const { action, budgetParam } of contracts) {
    spends.set(action, spends.get(action) === true || budgetParam !== undefined);
  }
  return { rules: retention, spends };
}

export async function expirePayloads(
  store: Store,
  { terms, nowMs, isDryRun, isStopped = () => false }: ExpirySettings,
): Promise<ExpiryReport> {
  const ends = await expiredBelow(store, terms, nowMs);
  const below = Math.max(...ends.values());
  const isOver = (leaf: KeptLeaf): boolean => {
    const isOperation = leaf.state !== undefined;
    const keepMs = keepMsOf(terms, { ...leaf, isOperation });
    return leaf.seq < (ends.get(keepMs) ?? 0) && !needsTexts(leaf.state);
  };
  const report = { leaves: 0, values: 0 };
  for (let from = 0; from < below && !isStopped(); await setImmediate()) {
    const page = await store.readKept({ from, below, count: batchMax });
    const targets = page.filter(isOver).map(({ seq }) => ({ seq }));
    if (targets.length > 0 && !isDryRun) {
      const { erasures } = await store.redact({ basis: 'retention', targets });
      report.values += erasures.reduce((sum, each) => sum + each.fields.length, 0);
    }
    report.leaves += targets.length;
    from = page.length < batchMax ? below : (page.at(-1)?.seq ?? below) + 1;
  }
  return report;
}

/** For each time the first leaf that is younger. Times in the log never run back. */
async function expiredBelow(
  store: Store,
  terms: RetentionTerms,
  nowMs: number,
): Promise<ReadonlyMap<number, number>> {
  const { size } = await store.readTree();
  const ends = new Map<number, number>();
  for (const keepMs of keepTimes(terms)) {
    let [low, high] = [0, size];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((await timeOf(store, middle)) + keepMs <= nowMs) low = middle + 1;
      else high = middle;
    }
    ends.set(keepMs, low);
  }
  return ends;
}

async function timeOf(store: Store, seq: number): Promise<number> {
  const [leaf] = await store.readLeaves({ from: seq, count: 1 });
  if (leaf === undefined) throw new RangeError(`no leaf ${seq}`);
  return (JSON.parse(new TextDecoder().decode(leaf.bytes)) as { readonly ts: number }).ts;
}
