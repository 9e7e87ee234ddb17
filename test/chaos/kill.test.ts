// The short form of `npm run chaos -- kill`; the long one has its own command.
import { appendFileSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { World } from '../fixtures/product/world.ts';
import { verifies } from '../requirements/verifies.ts';
import { isStartFast, type KillReport, killLoop } from './kill-loop.ts';

const kills = 20;
const seed = 20_261_130;

describe('kill -9 at any moment', () => {
  verifies(
    ['EXE-08', 'EXE-28', 'RCP-02'],
    'nothing twice, nothing lost, every sum right, the log whole',
    { timeout: 300_000 },
    async () => {
      const report = await killLoop({ kills, seed });
      expect(report).toMatchObject({ ok: true, doubled: [], problems: [] });
      expect(report.operations).toBeGreaterThan(kills);
      expect(report.unknown).toBeGreaterThan(0);
      expect(isStartFast(report)).toBe(true);
    },
  );
});

describe('the judgement', () => {
  const meddled = (meddle: (world: World) => void): Promise<KillReport> =>
    killLoop({ kills: 2, seed, meddle });
  const sql = (world: World, text: string): void => {
    const database = new DatabaseSync(world.path('data/store.db'));
    database.exec(text);
    database.close();
  };

  it('notices an effect that happened twice', { timeout: 120_000 }, async () => {
    const report = await meddled(({ effectsFile }) =>
      appendFileSync(effectsFile, readFileSync(effectsFile)),
    );
    expect(report.ok).toBe(false);
    expect(report.doubled.length).toBeGreaterThan(0);
  });

  it('notices states and sums that do not fit', { timeout: 120_000 }, async () => {
    const report = await meddled((world) =>
      sql(world, `UPDATE operation SET state = 'FAILED' WHERE state = 'SUCCEEDED'`),
    );
    expect(report.ok).toBe(false);
    expect(report.problems.join('\n')).toMatch(/happened, is FAILED/);
    expect(report.problems.join('\n')).toMatch(/was answered, is FAILED/);
    expect(report.problems.join('\n')).toMatch(/STATE_MISMATCH/);
  });
});
