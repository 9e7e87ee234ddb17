// Many histories, the kept ones first.
import { keptSeeds } from './kept-seeds.ts';
import { type HistoryFigures, runHistory } from './run-history.ts';
import type { PlantedFault } from './world.ts';

export interface SeedRange {
  readonly from: number;
  readonly count: number;
}

export interface SimulationReport {
  readonly ok: boolean;
  /** Histories that ran, kept seeds included. */
  readonly histories: number;
  readonly from: number;
  readonly totals: HistoryFigures;
  /** The first ones that failed; `npm run simulate -- --trace SEED` shows what happened. */
  readonly failures: readonly { readonly seed: number; readonly problems: readonly string[] }[];
}

/** More than this many are of no use to anybody. */
const failuresMax = 20;

/** Runs every kept seed and every seed of the range. */
export async function runSeeds({ from, count }: SeedRange): Promise<SimulationReport> {
  const failures: { readonly seed: number; readonly problems: readonly string[] }[] = [];
  let totals: HistoryFigures = { events: 0, operations: 0, effects: 0, unknown: 0, answers: 0 };
  const seeds = [...keptSeeds.map(({ seed }) => seed), ...range(from, count)];
  let histories = 0;
  for (const seed of seeds) {
    const { problems, figures } = await runHistory(seed);
    histories += 1;
    totals = sumOf(totals, figures);
    if (problems.length > 0) failures.push({ seed, problems });
    if (failures.length >= failuresMax) break;
  }
  return { ok: failures.length === 0, histories, from, totals, failures };
}

/** The first seed of the range whose history has such a problem. */
export async function findSeed(
  planted: PlantedFault,
  { from, count }: SeedRange,
  isWanted: (problem: string) => boolean,
): Promise<number | undefined> {
  for (const seed of range(from, count)) {
    const { problems } = await runHistory(seed, planted);
    if (problems.some(isWanted)) return seed;
  }
  return undefined;
}

function* range(from: number, count: number): Generator<number> {
  for (let seed = from; seed < from + count; seed += 1) yield seed;
}

function sumOf(one: HistoryFigures, other: HistoryFigures): HistoryFigures {
  return {
    events: one.events + other.events,
    operations: one.operations + other.operations,
    effects: one.effects + other.effects,
    unknown: one.unknown + other.unknown,
    answers: one.answers + other.answers,
  };
}
