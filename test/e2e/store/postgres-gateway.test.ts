// The built product on PostgreSQL: refused before the migration, then two gateways on one store.
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyBundle } from '../../../src/receipts/verify.ts';
import { createDatabase, skipReason, type TestDatabase } from '../../fixtures/postgres/database.ts';
import { codeOf, World } from '../../fixtures/product/world.ts';
import { vendorIban } from '../../fixtures/product/world-files.ts';
import type { RawClient } from '../../fixtures/raw-client.ts';
import { verifies } from '../../requirements/verifies.ts';

describe.skipIf(skipReason !== undefined)('gateways on PostgreSQL', { timeout: 90_000 }, () => {
  let database: TestDatabase;
  let world: World;
  beforeEach(async () => {
    database = await createDatabase();
    world = new World({
      gateway: `[gateway]\nname = "staged-world"\ndata = "data"\nstore = "${database.url}"`,
      mandate: '[mandate]\nprincipal = "maya"\nbudget = 10_000',
    });
  });
  afterEach(async () => {
    await world.discard();
    await database.drop();
  });

  verifies('EXE-33', 'start only on tables that a command made', async () => {
    const early = await world.runHere(['receipts', 'show']);
    expect(early.code).toBe(3);
    expect(early.stderr).toContain('run: intentplane store migrate --config FILE');
    const unready = await world.runHere(['store', 'check']);
    expect(unready.code).toBe(3);

    const migrated = await world.runHere(['store', 'migrate', '--json']);
    expect(migrated.json).toMatchObject({ ok: true, from: 0 });
    expect(migrated.json.applied).toHaveLength(migrated.json.to);
    const again = await world.runHere(['store', 'migrate']);
    expect(again.stdout).toBe(`nothing to do: the tables have version ${migrated.json.to}\n`);
    const checked = await world.runHere(['store', 'check', '--json']);
    expect(checked.json).toMatchObject({ ok: true, kind: 'postgres', fsync: 'on', size: 0 });
    expect((await world.runHere(['store', 'check'])).stdout).toContain('0 leaves, root');
  });

  verifies(['EXE-18', 'RCP-11'], 'share one budget and one log', async () => {
    await world.runHere(['store', 'migrate']);
    const clients = [await world.start(), await world.start()] as const;
    const pay = (client: RawClient, note: string) =>
      client.callTool('pay', { recipient: vendorIban, amount: 40, note }, 30_000);
    const answers = await Promise.all(
      clients.flatMap((client, i) => [pay(client, `${i} a`), pay(client, `${i} b`)]),
    );
    expect(answers.map(codeOf).toSorted()).toEqual([
      ...['BUDGET_AMOUNT', 'BUDGET_AMOUNT', 'executed', 'executed'],
    ]);
    expect(world.effects()).toHaveLength(2);
    for (const client of clients) await client.close();
    const receipts = await world.receipts();
    expect(receipts.map(({ seq }) => seq)).toEqual(receipts.map((_unused, index) => index));
    const outcome = receipts.find(({ type }) => type === 'outcome');
    const [folder, trustFile] = [world.path('bundles'), world.path('trust.txt')];
    await world.runHere(['receipts', 'export', '--op', outcome?.op_id ?? '', '--out', folder]);
    await world.runHere(['receipts', 'export', '--trust', '--out', trustFile]);
    const trust = readFileSync(trustFile, 'utf8');
    const files = readdirSync(folder);
    expect(files).toHaveLength(4);
    for (const file of files) {
      const report = await verifyBundle(readFileSync(`${folder}/${file}`, 'utf8'), { trust });
      expect(report.verdict, file).toBe('valid');
    }
  });

  it('a SQLite store says that it needs no migration', async () => {
    world.configure({});
    const migrated = await world.runHere(['store', 'migrate']);
    expect(migrated).toMatchObject({
      code: 0,
      stdout: 'nothing to do: a SQLite store migrates by itself when a gateway starts\n',
    });
    const checked = await world.runHere(['store', 'check', '--json']);
    expect(checked.json).toMatchObject({ ok: true, kind: 'sqlite', size: 1 });
  });
});
