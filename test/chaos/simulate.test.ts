// The short form of `npm run simulate`, and whether it would notice.
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements/verifies.ts';
import { plantedFaults } from '../simulator/planted-faults.ts';
import { findSeed, runSeeds } from '../simulator/run-seeds.ts';

const seeds = 10_000;
/** Histories in which a planted fault must show. */
const noticedIn = { byAnything: 1_000, byItsRule: 2_000 } as const;
// About a minute on a free machine; a busy one is no failure.
const timeout = 3_600_000;

describe('the simulator', () => {
  verifies(
    ['EXE-01', 'EXE-02', 'EXE-03', 'EXE-05', 'EXE-08', 'EXE-14', 'EXE-19', 'EXE-28', 'EXE-30'],
    'ten thousand histories: every rule holds, and the reference gateway agrees at each step',
    { timeout },
    async () => {
      const report = await runSeeds({ from: 0, count: seeds });
      expect(report.failures).toEqual([]);
      expect(report.histories).toBeGreaterThanOrEqual(seeds);
      expect(report.totals.operations).toBeGreaterThan(seeds);
      expect(report.totals.unknown).toBeGreaterThan(seeds / 10);
    },
  );
});

describe('the simulator notices', () => {
  for (const fault of plantedFaults) {
    it(fault.name, { timeout }, async () => {
      const { from = 0 } = fault;
      const any = { from, count: noticedIn.byAnything };
      expect(await findSeed(fault, any, () => true)).toBeDefined();
      const own = { from, count: noticedIn.byItsRule };
      expect(await findSeed(fault, own, (problem) => fault.finds.test(problem))).toBeDefined();
    });
  }
});
