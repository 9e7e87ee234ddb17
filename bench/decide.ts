// One full decision in process: resolution among 10,000 records, ten policies, budget, receipt.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type BenchGateway, createBenchGateway, ibanOf } from './in-process.ts';
import { type BenchReport, median, percentile, rowOfRounds } from './report.ts';

const rounds = 5;
const calls = 2_000;
const warmUp = 1_000;
const records = 10_000;

/** A refused proposal is one decision and one commit; an executed one is a decision, an attempt, an outcome and two commits. */
export async function run(options: readonly string[]): Promise<BenchReport> {
  return options.includes('--memory') ? runMemory() : runDurable();
}

async function runMemory(): Promise<BenchReport> {
  const bench = await createBenchGateway({ store: 'sqlite::memory:', records });
  const denied = await measure(bench, deny);
  const executed = await measure(bench, pay);
  const perSecond = denied.meanMs.map((ms) => 1_000 / ms);
  return {
    rows: [
      rowOfRounds(['decision (refused), p50', 'ms'], denied.p50, {
        reach: '≤ 0.08 ms',
        holds: (value) => value <= 0.08,
      }),
      rowOfRounds(['decision (refused), p99', 'ms'], denied.p99),
      rowOfRounds(['decisions per second on one core', '/s'], perSecond, {
        reach: '≥ 10,000/s',
        holds: (value) => value >= 10_000,
      }),
      rowOfRounds(['decision + attempt + outcome (executed), p50', 'ms'], executed.p50),
    ],
    notes: ['memory store: nothing is durable'],
  };
}

async function runDurable(): Promise<BenchReport> {
  const bench = await createBenchGateway({ store: 'sqlite:store.db', records });
  const commit: number[] = [];
  const denied: Rounds = { p50: [], p99: [], meanMs: [] };
  const executed: Rounds = { p50: [], p99: [], meanMs: [] };
  await warm(bench);
  for (let round = 0; round < rounds; round += 1) {
    commit.push(percentile(commitTimes(bench.folder), 0.5));
    add(denied, await oneRound(bench, deny));
    add(executed, await oneRound(bench, pay));
  }
  await bench.store.close();
  rmSync(bench.folder, { recursive: true, force: true });
  const base = median(commit);
  return {
    rows: [
      rowOfRounds(['one commit of this disk (SQLite, synchronous=FULL), p50', 'ms'], commit),
      rowOfRounds(['decision with durable receipt (refused), p50', 'ms'], denied.p50, {
        reach: `≤ 0.15 ms + one commit (${(0.15 + base).toFixed(3)} ms)`,
        holds: (value) => value <= 0.15 + base,
      }),
      rowOfRounds(
        ['  of it above the commit', 'ms'],
        denied.p50.map((value, index) => value - (commit[index] ?? 0)),
      ),
      rowOfRounds(['decision with durable receipt (refused), p99', 'ms'], denied.p99),
      rowOfRounds(['executed, two durable commits, p50', 'ms'], executed.p50),
      rowOfRounds(
        ['executed, p50 as a multiple of one commit', '×'],
        executed.p50.map((value, index) => value / (commit[index] ?? 1)),
      ),
    ],
  };
}

/** A row as large as one receipt, committed alone, in the same folder. */
function commitTimes(folder: string): readonly number[] {
  const database = new DatabaseSync(join(folder, 'commit.db'));
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS row (bytes BLOB) STRICT',
  );
  const insert = database.prepare('INSERT INTO row VALUES (?)');
  const bytes = new Uint8Array(1_500);
  const times: number[] = [];
  for (let index = 0; index < 300; index += 1) {
    const start = performance.now();
    database.exec('BEGIN IMMEDIATE');
    insert.run(bytes);
    database.exec('COMMIT');
    times.push(performance.now() - start);
  }
  database.close();
  return times;
}

interface Rounds {
  readonly p50: number[];
  readonly p99: number[];
  readonly meanMs: number[];
}

type Call = (bench: BenchGateway, index: number) => Promise<string>;

/** A valid IBAN that no record holds. */
const deny: Call = async (bench, index) => {
  const answer = await bench.pay(ibanOf(5_000_000 + index), 10, 'Invoice');
  return answer.kind === 'report' ? answer.report.status : answer.kind;
};

const pay: Call = async (bench, index) =>
  (await bench.pay(ibanOf(index % records), 10, `Invoice ${index}`)).kind;

const expected = new Map<Call, string>([
  [deny, 'denied'],
  [pay, 'executed'],
]);

async function measure(bench: BenchGateway, call: Call): Promise<Rounds> {
  await warm(bench);
  const result: Rounds = { p50: [], p99: [], meanMs: [] };
  for (let round = 0; round < rounds; round += 1) add(result, await oneRound(bench, call));
  return result;
}

async function warm(bench: BenchGateway): Promise<void> {
  for (let index = 0; index < warmUp; index += 1) {
    await deny(bench, index);
    await pay(bench, index);
  }
}

function add(to: Rounds, times: readonly number[]): void {
  to.p50.push(percentile(times, 0.5));
  to.p99.push(percentile(times, 0.99));
  to.meanMs.push(times.reduce((sum, value) => sum + value, 0) / times.length);
}

async function oneRound(bench: BenchGateway, call: Call): Promise<readonly number[]> {
  const times: number[] = [];
  for (let index = 0; index < calls; index += 1) {
    const start = performance.now();
    const outcome = await call(bench, index);
    times.push(performance.now() - start);
    if (outcome !== expected.get(call)) throw new Error(`a call was ${outcome}`);
  }
  return times;
}
