// From the proposal to the receipt of its outcome, with a connector that answers at once.
import { rmSync } from 'node:fs';
import { inFlight } from './in-flight.ts';
import { createBenchGateway, ibanOf } from './in-process.ts';
import { type BenchServer, noServer, startBenchServer } from './postgres-server.ts';
import { RawPostgres } from './raw-commits.ts';
import { type BenchReport, type BenchRow, rowOfRounds } from './report.ts';

const rounds = 5;
const records = 10_000;
const warmUp = 1_000;
const bars: readonly (readonly [workers: number, perSecond: number | undefined])[] = [
  [1, 2_500],
  [16, undefined],
  [64, 10_000],
];
/** In flight at once on PostgreSQL. */
const postgresWorkers = 64;
const postgresCalls = 4_000;
const postgresBars: readonly (readonly [budgets: number, perSecond: number])[] = [
  [100, 4_000],
  [1, 1_000],
];

export async function run(): Promise<BenchReport> {
  const sqlite = await runSqlite();
  const server = await startBenchServer();
  try {
    const postgres = server === undefined ? [] : await runPostgres(server);
    return {
      rows: [...sqlite, ...postgres],
      notes: [
        'ten policies, 10,000 records, two durable commits a call',
        ...(server === undefined ? [noServer] : []),
      ],
    };
  } finally {
    await server?.remove();
  }
}

async function runSqlite(): Promise<readonly BenchRow[]> {
  const load = await startLoad('sqlite:store.db', 1);
  const rates = new Map<number, number[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [workers] of bars) {
      const rate = await load.execute(1_000 * Math.min(4, workers), workers);
      rates.set(workers, [...(rates.get(workers) ?? []), rate]);
    }
  }
  await load.end();
  return bars.map(([workers, perSecond]) =>
    rowOfRounds(
      [`executed, SQLite, ${workers} in flight`, '/s'],
      rates.get(workers) ?? [],
      perSecond === undefined ? undefined : atLeast(perSecond),
    ),
  );
}

/** Beside a transaction that updates one counter and inserts one row, on as many connections as calls are in flight. */
async function runPostgres(server: BenchServer): Promise<readonly BenchRow[]> {
  const raw = await RawPostgres.open(server.url, postgresWorkers, 100);
  const rows: BenchRow[] = [];
  for (const [budgets, perSecond] of postgresBars) {
    const load = await startLoad(await server.emptyStore(), budgets);
    const [rates, baseline]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      baseline.push(await raw.reserve(postgresCalls, postgresWorkers, budgets));
      rates.push(await load.execute(postgresCalls, postgresWorkers));
    }
    await load.end();
    const named = budgets === 1 ? 'one hot budget' : `${budgets} budgets`;
    rows.push(
      rowOfRounds([`raw UPDATE and INSERT, ${named}, ${postgresWorkers} at once`, '/s'], baseline),
      rowOfRounds(
        [`executed, PostgreSQL, ${named}, ${postgresWorkers} in flight`, '/s'],
        rates,
        atLeast(perSecond),
      ),
      rowOfRounds(
        ['  beside the raw transaction', '×'],
        rates.map((rate, round) => rate / (baseline[round] ?? Number.NaN)),
      ),
    );
  }
  await raw.close();
  return rows;
}

const atLeast = (perSecond: number) => ({
  reach: `≥ ${perSecond}/s`,
  holds: (value: number) => value >= perSecond,
});

interface Load {
  /** Executed per second. */
  readonly execute: (count: number, workers: number) => Promise<number>;
  readonly end: () => Promise<void>;
}

/** A warm gateway per budget, on one store. */
async function startLoad(store: string, agents: number): Promise<Load> {
  const bench = await createBenchGateway({ store, records, agents });
  let serial = 0;
  const one = async (): Promise<void> => {
    serial += 1;
    const answer = await bench.pay(ibanOf(serial % records), 10, `Invoice ${serial}`);
    if (answer.kind !== 'executed') throw new Error(`a call was ${answer.kind}`);
  };
  await inFlight(warmUp, 16, one);
  return {
    execute: (count, workers) => inFlight(count, workers, one),
    end: async () => {
      await bench.store.close();
      rmSync(bench.folder, { recursive: true, force: true });
    },
  };
}
