// The ledger beside a slow, obvious one: a list of entries, and every sum by its definition.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import type { BudgetDraft } from '../core/moves/plan-mandate.ts';
import { OpenedStore, type StorePlace } from '../testing/opened-store.ts';
import { expectSums, Spender } from '../testing/store-budget-conformance.ts';
import { aReport } from '../testing/store-builders.ts';
import { createMemoryStore } from './memory/memory-store.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';

const hourMs = 3_600_000;
const windowMs = 6 * hourMs;
const zone = 'Europe/Berlin';
const limits = { life: 400, rolling: 100, day: 120 };
const budgets: readonly BudgetDraft[] = [
  { kind: 'amount', limit: limits.life },
  { kind: 'amount', limit: limits.rolling, window: { kind: 'rolling', ms: windowMs } },
  { kind: 'amount', limit: limits.day, window: { kind: 'calendar', unit: 'day', zone } },
];

interface Entry {
  readonly atMs: number;
  readonly day: string;
  amount: number;
  isOpen: boolean;
}

const dayText = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
const dayOf = (ms: number): string => dayText.format(ms);

/** What each budget holds at an instant, by definition. */
function usedAt(entries: readonly Entry[], nowMs: number): readonly number[] {
  const sum = (counts: (entry: Entry) => boolean): number =>
    entries.reduce((all, entry) => all + (counts(entry) ? entry.amount : 0), 0);
  return [
    sum(() => true),
    sum((entry) => entry.isOpen || entry.atMs > nowMs - windowMs),
    sum((entry) => entry.day === dayOf(nowMs)),
  ];
}

type Step =
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'reserve'; readonly amount: number }
  | {
      readonly kind: 'end';
      readonly which: number;
      readonly how: 'success' | 'less' | 'failure' | 'unknown';
    };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('wait' as const),
    ms: fc.oneof(
      fc.integer({ min: 1, max: 3 * hourMs }),
      fc.constantFrom(windowMs - 1, windowMs, windowMs + 1, 24 * hourMs),
    ),
  }),
  fc.record({ kind: fc.constant('reserve' as const), amount: fc.integer({ min: 1, max: 60 }) }),
  fc.record({
    kind: fc.constant('end' as const),
    which: fc.nat(5),
    how: fc.constantFrom('success', 'less', 'failure', 'unknown'),
  }),
);

type Draft = ReturnType<Spender['proposal']>;

/** Runs the steps on the store and on the list, and compares after each of them. */
async function compare(place: StorePlace, steps: readonly Step[]): Promise<void> {
  const clock = { nowMs: Date.parse('2027-03-27T10:00:00Z') };
  const opened = await OpenedStore.open(place, { clock });
  const spender = await Spender.join(opened, budgets);
  const entries: Entry[] = [];
  const open: { readonly entry: Entry; readonly draft: Draft }[] = [];
  for (const each of steps) {
    if (each.kind === 'wait') clock.nowMs += each.ms;
    else if (each.kind === 'reserve') await reserve(each.amount);
    else await end(each);
    const { nowMs } = clock;
    const status = await opened.store.readStatus(spender.mandate.mandateId);
    const used = status?.budgets.map(({ reserved, spent }) => reserved + spent);
    expect(used).toEqual(usedAt(entries, nowMs));
  }
  await expectSums(opened);
  await opened.store.close();

  async function reserve(amount: number): Promise<void> {
    const draft = spender.proposal();
    const used = usedAt(entries, clock.nowMs);
    const fits = Object.values(limits).every((limit, n) => (used[n] ?? 0) + amount <= limit);
    expect(await spender.reserve(amount, draft)).toBe(
      fits ? 'allow' : (used[0] ?? 0) + amount > limits.life ? 'BUDGET_AMOUNT' : 'BUDGET_PERIOD',
    );
    if (!fits) return;
    const entry = { atMs: clock.nowMs, day: dayOf(clock.nowMs), amount, isOpen: true };
    entries.push(entry);
    open.push({ entry, draft });
  }

  async function end({ which, how }: Extract<Step, { kind: 'end' }>): Promise<void> {
    const found = open[which];
    if (found === undefined) return;
    const { entry, draft } = found;
    const amount = how === 'less' ? entry.amount - 1 : entry.amount;
    const classes = {
      success: 'SUCCESS',
      less: 'SUCCESS',
      failure: 'REJECTED',
      unknown: 'AMBIGUOUS',
    };
    const report = aReport(draft, { class: classes[how] as 'SUCCESS', amount, result: undefined });
    await opened.store.finish(report);
    if (how === 'unknown') return;
    open.splice(which, 1);
    entry.isOpen = false;
    entry.amount = how === 'failure' ? 0 : amount;
  }
}

describe('the ledger and a list of entries', () => {
  const steps = fc.array(step, { minLength: 5, maxLength: 40 });

  verifies(['EXE-08', 'EXE-20'], 'agree step by step, in memory', async () => {
    const place: StorePlace = { isDurable: false, open: createMemoryStore, remove() {} };
    await fc.assert(
      fc.asyncProperty(steps, (list) => compare(place, list)),
      { numRuns: 150 },
    );
  });

  verifies(['EXE-08', 'EXE-20'], 'agree step by step, in SQLite', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const folder = mkdtempSync(join(tmpdir(), 'store-'));
        const path = join(folder, 'store.db');
        const place: StorePlace = {
          isDurable: true,
          open: (settings) => openSqliteStore(path, settings),
          remove() {},
        };
        try {
          await compare(place, list);
        } finally {
          rmSync(folder, { recursive: true });
        }
      }),
      { numRuns: 8 },
    );
  });
});
