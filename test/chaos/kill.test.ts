// The short form of `npm run chaos -- kill`; the long one is run by hand.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { World } from '../fixtures/product/world.ts';
import { verifies } from '../requirements/verifies.ts';
import { killPointNames } from './kill/kill-points.ts';
import type { Death } from './kill/victim.ts';
import { isStartFast, type KillReport, killLoop, neverPassed } from './kill-loop.ts';

const kills = 300;
const seed = 20_261_130;

describe('kill -9 at any moment and at every named point', () => {
  verifies(
    ['EXE-08', 'EXE-28', 'RCP-02', 'RCP-13', 'RCP-03'],
    'nothing twice, nothing lost, every sum right, the log whole',
    { timeout: 1_200_000 },
    async ({ annotate }) => {
      const report = await killLoop({ kills, seed });
      expect(report).toMatchObject({ ok: true, kills, doubled: [], problems: [] });
      expect(report.operations).toBeGreaterThan(kills);
      expect(report.unknown).toBeGreaterThan(0);
      expect(report.receipts).toBeGreaterThan(0);
      for (const point of killPointNames) expect(report.points[point], point).toBeGreaterThan(0);
      // Said, not asserted: the machine may be busy.
      await annotate(`slowest start: ${report.slowestStartS.toFixed(2)} s`);
    },
  );
});

describe('the judgement', { timeout: 300_000 }, () => {
  // It dies when it has just recorded some payments.
  const deaths: readonly Death[] = [{ kind: 'point', point: 'finish.after', at: 7 }];
  const meddled = (meddle: (world: World) => void): Promise<KillReport> =>
    killLoop({ kills: deaths.length, seed, deaths, meddle });
  const sql = (world: World, text: string): void => {
    const database = new DatabaseSync(world.path('data/store.db'));
    database.exec(`DROP TRIGGER leaf_stays; DROP TRIGGER leaf_remains; ${text}`);
    database.close();
  };

  it('notices an effect that happened twice', async () => {
    const report = await meddled(({ effectsFile }) =>
      appendFileSync(effectsFile, readFileSync(effectsFile)),
    );
    expect(report.ok).toBe(false);
    expect(report.doubled.length).toBeGreaterThan(0);
  });

  it('notices an effect that never happened', async () => {
    const report = await meddled(({ effectsFile }) => writeFileSync(effectsFile, ''));
    expect(report.ok).toBe(false);
    expect(report.problems.join('\n')).toMatch(/n\d+ never happened/);
  });

  it('notices states and sums that do not fit', async () => {
    const report = await meddled((world) =>
      sql(world, `UPDATE operation SET state = 'FAILED' WHERE state = 'SUCCEEDED'`),
    );
    expect(report.ok).toBe(false);
    expect(report.problems.join('\n')).toMatch(/happened, is FAILED/);
    expect(report.problems.join('\n')).toMatch(/was answered, is FAILED/);
    expect(report.problems.join('\n')).toMatch(/STATE_MISMATCH/);
  });

  it('notices receipts that no longer prove anything', async () => {
    const report = await meddled((world) =>
      sql(
        world,
        `UPDATE leaf SET bytes = cast(replace(cast(bytes AS TEXT), '"v":1', '"v":1 ') AS BLOB)`,
      ),
    );
    expect(report.ok).toBe(false);
    expect(report.receipts).toBeGreaterThan(0);
    expect(report.problems.join('\n')).toMatch(/a receipt of [0-9a-f]+ is invalid/);
    expect(report.problems.join('\n')).toMatch(/LEAF_CHANGED/);
  });

  it('notices a start that takes too long', () => {
    expect(isStartFast({ slowestStartS: 4.99 })).toBe(true);
    expect(isStartFast({ slowestStartS: 5 })).toBe(false);
  });

  it('notices a point at which no process died', () => {
    const killed = killPointNames.slice(1).map((point) => ({ point, startMs: 1, problems: [] }));
    expect(neverPassed(killed)).toEqual(['no process ever died at start.before']);
  });
});
