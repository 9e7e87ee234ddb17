// The short form of `npm run chaos -- postgres`; the long one has its own command.
import { appendFileSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { skipReason } from '../fixtures/postgres/database.ts';
import { verifies } from '../requirements/verifies.ts';
import { postgresLoop } from './postgres-loop.ts';

const breaks = 50;
const seed = 20_261_130;

describe.skipIf(skipReason !== undefined)('a PostgreSQL server that breaks again and again', () => {
  verifies(
    ['EXE-27', 'EXE-34', 'EXE-18'],
    'nothing twice, nothing acknowledged lost, every sum right, the log whole',
    { timeout: 600_000 },
    async () => {
      const report = await postgresLoop({ breaks, seed });
      expect(report).toMatchObject({ ok: true, problems: [] });
      expect(report.operations).toBeGreaterThan(breaks);
      expect(Object.keys(report.kinds).length).toBeGreaterThan(8);
    },
  );

  it('is judged by what was recorded', { timeout: 120_000 }, async () => {
    const { ok, problems } = await postgresLoop({
      breaks: 1,
      seed,
      meddle: async ({ world: { effectsFile }, sql }) => {
        appendFileSync(effectsFile, readFileSync(effectsFile));
        await sql(`UPDATE intentplane.operation SET state = 'FAILED' WHERE state = 'SUCCEEDED'`);
      },
    });
    expect(ok).toBe(false);
    const words = problems.join('\n');
    expect(words).toMatch(/was executed 2 times/);
    expect(words).toMatch(/happened, is FAILED/);
    expect(words).toMatch(/was answered, is FAILED/);
    expect(words).toMatch(/spent \d+, 0 succeeded/);
    expect(words).toMatch(/STATE_MISMATCH/);
  });
});
