import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import type { StoreSettings } from '../../../src/stores/store.ts';
import { OpenedStore } from '../../../src/testing/opened-store.ts';
import { verifies } from '../../requirements/verifies.ts';
import { checkLog } from './store-processes.ts';

// The same with a full database instead of a full disk runs everywhere, beside the store.
describe('a full disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'disk-'));
  let isMounted = false;
  beforeAll(() => {
    const mount = spawnSync('/bin/mount', [
      '-t',
      'tmpfs',
      '-o',
      'size=3m,mode=700',
      'tmpfs',
      folder,
    ]);
    isMounted = mount.status === 0;
  });
  afterAll(() => {
    if (isMounted) spawnSync('/bin/umount', [folder]);
    rmSync(folder, { recursive: true, force: true });
  });

  verifies(['EXE-31', 'RCP-03'], 'refuses every call, and loses nothing', async (test) => {
    if (!isMounted) test.skip('only the administrator can mount a small disk');
    chmodSync(folder, 0o700);
    const ballast = join(folder, 'ballast');
    writeFileSync(ballast, Buffer.alloc(1_000_000));
    const path = join(folder, 'store.db');
    const open = (settings: StoreSettings) => openSqliteStore(path, settings);
    const place = { isDurable: true, open, remove() {} };
    const opened = await OpenedStore.open(place, { mandate: { budgets: [] } });
    const kept: string[] = [];
    let failure: unknown;
    while (failure === undefined && kept.length < 5_000) {
      const draft = opened.proposal();
      await opened.decide(draft).then(
        () => kept.push(draft.opId),
        (error: unknown) => {
          failure = error;
        },
      );
    }
    expect(failure).toMatchObject({ code: 'STORE_FULL', fatal: false });
    await expect(opened.decide(opened.proposal())).rejects.toMatchObject({ code: 'STORE_FULL' });
    for (const opId of kept) expect(await opened.state(opId)).toBe('DISPATCHING');
    expect((await opened.store.readTree()).size).toBe(2 + 3 * kept.length);

    rmSync(ballast);
    const later = opened.proposal();
    await opened.decide(later);
    const states = await checkLog(opened.store);
    expect(new Set(states.keys())).toEqual(new Set([...kept, later.opId]));
    await opened.store.close();
  });
});
