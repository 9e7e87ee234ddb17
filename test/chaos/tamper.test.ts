// What `npm run chaos -- tamper` runs: every way to change a store behind the gateway's back.
import { describe, expect } from 'vitest';
import { findBinaries } from '../fixtures/postgres/cluster.ts';
import { verifies } from '../requirements/verifies.ts';
import type { TamperCase } from './tamper/tamper-cases.ts';
import { tamperAll } from './tamper-all.ts';

describe('a store that was changed behind the back of its gateway', () => {
  verifies(
    ['RCP-14', 'RCP-16', 'RCP-21', 'RCP-13'],
    'is refused at the start, found by fsck, or proves nothing to an auditor; in words',
    { timeout: 900_000 },
    async () => {
      const report = await tamperAll();
      expect(report).toMatchObject({ ok: true, problems: [] });
      const stores = new Set(report.table.map(({ store }) => store));
      expect([...stores]).toEqual(
        findBinaries() === undefined && process.env['CI'] === undefined
          ? ['sqlite']
          : ['sqlite', 'postgres'],
      );
    },
  );

  verifies(
    'RCP-21',
    'the judgement notices what nobody noticed, and words that do not fit',
    { timeout: 300_000 },
    async () => {
      const harmless: TamperCase = {
        name: 'nothing at all',
        only: 'sqlite',
        tamper: async (store) => {
          await store.sql('SELECT 1');
        },
        place: 'start',
        code: 'LOG_FORKED',
        thing: /./,
      };
      const spoken: TamperCase = {
        name: 'a deleted operation',
        only: 'sqlite',
        tamper: async (store) => {
          await store.sql(`DELETE FROM {operation} WHERE state = 'UNKNOWN'`);
        },
        place: 'fsck',
        code: 'STATE_MISMATCH',
        thing: /is not what it says/,
      };
      const { ok, problems, table } = await tamperAll([harmless, spoken], ['sqlite']);
      expect(ok).toBe(false);
      expect(table.map((row) => [row.ok, row.start, row.verify])).toEqual([
        [false, null, null],
        [false, null, null],
      ]);
      expect(problems).toEqual([
        'nothing at all (sqlite): start says `nothing`',
        expect.stringMatching(/^a deleted operation \(sqlite\): fsck says `operation \w+ is gone/),
      ]);
    },
  );
});
