// The whole conformance suite of a store, with PgBouncer in transaction mode in between.
import { afterAll, beforeAll, describe } from 'vitest';
import { migrateDatabase } from '../../../src/stores/postgres/admin.ts';
import { openPostgresStore } from '../../../src/stores/postgres/postgres-store.ts';
import { testStore } from '../../../src/testing/store-conformance.ts';
import {
  createDatabase,
  emptyTables,
  skipReason,
  type TestDatabase,
} from '../../fixtures/postgres/database.ts';
import { Pooler, poolerSkipReason } from '../../fixtures/postgres/pooler.ts';

const reason = skipReason ?? poolerSkipReason;

describe.skipIf(reason !== undefined)(`behind PgBouncer (${reason ?? 'found'})`, () => {
  let database: TestDatabase;
  let pooler: Pooler;
  beforeAll(async () => {
    database = await createDatabase();
    pooler = await Pooler.start(database.port);
    await migrateDatabase(pooler.url(database.url), { nowMs: 0 });
  });
  afterAll(async () => {
    await pooler.stop();
    await database.drop();
  });

  testStore('PostgreSQL store', () => ({
    isDurable: true,
    open: (settings) => openPostgresStore(pooler.url(database.url), settings),
    remove: () => emptyTables(database.url),
  }));
});
