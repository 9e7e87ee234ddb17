// The short form of `npm run chaos -- processes`; the long one has its own command.
import { appendFileSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { skipReason } from '../fixtures/postgres/database.ts';
import { verifies } from '../requirements/verifies.ts';
import { processesLoop } from './processes-loop.ts';

const seconds = 30;
const seed = 20_261_130;

describe('several gateways of which one is killed every second', { timeout: 300_000 }, () => {
  verifies(
    ['RCP-11', 'EXE-25', 'EXE-28'],
    'four on one SQLite file: nothing twice, nothing lost, one log without a gap',
    async () => {
      const report = await processesLoop({ kind: 'sqlite', seconds, seed });
      expect(report).toMatchObject({ ok: true, problems: [] });
      expect(report.kills).toBeGreaterThan(0);
    },
  );

  describe.skipIf(skipReason !== undefined)('on one database', () => {
    verifies(
      ['RCP-11', 'EXE-18', 'EXE-28'],
      'three on one PostgreSQL: nothing twice, nothing lost, one log without a gap',
      async () => {
        const report = await processesLoop({ kind: 'postgres', seconds, seed });
        expect(report).toMatchObject({ ok: true, problems: [] });
        expect(report.kills).toBeGreaterThan(0);
      },
    );
  });

  it('are judged by what was recorded', async () => {
    const { ok, problems } = await processesLoop({
      kind: 'sqlite',
      seconds: 1,
      seed,
      meddle: ({ world: { effectsFile } }) =>
        appendFileSync(effectsFile, readFileSync(effectsFile)),
    });
    expect(ok).toBe(false);
    expect(problems.join()).toMatch(/was executed 2 times/);
  });
});
