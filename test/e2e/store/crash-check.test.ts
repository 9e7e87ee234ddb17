// What a start looks at after a process was killed, and what it says about a store that is not whole.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkAfterCrash } from '../../../src/server/check-after-crash.ts';
import { fsckStore } from '../../../src/server/fsck-store.ts';
import { findFileFault } from '../../../src/stores/sqlite/find-file-fault.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import type { StoreSettings } from '../../../src/stores/store.ts';
import { OpenedStore } from '../../../src/testing/opened-store.ts';
import { aReport } from '../../../src/testing/store-builders.ts';
import { codeOf, World } from '../../fixtures/product/world.ts';
import { vendorIban } from '../../fixtures/product/world-files.ts';
import { verifies } from '../../requirements/verifies.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crash-check-'));
  path = join(folder, 'store.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function pay(opened: OpenedStore, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    const draft = opened.proposal();
    await opened.decide(draft);
    await opened.store.finish(aReport(draft));
  }
}

/** Ten payments before the last signature, two after it. */
async function fill(): Promise<OpenedStore> {
  const opened = await OpenedStore.open({
    isDurable: true,
    open: (settings: StoreSettings) => openSqliteStore(path, settings),
    remove: () => {},
  });
  await pay(opened, 10);
  await opened.store.checkpoint((size) => `note ${size}`);
  await pay(opened, 2);
  await opened.store.close();
  return opened;
}

function tamper(sql: string): void {
  const database = new DatabaseSync(path);
  database.exec('DROP TRIGGER IF EXISTS leaf_stays; DROP TRIGGER IF EXISTS leaf_remains');
  database.exec(sql);
  database.close();
}

async function refusalOf({ settings }: OpenedStore): Promise<string> {
  const store = openSqliteStore(path, settings);
  try {
    await checkAfterCrash(store);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await store.close();
  }
}

describe('checkAfterCrash', () => {
  verifies('EXE-29', 'reads only what came after the last signature', async () => {
    const opened = await fill();
    expect(await refusalOf(opened)).toBe('none');
    const store = openSqliteStore(path, opened.settings);
    const last = await store.readLastCheckpoint();
    const since = await fsckStore(store, undefined, last);
    expect(since).toMatchObject({ leaves: 8, operations: 2, checkpoints: 1, faults: [] });
    expect(await fsckStore(store)).toMatchObject({ leaves: 50, operations: 12, faults: [] });
    await store.close();
  });

  verifies(
    'EXE-29',
    'names what is wrong behind it: leaf, state, budget, missing leaf',
    async () => {
      for (const [sql, words] of [
        [`UPDATE leaf SET bytes = x'7b7d' WHERE seq = 45`, 'leaf 45 has other bytes'],
        [`DELETE FROM leaf WHERE seq = 47`, '47'],
        [
          `UPDATE operation SET state = 'FAILED' WHERE n = 46`,
          'is FAILED, its last leaf says SUCCEEDED',
        ],
        ['UPDATE budget SET spent = spent + 1', 'its entries'],
        [`DELETE FROM payload WHERE seq = 46`, 'is gone and no redaction names it'],
        [
          `UPDATE leaf SET hash = zeroblob(32) WHERE seq = 3`,
          'its first 42 leaves have another root',
        ],
      ] as const) {
        rmSync(path, { force: true });
        const opened = await fill();
        tamper(sql);
        expect(await refusalOf(opened), sql).toContain(words);
      }
    },
  );

  it('without a signature it reads everything', async () => {
    const opened = await fill();
    tamper("DELETE FROM checkpoint; UPDATE leaf SET bytes = x'7b7d' WHERE seq = 3");
    expect(await refusalOf(opened)).toContain('leaf 3 has other bytes');
  });

  verifies('EXE-29', 'finds damaged pages; a quick look leaves a large file alone', async () => {
    const opened = await fill();
    const page = 4_096;
    const bytes = new DatabaseSync(path);
    const { rootpage } = bytes
      .prepare(`SELECT rootpage FROM sqlite_master WHERE name = 'mandate'`)
      .get() as { rootpage: number };
    bytes.close();
    const file = await import('node:fs/promises').then((fs) => fs.open(path, 'r+'));
    await file.write(Buffer.alloc(page, 0x5a), 0, page, (rootpage - 1) * page);
    await file.close();
    expect(await refusalOf(opened)).toContain('the database file is damaged');
    const database = new DatabaseSync(path);
    expect(findFileFault(database, 'quick')).toBeDefined();
    expect(findFileFault(database, 'quick', 1_000)).toBeUndefined();
    expect(findFileFault(database, 'full')).toBeDefined();
    database.close();
  });
});

describe('the start after a killed gateway', () => {
  verifies(
    ['EXE-29', 'RCP-21'],
    'is refused as long as the store is not whole; fsck says why',
    { timeout: 90_000 },
    async () => {
      const world = new World();
      try {
        // A gateway that ends signs what it wrote.
        await (await world.start()).close();
        const client = await world.start();
        const args = { recipient: vendorIban, amount: 5 };
        expect(codeOf(await client.callTool('pay', args))).toBe('executed');
        client.kill('SIGKILL');
        await client.exited;
        const database = new DatabaseSync(world.path('data/store.db'));
        const { seq } = database.prepare(`SELECT max(seq) AS seq FROM leaf`).get() as {
          seq: number;
        };
        // As if the last signature had not come any more.
        database.exec(`DELETE FROM checkpoint WHERE size > ${seq - 1}; DROP TRIGGER leaf_stays`);
        const saved = database.prepare('SELECT bytes FROM leaf WHERE seq = ?').get(seq);
        database.exec(`UPDATE leaf SET bytes = x'7b7d' WHERE seq = ${seq}`);
        for (const _try of [1, 2]) {
          const refused = await world.runHere(['receipts', 'show']);
          expect(refused.code).toBe(3);
          expect(refused.stderr).toContain(`leaf ${seq} has other bytes than its hash`);
        }
        const since = await world.runHere(['fsck', '--since', 'last', '--json']);
        expect(since).toMatchObject({ code: 1, json: { first_bad_seq: seq } });
        const whole = database.prepare('UPDATE leaf SET bytes = ? WHERE seq = ?');
        whole.run((saved as { bytes: Uint8Array }).bytes, seq);
        database.close();
        expect((await world.runHere(['receipts', 'show'])).code).toBe(0);

        const note = await world.runHere([
          'receipts',
          'export',
          '--json',
          '--op',
          await anOperation(world),
        ]);
        const file = world.write('checkpoint.txt', note.json.checkpoint);
        const after = await world.runHere(['fsck', '--since', file, '--json']);
        expect(after).toMatchObject({ code: 0, json: { ok: true, leaves: 0 } });
        writeFileSync(file, 'no note');
        for (const bad of [file, world.path('missing')]) {
          expect((await world.runHere(['fsck', '--since', bad])).code).toBe(2);
        }
      } finally {
        await world.discard();
      }
    },
  );
});

async function anOperation(world: World): Promise<string> {
  const found = (await world.receipts()).find(({ op_id: opId }) => opId !== undefined);
  return found?.op_id ?? '';
}
