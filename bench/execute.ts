// From the proposal to the receipt of its outcome, with a connector that answers at once.
import { rmSync } from 'node:fs';
import { inFlight } from './in-flight.ts';
import { createBenchGateway, ibanOf } from './in-process.ts';
import { type BenchReport, rowOfRounds } from './report.ts';

const rounds = 5;
const warmUp = 1_000;
const bars: readonly (readonly [workers: number, perSecond: number | undefined])[] = [
  [1, 2_500],
  [16, undefined],
  [64, 10_000],
];

export async function run(): Promise<BenchReport> {
  const bench = await createBenchGateway({ store: 'sqlite:store.db', records: 10_000 });
  let serial = 0;
  const one = async (): Promise<void> => {
    serial += 1;
    const answer = await bench.pay(ibanOf(serial % 10_000), 10, `Invoice ${serial}`);
    if (answer.kind !== 'executed') throw new Error(`a call was ${answer.kind}`);
  };
  await inFlight(warmUp, 16, one);
  const rates = new Map<number, number[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [workers] of bars) {
      const rate = await inFlight(1_000 * Math.min(4, workers), workers, one);
      rates.set(workers, [...(rates.get(workers) ?? []), rate]);
    }
  }
  await bench.store.close();
  rmSync(bench.folder, { recursive: true, force: true });
  return {
    rows: bars.map(([workers, perSecond]) =>
      rowOfRounds(
        [`executed, SQLite, ${workers} in flight`, '/s'],
        rates.get(workers) ?? [],
        perSecond === undefined
          ? undefined
          : { reach: `≥ ${perSecond}/s`, holds: (value) => value >= perSecond },
      ),
    ),
    notes: ['ten policies, 10,000 records, two durable commits a call'],
  };
}
