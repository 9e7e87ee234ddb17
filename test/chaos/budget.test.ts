// The short form of `npm run chaos -- budget`; the long one has its own command.
import { describe, expect, it } from 'vitest';
import { skipReason } from '../fixtures/postgres/database.ts';
import { verifies } from '../requirements/verifies.ts';
import { budgetLoad } from './budget-load.ts';

const operations = 20_000;
const seed = 20_261_130;

describe('64 callers on one hot budget', { timeout: 600_000 }, () => {
  verifies(
    ['EXE-18', 'EXE-19', 'EXE-22'],
    'SQLite: never above the limit, used up exactly, one counter to everybody',
    async () => {
      const report = await budgetLoad({ kind: 'sqlite', operations, seed });
      expect(report).toMatchObject({ ok: true, problems: [] });
      expect(report.proposals).toBeGreaterThan(operations);
    },
  );

  describe.skipIf(skipReason !== undefined)('over four connections', () => {
    verifies(
      ['EXE-18', 'EXE-19', 'EXE-22'],
      'PostgreSQL: never above the limit, used up exactly, one counter to everybody',
      async () => {
        const report = await budgetLoad({ kind: 'postgres', operations, seed });
        expect(report).toMatchObject({ ok: true, problems: [] });
        expect(report.proposals).toBeGreaterThan(operations);
      },
    );
  });

  it('is judged by what the target counted', async () => {
    const { ok, problems } = await budgetLoad({
      kind: 'sqlite',
      operations: 200,
      seed,
      meddle: (found) => ({ ...found, effects: found.effects + 1 }),
    });
    expect(ok).toBe(false);
    expect(problems.join()).toMatch(/spent \d+, the effects are \d+/);
  });
});
