import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  administer,
  createDatabase,
  skipReason,
  type TestDatabase,
} from '../../../test/fixtures/postgres/database.ts';
import { verifies } from '../../../test/requirements/verifies.ts';
import { OpenedStore } from '../../testing/opened-store.ts';
import { aStoreSettings } from '../../testing/store-builders.ts';
import type { Store, StoreSettings } from '../store.ts';
import { inspectDatabase, migrateDatabase } from './admin.ts';
import { schemaVersion } from './migrate.ts';
import { openPostgresStore } from './postgres-store.ts';

const allMigrations = readdirSync(new URL('./migrations/', import.meta.url)).toSorted();

describe.skipIf(skipReason !== undefined)('tables of a PostgreSQL store', () => {
  let database: TestDatabase;
  const stores: Store[] = [];
  beforeEach(async () => {
    database = await createDatabase();
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await database.drop();
  });
  const open = (settings: StoreSettings): Store => {
    const store = openPostgresStore(database.url, settings);
    stores.push(store);
    return store;
  };
  const nowMs = 1_800_000_000_000;
  const start = () => open(aStoreSettings({ nowMs })).start();
  const setVersion = (version: number) =>
    administer(database.url, `UPDATE intentplane.schema_version SET version = ${version}`);

  verifies('EXE-33', 'are made by command, once, also by two at the same time', async () => {
    await expect(start()).rejects.toMatchObject({
      code: 'STORE_OLDER',
      message: 'the database has no tables yet: run: intentplane store migrate --config FILE',
    });
    const two = [
      migrateDatabase(database.url, { nowMs }),
      migrateDatabase(database.url, { nowMs }),
    ];
    const reports = await Promise.all(two);
    expect(reports.map(({ applied }) => applied).toSorted()).toEqual([[], allMigrations]);
    expect(await start()).toMatchObject({ logSize: 1, orphans: [] });
    expect(await inspectDatabase(database.url)).toMatchObject({
      kind: 'postgres',
      schema: schemaVersion,
      settings: { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' },
      size: 1,
    });
  });

  verifies('EXE-33', 'of a newer version are left alone, also while a gateway runs', async () => {
    await migrateDatabase(database.url, { nowMs });
    const place = { isDurable: true, open, remove() {} };
    const running = await OpenedStore.open(place);
    await setVersion(99);
    const newer = { code: 'STORE_NEWER', fatal: true };
    await expect(running.decide(running.proposal())).rejects.toMatchObject(newer);
    await expect(start()).rejects.toMatchObject(newer);
    await expect(migrateDatabase(database.url, { nowMs })).rejects.toMatchObject(newer);
    await expect(inspectDatabase(database.url)).rejects.toMatchObject(newer);
  });

  verifies('EXE-33', 'are made in a schema that an administrator prepared', async () => {
    await administer(
      database.url,
      `CREATE SCHEMA intentplane; DROP ROLE IF EXISTS gateway; CREATE ROLE gateway LOGIN;
       ALTER SCHEMA intentplane OWNER TO gateway`,
    );
    const url = database.url.replace('postgres@', 'gateway@');
    expect(await migrateDatabase(url, { nowMs })).toEqual({
      from: 0,
      to: schemaVersion,
      applied: allMigrations,
    });
  });

  it('that are gone or broken stop the store', async () => {
    await migrateDatabase(database.url, { nowMs });
    const running = await OpenedStore.open({ isDurable: true, open, remove() {} });
    await administer(database.url, 'DROP TABLE intentplane.budget_entry');
    await expect(running.decide(running.proposal())).rejects.toMatchObject({
      code: 'STORE_FAILED',
      fatal: true,
    });
  });
});
