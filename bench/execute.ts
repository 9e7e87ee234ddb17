// From the proposal to the receipt of its outcome, with a connector that answers at once.
import { rmSync } from 'node:fs';
import { createBenchGateway, ibanOf } from './in-process.ts';
import { type BenchReport, rowOfRounds } from './report.ts';

const rounds = 5;
const warmUp = 1_000;
const bars: readonly (readonly [inFlight: number, perSecond: number | undefined])[] = [
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
  const many = async (count: number, inFlight: number): Promise<number> => {
    let left = count;
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await one();
      }
    };
    const start = performance.now();
    await Promise.all(Array.from({ length: inFlight }, worker));
    return (count / (performance.now() - start)) * 1_000;
  };
  await many(warmUp, 16);
  const rates = new Map<number, number[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [inFlight] of bars) {
      const rate = await many(1_000 * Math.min(4, inFlight), inFlight);
      rates.set(inFlight, [...(rates.get(inFlight) ?? []), rate]);
    }
  }
  await bench.store.close();
  rmSync(bench.folder, { recursive: true, force: true });
  return {
    rows: bars.map(([inFlight, perSecond]) =>
      rowOfRounds(
        [`executed, SQLite, ${inFlight} in flight`, '/s'],
        rates.get(inFlight) ?? [],
        perSecond === undefined
          ? undefined
          : { reach: `≥ ${perSecond}/s`, holds: (value) => value >= perSecond },
      ),
    ),
    notes: ['ten policies, 10,000 records, two durable commits a call'],
  };
}
