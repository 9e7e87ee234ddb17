import { afterAll, beforeAll, describe } from 'vitest';
import {
  createDatabase,
  emptyTables,
  skipReason,
  type TestDatabase,
} from '../../../test/fixtures/postgres/database.ts';
import { testStore } from '../../testing/store-conformance.ts';
import { migrateDatabase } from './admin.ts';
import { openPostgresStore } from './postgres-store.ts';

describe.skipIf(skipReason !== undefined)(`with PostgreSQL (${skipReason ?? 'found'})`, () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
    await migrateDatabase(database.url, { nowMs: 0 });
  });
  afterAll(() => database.drop());

  testStore('PostgreSQL store', () => ({
    isDurable: true,
    open: (settings) => openPostgresStore(database.url, settings),
    remove: () => emptyTables(database.url),
  }));
});
