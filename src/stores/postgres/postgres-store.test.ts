import { describe } from 'vitest';
import { createDatabase, skipReason } from '../../../test/fixtures/postgres/database.ts';
import { testStore } from '../../testing/store-conformance.ts';
import { migrateDatabase } from './admin.ts';
import { openPostgresStore } from './postgres-store.ts';

describe.skipIf(skipReason !== undefined)(`with PostgreSQL (${skipReason ?? 'found'})`, () => {
  testStore('PostgreSQL store', async () => {
    const { url, drop } = await createDatabase();
    await migrateDatabase(url, { nowMs: 0 });
    return {
      isDurable: true,
      open: (settings) => openPostgresStore(url, settings),
      remove: drop,
    };
  });
});
