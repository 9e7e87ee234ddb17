// Payments as the store, the bank and the callers know them, laid beside each other.
import type { Store } from '../../src/stores/store.ts';

/** One payment in the unit of the budget. */
const cents = 100;
const pageSize = 500;

export interface RecordedPayments {
  /** Note of each payment → state of its operation. */
  readonly states: ReadonlyMap<string, string>;
  /** Sums of all budgets in cents. */
  readonly reserved: number;
  readonly spent: number;
}

export interface PaymentFindings extends RecordedPayments {
  /** Note → how often the bank executed it. */
  readonly effects: ReadonlyMap<string, number>;
  /** Notes of payments that were answered `executed`. */
  readonly acknowledged: Iterable<string>;
}

/** Of one kind, this many contradictions are told. */
const toldMax = 50;

/** What contradicts itself, one line each; empty when everything holds. */
export function comparePayments(found: PaymentFindings): readonly string[] {
  return [
    doubledPayments(found),
    contradictions(found),
    brokenPromises(found),
    wrongSums(found),
    found.effects.size === 0 ? ['nothing was paid, so nothing is proven'] : [],
  ].flatMap((problems) => problems.slice(0, toldMax));
}

function doubledPayments({ effects }: PaymentFindings): readonly string[] {
  return [...effects].flatMap(([note, count]) =>
    count > 1 ? [`${note} was executed ${count} times`] : [],
  );
}

export const countOf = (states: ReadonlyMap<string, string>, wanted: string): number =>
  [...states.values()].filter((state) => state === wanted).length;

/** What happened is SUCCEEDED or UNKNOWN, and what succeeded happened. */
export function contradictions({
  states,
  effects,
}: Pick<PaymentFindings, 'states' | 'effects'>): readonly string[] {
  const rows = [...states].flatMap(([note, state]) => {
    if (state === 'DISPATCHING') return [`${note} is still DISPATCHING`];
    return state === 'SUCCEEDED' && !effects.has(note) ? [`${note} never happened`] : [];
  });
  const happened = [...effects.keys()].flatMap((note) => {
    const state = states.get(note) ?? 'not recorded';
    return state === 'SUCCEEDED' || state === 'UNKNOWN' ? [] : [`${note} happened, is ${state}`];
  });
  return [...rows, ...happened];
}

/** Whatever was answered stands in the store. */
function brokenPromises({ states, acknowledged }: PaymentFindings): readonly string[] {
  return [...acknowledged]
    .filter((note) => states.get(note) !== 'SUCCEEDED')
    .map((note) => `${note} was answered, is ${states.get(note) ?? 'not recorded'}`);
}

/** Spent is what succeeded, reserved is what nobody knows. */
function wrongSums({ states, reserved, spent }: RecordedPayments): readonly string[] {
  const succeeded = countOf(states, 'SUCCEEDED');
  const unknown = countOf(states, 'UNKNOWN');
  return [
    ...(spent === succeeded * cents ? [] : [`spent ${spent}, ${succeeded} succeeded`]),
    ...(reserved === unknown * cents ? [] : [`reserved ${reserved}, ${unknown} unknown`]),
  ];
}

/** Every payment that was sent or would have been, and what the budget of amounts says. */
export async function readPayments(store: Store): Promise<RecordedPayments> {
  const states = new Map<string, string>();
  let after: number | undefined;
  for (;;) {
    const page = await store.readOperations({ after, count: pageSize });
    const stored = await Promise.all(page.map(({ row }) => store.readOperation(row.opId)));
    for (const each of stored) {
      if (each === undefined) throw new Error('an operation is gone');
      const { note } = JSON.parse(each.call) as { readonly note: string };
      states.set(note, each.row.state);
    }
    after = page.at(-1)?.n;
    if (page.length < pageSize) break;
  }
  const sums = (await store.readBudgetSums()).filter(({ budget }) => budget.kind === 'amount');
  const sumOf = (part: 'reserved' | 'spent'): number =>
    sums.reduce((sum, { budget }) => sum + budget[part], 0);
  return { states, reserved: sumOf('reserved'), spent: sumOf('spent') };
}

/** A long run leaves a log of hundreds of thousands of leaves: 10 min. */
export const fsckMaxMs = 600_000;
