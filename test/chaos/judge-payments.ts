// Lays the store of a world, what its bank really did and what the callers were told beside each other.
import { DatabaseSync } from 'node:sqlite';
import type { World } from '../fixtures/product/world.ts';
import { contradictions, fsckMaxMs } from './compare-payments.ts';

/** What callers and persons were told, by the note of the payment. */
export interface Told {
  /** Code of the last answer to each call. */
  readonly codes: Map<string, string | number>;
  /** Payments whose approval was acknowledged on the page. */
  readonly approved: Set<string>;
}

export const nothingTold = (): Told => ({ codes: new Map(), approved: new Set() });

export interface Judgement {
  readonly operations: number;
  readonly effects: number;
  readonly succeeded: number;
  readonly unknown: number;
  /** Payments that the bank executed more than once. */
  readonly doubled: readonly string[];
  /** What contradicts itself, one line each; empty when everything holds. */
  readonly problems: readonly string[];
}

interface PaymentRow {
  readonly opId: string;
  readonly note: string;
  readonly state: string;
  /** In the unit of the budget. */
  readonly amount: number;
  /** State of its approval; null when nobody was asked. */
  readonly approval: string | null;
}

const problemsMax = 200;

/** Reads only; the last process has settled what the ones before it left. */
export async function judgePayments(world: World, told: Told): Promise<Judgement> {
  const rows = readPayments(world.path('data/store.db'));
  const byNote = new Map(rows.map((row) => [row.note, row]));
  const effects = effectsByNote(world);
  const doubled = [...effects].filter(([, count]) => count > 1).map(([note]) => note);
  const fsck = await world.runHere(['fsck', '--json'], { timeoutMs: fsckMaxMs });
  const problems = [
    ...contradictions({ states: new Map(rows.map(({ note, state }) => [note, state])), effects }),
    ...brokenPromises(byNote, told),
    ...brokenRefusals(effects, told),
    ...wrongSums(rows, readSums(world.path('data/store.db'))),
    ...(fsck.code === 0 ? [] : [`fsck: ${(fsck.stdout || fsck.stderr).slice(0, 300)}`]),
    ...(rows.length === 0 ? ['nothing was paid, so nothing is proven'] : []),
  ];
  return {
    operations: rows.length,
    effects: effects.size,
    succeeded: rows.filter(({ state }) => state === 'SUCCEEDED').length,
    unknown: rows.filter(({ state }) => state === 'UNKNOWN').length,
    doubled,
    problems: problems.slice(0, problemsMax),
  };
}

/** Whatever was answered stands in the store. */
function brokenPromises(byNote: ReadonlyMap<string, PaymentRow>, told: Told): readonly string[] {
  const stateOf = (note: string): string => byNote.get(note)?.state ?? 'not recorded';
  const answered = [...told.codes].flatMap(([note, code]) => {
    const state = stateOf(note);
    if (code === 'executed' && state !== 'SUCCEEDED') return [`${note} was answered, is ${state}`];
    const isAsked = code === 'APPROVAL_REQUIRED' || code === 'APPROVAL_PENDING';
    return isAsked && !byNote.has(note) ? [`${note} was to be approved, is ${state}`] : [];
  });
  const approved = [...told.approved].flatMap((note) => {
    const state = byNote.get(note)?.approval ?? 'none';
    return state === 'GRANTED' || state === 'CONSUMED' ? [] : [`${note} was approved, is ${state}`];
  });
  return [...answered, ...approved];
}

/** What was refused for want of a receipt did not happen. */
function brokenRefusals(effects: ReadonlyMap<string, number>, told: Told): readonly string[] {
  return [...told.codes]
    .filter(([note, code]) => code === 'RECEIPT_UNAVAILABLE' && effects.has(note))
    .map(([note]) => `${note} was refused without a receipt, and happened`);
}

/** Spent is what succeeded, reserved is what nobody knows. */
function wrongSums(
  rows: readonly PaymentRow[],
  sums: { readonly reserved: number; readonly spent: number },
): readonly string[] {
  const sumOf = (wanted: string): number =>
    rows.reduce((sum, { state, amount }) => sum + (state === wanted ? amount : 0), 0);
  const succeeded = sumOf('SUCCEEDED');
  const unknown = sumOf('UNKNOWN');
  return [
    ...(sums.spent === succeeded ? [] : [`spent ${sums.spent}, ${succeeded} succeeded`]),
    ...(sums.reserved === unknown ? [] : [`reserved ${sums.reserved}, ${unknown} unknown`]),
  ];
}

/** Note → how often the bank paid it. */
export function effectsByNote(world: World): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { tool, arguments: args } of world.effects()) {
    if (tool !== 'pay') continue;
    const { note } = args as { readonly note: string };
    counts.set(note, (counts.get(note) ?? 0) + 1);
  }
  return counts;
}

const minorUnits = 100;

/** Every operation of a store, with what it was about. */
export function readPayments(path: string): readonly PaymentRow[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database
      .prepare(
        `SELECT o.op_id AS op_id, o.state AS state, p.fields AS fields, a.state AS approval
         FROM operation o
         JOIN leaf l ON l.proposal = o.n AND l.type = 'decision' JOIN payload p ON p.seq = l.seq
         LEFT JOIN approval a ON a.op_id = o.op_id`,
      )
      .all()
      .map(({ op_id, state, fields, approval }) => {
        const { call } = JSON.parse(fields as string) as { readonly call: [string, string] };
        const { note, amount } = JSON.parse(call[1]) as { note: string; amount: number };
        return {
          opId: op_id as string,
          note,
          state: state as string,
          amount: amount * minorUnits,
          approval: approval as string | null,
        };
      });
  } finally {
    database.close();
  }
}

function readSums(path: string): { readonly reserved: number; readonly spent: number } {
  const database = new DatabaseSync(path, { readOnly: true });
  const sums = database
    .prepare(`SELECT sum(reserved) AS reserved, sum(spent) AS spent FROM budget`)
    .get();
  database.close();
  return { reserved: Number(sums?.['reserved']), spent: Number(sums?.['spent']) };
}
