// Many callers on a chain of six mandates through several stores: what one budget must survive.
import { expect } from 'vitest';
import type { OpenedStore } from './opened-store.ts';
import { expectSums, Spender } from './store-budget-conformance.ts';
import { aReport } from './store-builders.ts';

const chainLength = 6;
const rootLimit = 1_000;

/** Reserves below and above in the chain at once, ends a part of it in every way, and counts what holds. */
export async function loadChain(stores: readonly OpenedStore[], calls: number): Promise<void> {
  const chain = await openChain(stores[0] as OpenedStore);
  const ends = ['SUCCESS', 'REJECTED', 'AMBIGUOUS', undefined] as const;
  const held: number[] = [];
  const outcomes = await Promise.all(
    Array.from({ length: calls }, async (_, n) => {
      const opened = stores[n % stores.length] as OpenedStore;
      const { mandate } = chain[(n * 5) % chainLength] as Spender;
      const spender = new Spender(opened, mandate);
      const draft = spender.proposal();
      const amount = 5 + (n % 23);
      const outcome = await spender.reserve(amount, draft);
      if (outcome !== 'allow') return outcome;
      const end = ends[n % ends.length];
      if (end !== undefined) await opened.store.finish(aReport(draft, { class: end }));
      if (end !== 'REJECTED') held.push(amount);
      return outcome;
    }),
  );
  for (const outcome of outcomes) {
    expect(['allow', 'BUDGET_AMOUNT', 'BUDGET_AMOUNT ancestor']).toContain(outcome);
  }
  const [root] = (await (stores.at(-1) as OpenedStore).store.readBudgets()).filter(
    ({ budgetId }) => budgetId === (chain[0] as Spender).mandate.budgetIds[0],
  );
  const sum = held.reduce((all, amount) => all + amount, 0);
  expect((root?.reserved ?? 0) + (root?.spent ?? 0)).toBe(sum);
  expect(sum).toBeLessThanOrEqual(rootLimit);
  expect(outcomes.filter((each) => each !== 'allow').length).toBeGreaterThan(0);
  await expectSums(stores[0] as OpenedStore);
}

async function openChain(opened: OpenedStore): Promise<readonly Spender[]> {
  const day = { kind: 'calendar', unit: 'day', zone: 'UTC' } as const;
  const budgets = [
    { kind: 'amount', limit: rootLimit },
    { kind: 'amount', limit: 100_000, window: day },
  ] as const;
  const chain = [await Spender.join(opened, budgets)];
  while (chain.length < chainLength) {
    chain.push(await (chain.at(-1) as Spender).delegate([{ kind: 'amount', limit: rootLimit }]));
  }
  return chain;
}
