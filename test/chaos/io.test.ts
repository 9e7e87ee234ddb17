// The short form of `npm run chaos -- io`; the long one is run by hand.
import { appendFileSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect } from 'vitest';
import type { World } from '../fixtures/product/world.ts';
import { verifies } from '../requirements/verifies.ts';
import { noTraceReason } from './io/traced-gateway.ts';
import { type IoReport, ioLoop } from './io-loop.ts';

const seed = 20_261_130;

describe('a disk that fails at any position', () => {
  verifies(
    ['EXE-26', 'EXE-31', 'RCP-03'],
    'no effect without a receipt, refusals in words, an end after a failing sync, a recovery',
    { timeout: 1_200_000 },
    async ({ skip }) => {
      if (noTraceReason() !== undefined) skip(noTraceReason());
      const report = await ioLoop({ injections: 50, seed });
      expect(report).toMatchObject({ ok: true, injections: 50, problems: [] });
      expect(report.stopped).toBeGreaterThan(0);
      expect(report.wentOn).toBeGreaterThan(0);
      expect(report.answers).toMatchObject({ executed: expect.any(Number) });
      const failed = Object.keys(report.failedCalls).join('\n');
      for (const kind of ['fsync EIO store.db-wal', 'pwrite64 ENOSPC', 'pwrite64 EIO', 'guard']) {
        expect(failed).toContain(kind);
      }
    },
  );
});

describe('the judgement', { timeout: 300_000 }, () => {
  const meddled = (meddle: (world: World) => void): Promise<IoReport> =>
    ioLoop({ injections: 1, seed, meddle, isInjectionOnly: true });

  verifies('EXE-26', 'notices effects of which the store knows nothing', async ({ skip }) => {
    if (noTraceReason() !== undefined) skip(noTraceReason());
    const report = await meddled(({ effectsFile }) => {
      const [first = ''] = readFileSync(effectsFile, 'utf8').split('\n');
      appendFileSync(effectsFile, `${first.replace(/"note":"[^"]*"/, '"note":"stray"')}\n`);
    });
    expect(report.ok).toBe(false);
    expect(report.problems).toContain('stray happened, is not recorded');
  });

  verifies('EXE-26', 'notices receipts that a failing disk took', async ({ skip }) => {
    if (noTraceReason() !== undefined) skip(noTraceReason());
    const report = await meddled((world) => {
      const database = new DatabaseSync(world.path('data/store.db'));
      database.exec('DROP TRIGGER leaf_remains; DELETE FROM leaf WHERE seq = 5');
      database.close();
    });
    expect(report.ok).toBe(false);
    expect(report.problems.join('\n')).toContain('LEAF_MISSING');
  });
});
