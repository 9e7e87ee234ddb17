import { describe, expect } from 'vitest';
import { base, configOf, problemsOf } from '../../test/fixtures/config-file.ts';
import { verifies } from '../../test/requirements/verifies.ts';

const text = (lines: string): string => `${base}[[log.retention]]\n${lines}\n`;

describe('[[log.retention]]', () => {
  verifies('RCP-26', 'takes rules in their order, and none when there is no table', () => {
    expect(configOf(base).retention).toEqual([]);
    const two = `${text('action = "payment.*"\ntypes = ["outcome"]\nkeep = "400d"')}[[log.retention]]\nkeep = "184d"\n`;
    expect(configOf(two).retention).toEqual([
      { action: 'payment.*', types: ['outcome'], keepMs: 34_560_000_000 },
      { action: '*', types: [], keepMs: 15_897_600_000 },
    ]);
  });

  verifies('RCP-26', 'refuses a time below six months, and names the floor', () => {
    for (const keep of ['183d', '24h', '15897599s']) {
      expect(problemsOf(text(`keep = "${keep}"`))).toEqual([
        '7 log.retention[0].keep: must be at least 184d: receipts are kept for six months or longer',
      ]);
    }
  });

  verifies('RCP-26', 'refuses patterns and types that could fit nothing', () => {
    for (const action of ['', 'a*b', '*.send', '**']) {
      expect(problemsOf(text(`action = "${action}"\nkeep = "200d"`)), action).toEqual([
        '7 log.retention[0].action: must be the name of an action, or its beginning and `*`, e.g. `payment.*`',
      ]);
    }
    expect(problemsOf(text('types = ["outcomes"]\nkeep = "200d"'))).toEqual([
      '7 log.retention[0].types: names no type of receipt: `outcomes`',
    ]);
  });
});
