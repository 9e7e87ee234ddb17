// Every kind of change that SQL can make to a store behind the gateway's back, and what `fsck` says.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoreFault } from '../../../src/receipts/log-check.ts';
import { fsckStore } from '../../../src/server/fsck-store.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import { OpenedStore } from '../../../src/testing/opened-store.ts';
import { aReport } from '../../../src/testing/store-builders.ts';
import { verifies } from '../../requirements/verifies.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fsck-'));
  path = join(folder, 'store.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A store with executed, unknown and waiting operations, signed twice. */
async function fill(payments = 3): Promise<OpenedStore> {
  const place = {
    isDurable: true,
    open: (settings: Parameters<typeof openSqliteStore>[1]) => openSqliteStore(path, settings),
    remove: () => {},
  };
  const opened = await OpenedStore.open(place);
  for (let count = 0; count < payments; count += 1) {
    const draft = opened.proposal();
    await opened.decide(draft);
    await opened.store.finish(aReport(draft));
  }
  await opened.store.checkpoint((size) => `note ${size}`);
  const unknown = opened.proposal();
  await opened.decide(unknown);
  await opened.store.finish(aReport(unknown, { class: 'AMBIGUOUS', result: undefined }));
  await opened.grant(opened.proposal());
  await opened.store.checkpoint((size) => `note ${size}`);
  await opened.store.close();
  return opened;
}

/** Changes the file as somebody does who knows the schema. */
function tamper(sql: string): void {
  const database = new DatabaseSync(path);
  database.exec('DROP TRIGGER IF EXISTS leaf_stays; DROP TRIGGER IF EXISTS leaf_remains');
  database.exec(sql);
  database.close();
}

async function faults({ settings }: OpenedStore): Promise<readonly StoreFault[]> {
  const store = openSqliteStore(path, settings);
  try {
    return (await fsckStore(store)).faults;
  } finally {
    await store.close();
  }
}

const codes = (list: readonly StoreFault[]): readonly string[] => [
  ...new Set(list.map(({ code }) => code)),
];

describe('fsckStore', () => {
  verifies('RCP-21', 'a store that nobody touched is whole', async () => {
    const opened = await fill();
    const store = openSqliteStore(path, opened.settings);
    const result = await fsckStore(store);
    await store.close();
    expect(result).toMatchObject({ operations: 5, budgets: 2, checkpoints: 2, faults: [] });
    expect(result.leaves).toBeGreaterThan(20);
  });

  const changes: readonly (readonly [what: string, sql: string, code: string, seq?: number])[] = [
    [
      'a byte of a leaf',
      `UPDATE leaf SET bytes = cast(replace(cast(bytes AS TEXT), 'allow', 'ALLOW') AS BLOB) WHERE seq = 3`,
      'LEAF_CHANGED',
      3,
    ],
    [
      'a leaf with its hash',
      `UPDATE leaf SET bytes = (SELECT bytes FROM leaf WHERE seq = 2), hash = (SELECT hash FROM leaf WHERE seq = 2) WHERE seq = 3`,
      'CHECKPOINT_MISMATCH',
    ],
    ['a deleted leaf', 'DELETE FROM leaf WHERE seq = 5', 'LEAF_MISSING', 5],
    [
      'two leaves in each other’s place',
      `UPDATE leaf SET seq = -seq WHERE seq IN (4, 5); UPDATE leaf SET seq = 9 + seq WHERE seq < 0`,
      'LEAF_OUT_OF_ORDER',
      4,
    ],
    [
      'another value behind a commitment',
      `UPDATE payload SET fields = replace(fields, 'A', 'B')`,
      'COMMITMENT_MISMATCH',
    ],
    [
      'a state',
      `UPDATE operation SET state = 'SUCCEEDED' WHERE state = 'UNKNOWN'`,
      'STATE_MISMATCH',
    ],
    [
      'an approval that can be used again',
      `UPDATE approval SET state = 'GRANTED', ended_ms = NULL WHERE state = 'CONSUMED'`,
      'STATE_MISMATCH',
    ],
    ['a deleted operation', `DELETE FROM operation WHERE state = 'UNKNOWN'`, 'STATE_MISMATCH'],
    [
      'money that comes back',
      `UPDATE budget SET spent = spent - 10 WHERE kind = 'amount'`,
      'BUDGET_MISMATCH',
    ],
    [
      'a budget entry',
      `DELETE FROM budget_entry WHERE operation = (SELECT min(operation) FROM budget_entry)`,
      'BUDGET_MISMATCH',
    ],
    ['the root of the state', 'UPDATE log_state SET root = zeroblob(32)', 'ROOT_MISMATCH'],
    ['a signed root', 'UPDATE checkpoint SET root = zeroblob(32)', 'CHECKPOINT_MISMATCH'],
  ];
  for (const [what, sql, code, seq] of changes) {
    verifies('RCP-21', `${what} is found`, async () => {
      const opened = await fill();
      tamper(sql);
      const list = await faults(opened);
      expect(codes(list)).toContain(code);
      if (seq !== undefined) expect(list.find((fault) => fault.code === code)?.seq).toBe(seq);
    });
  }

  verifies('RCP-21', 'a hash over many leaves is found', async () => {
    const opened = await fill(70);
    tamper('UPDATE tile SET hash = zeroblob(32)');
    expect((await faults(opened)).map(({ code, seq }) => [code, seq])).toEqual([
      ['TILE_MISMATCH', 0],
    ]);
  });

  verifies('RCP-16', 'an older copy of the file is found by what was signed later', async () => {
    const opened = await fill();
    const database = new DatabaseSync(path);
    const [size] = Object.values(
      database.prepare('SELECT min(size) FROM checkpoint').get() ?? {},
    ) as number[];
    database.close();
    tamper(`DELETE FROM leaf WHERE seq >= ${size}`);
    const list = await faults(opened);
    expect(codes(list)).toEqual(
      expect.arrayContaining(['ROOT_MISMATCH', 'CHECKPOINT_MISMATCH', 'STATE_MISMATCH']),
    );
    expect(list.some(({ words }) => words.includes('its tail was cut'))).toBe(true);
  });

  it('says what is wrong without a value', async () => {
    const opened = await fill();
    tamper(`UPDATE payload SET fields = replace(fields, ':["', ':["secret-word')`);
    const list = await faults(opened);
    expect(codes(list)).toEqual(['COMMITMENT_MISMATCH']);
    expect(JSON.stringify(list)).not.toContain('secret-word');
  });
});
