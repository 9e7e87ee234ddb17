import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testStore } from '../../testing/store-conformance.ts';
import { openSqliteStore } from './sqlite-store.ts';

testStore('SQLite store', () => {
  // mkdtemp makes a folder that only the owner may enter.
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  return {
    isDurable: true,
    open: (settings) => openSqliteStore(join(folder, 'store.db'), settings),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
});
