// One full decision in process: resolution among 10,000 records, ten policies, budget, receipt.

import { rmSync } from 'node:fs';
import { type BenchGateway, createBenchGateway, ibanOf } from './in-process.ts';
import { sqliteCommitTimes } from './raw-commits.ts';
import { type BenchReport, median, percentile, rowOfRounds } from './report.ts';

const rounds = 5;
const calls = 2_000;
const warmUp = 1_000;
const records = 10_000;

/**
 * A full decision ends when its intent is committed: values resolved, Cedar asked, budget reserved, three receipts
 * sealed. A refused one ends at the resolution, with two receipts. The whole executed call adds outcome and settling.
 */
export async function run(options: readonly string[]): Promise<BenchReport> {
  return options.includes('--memory') ? runMemory() : runDurable();
}

async function runMemory(): Promise<BenchReport> {
  const bench = await createBenchGateway({ store: 'sqlite::memory:', records });
  await warm(bench);
  const cedar: number[] = [];
  const denied = noRounds();
  const decided = noRounds();
  const executed = noRounds();
  for (let round = 0; round < rounds; round += 1) {
    cedar.push(percentile(cedarTimes(bench, round), 0.5));
    add(denied, (await oneRound(bench, deny)).whole);
    const paid = await oneRound(bench, pay);
    add(decided, paid.decided);
    add(executed, paid.whole);
  }
  const perSecond = decided.meanMs.map((ms) => 1_000 / ms);
  return {
    rows: [
      rowOfRounds(['Cedar alone, the same question in a tight loop, p50', 'ms'], cedar),
      rowOfRounds(['full decision (allowed), p50', 'ms'], decided.p50, {
        reach: '≤ 0.08 ms',
        holds: (value) => value <= 0.08,
      }),
      rowOfRounds(['full decision (allowed), p99', 'ms'], decided.p99),
      rowOfRounds(['full decisions per second on one core', '/s'], perSecond, {
        reach: '≥ 10,000/s',
        holds: (value) => value >= 10_000,
      }),
      rowOfRounds(['refused at the resolution, p50', 'ms'], denied.p50),
      rowOfRounds(['whole executed call (decision, attempt, outcome), p50', 'ms'], executed.p50),
    ],
    notes: ['memory store: nothing is durable'],
  };
}

async function runDurable(): Promise<BenchReport> {
  const bench = await createBenchGateway({ store: 'sqlite:store.db', records });
  const commit: number[] = [];
  const denied = noRounds();
  const decided = noRounds();
  const executed = noRounds();
  await warm(bench);
  for (let round = 0; round < rounds; round += 1) {
    commit.push(percentile(sqliteCommitTimes(bench.folder), 0.5));
    add(denied, (await oneRound(bench, deny)).whole);
    const paid = await oneRound(bench, pay);
    add(decided, paid.decided);
    add(executed, paid.whole);
  }
  await bench.store.close();
  rmSync(bench.folder, { recursive: true, force: true });
  const base = median(commit);
  return {
    rows: [
      rowOfRounds(['one commit of this disk (SQLite, synchronous=FULL), p50', 'ms'], commit),
      rowOfRounds(['full decision (allowed), durable, p50', 'ms'], decided.p50, {
        reach: `≤ 0.15 ms + one commit (${(0.15 + base).toFixed(3)} ms)`,
        holds: (value) => value <= 0.15 + base,
      }),
      rowOfRounds(
        ['  of it above the commit', 'ms'],
        decided.p50.map((value, index) => value - (commit[index] ?? 0)),
      ),
      rowOfRounds(['full decision (allowed), durable, p99', 'ms'], decided.p99),
      rowOfRounds(['refused at the resolution, durable, p50', 'ms'], denied.p50),
      rowOfRounds(['whole executed call, two durable commits, p50', 'ms'], executed.p50),
      rowOfRounds(
        ['whole executed call, p50 as a multiple of one commit', '×'],
        executed.p50.map((value, index) => value / (commit[index] ?? 1)),
      ),
    ],
  };
}

/** What the engine itself takes of a full decision when nothing else runs between its calls. */
function cedarTimes(bench: BenchGateway, round: number): readonly number[] {
  return Array.from({ length: calls }, (_unused, index) => {
    const start = performance.now();
    const { effect } = bench.ask(`Invoice ${round} ${index}`);
    if (effect !== 'permit') throw new Error(`the policy said ${effect}`);
    return performance.now() - start;
  });
}

interface Rounds {
  readonly p50: number[];
  readonly p99: number[];
  readonly meanMs: number[];
}

const noRounds = (): Rounds => ({ p50: [], p99: [], meanMs: [] });

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

interface RoundTimes {
  /** From the proposal to its answer. */
  readonly whole: readonly number[];
  /** From the proposal to its committed intent; means nothing for a refused one. */
  readonly decided: readonly number[];
}

async function oneRound(bench: BenchGateway, call: Call): Promise<RoundTimes> {
  const whole: number[] = [];
  const decided: number[] = [];
  for (let index = 0; index < calls; index += 1) {
    const start = performance.now();
    const outcome = await call(bench, index);
    whole.push(performance.now() - start);
    decided.push(bench.sentAt() - start);
    if (outcome !== expected.get(call)) throw new Error(`a call was ${outcome}`);
  }
  return { whole, decided };
}
