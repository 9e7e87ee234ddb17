import { describe, expect, it } from 'vitest';
import { eventKinds } from './event-kinds.ts';
import { keptSeeds } from './kept-seeds.ts';
import { runHistory } from './run-history.ts';

const seedsFrom = (from: number, length: number): readonly number[] =>
  Array.from({ length }, (_, index) => from + index);
const seeds = seedsFrom(1_000, 40);

describe('runHistory', () => {
  it('gives the same history for the same seed, line for line', async () => {
    for (const seed of seeds) expect(await runHistory(seed)).toEqual(await runHistory(seed));
  });

  it('gives other histories for other seeds', async () => {
    const texts = await Promise.all(
      seeds.map(async (seed) => (await runHistory(seed)).trace.join('\n')),
    );
    expect(new Set(texts).size).toBe(seeds.length);
  });

  it('lets every kind of event and of fault happen', async () => {
    const lines = new Set<string>();
    for (const seed of seedsFrom(1_000, 200)) {
      for (const line of (await runHistory(seed)).trace) lines.add(line.replace(/^p\d+ /, ''));
    }
    const missing = eventKinds.filter(({ name }) => !lines.has(`* ${name}`));
    expect(missing).toEqual([]);
    const faults = [
      'busy',
      'full',
      'fsync failed',
      'uncertain, written',
      'uncertain, lost',
      'crash before commit',
      'crash after commit',
    ];
    expect(faults.filter((fault) => !lines.has(`fault: ${fault}`))).toEqual([]);
    expect([...lines].some((line) => /^lost [1-9]/.test(line))).toBe(true);
  });

  for (const { seed, showed } of keptSeeds) {
    it(`seed ${seed}: ${showed}`, async () => {
      expect((await runHistory(seed)).problems).toEqual([]);
    });
  }
});
