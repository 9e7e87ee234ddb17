// Old backups, copies and lost files: a log is never signed twice, and the start says what is wrong.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGuardFile } from '../../../src/keys/local/guard-file.ts';
import { fsckStore } from '../../../src/server/fsck-store.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import type { LogGuard, Store, StoreSettings } from '../../../src/stores/store.ts';
import { OpenedStore } from '../../../src/testing/opened-store.ts';
import { aReport } from '../../../src/testing/store-builders.ts';
import { verifies } from '../../requirements/verifies.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-guard-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const guard = (): ReturnType<typeof createGuardFile> =>
  createGuardFile(join(folder, 'keys', 'log-key.pem.guard'));

/** The store in `name`, started, with the guard that lies beside the key. */
function open(name: string, watched?: LogGuard): Promise<OpenedStore> {
  mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  const place = {
    isDurable: true,
    open: (settings: StoreSettings): Store =>
      openSqliteStore(join(folder, name, 'store.db'), settings),
    remove: (): void => {},
  };
  return OpenedStore.open(place, { settings: { guard: watched ?? guard() } });
}

async function pay(opened: OpenedStore, count = 1): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    const draft = opened.proposal();
    await opened.decide(draft);
    await opened.store.finish(aReport(draft));
  }
}

const sign = (opened: OpenedStore): Promise<unknown> =>
  opened.store.checkpoint((size) => `note ${size}`);

/** A copy of a closed store. */
function copy(from: string, to: string): void {
  cpSync(join(folder, from), join(folder, to), { recursive: true });
  chmodSync(join(folder, to), 0o700);
}

describe('the guard of the log', () => {
  verifies('RCP-14', 'lets a store go on that is what was signed, or more', async () => {
    const first = await open('store');
    await pay(first);
    await sign(first);
    await pay(first);
    await first.store.close();
    const again = await open('store');
    await pay(again);
    await sign(again);
    const { size } = await again.store.readTree();
    expect(guard().read('example.com/gateway')?.size).toBe(size);
    await again.store.close();
  });

  verifies('RCP-14', 'refuses an old backup, although it is whole in itself', async () => {
    const first = await open('store');
    await pay(first);
    await sign(first);
    await first.store.close();
    copy('store', 'backup');
    const later = await open('store');
    await pay(later, 2);
    await sign(later);
    await later.store.close();
    await expect(open('backup')).rejects.toMatchObject({
      code: 'LOG_BEHIND_CHECKPOINT',
      fatal: true,
      message: expect.stringContaining('Put the newer store back'),
    });
    // Nothing was written: the newer store still goes on.
    await (await open('store')).store.close();
    const store = openSqliteStore(join(folder, 'backup', 'store.db'), later.settings);
    const { faults } = await fsckStore(store, guard());
    await store.close();
    expect(faults.map(({ code }) => code)).toEqual(['CHECKPOINT_MISMATCH']);
  });

  verifies(['RCP-14', 'RCP-13'], 'refuses the second of two copies that went on', async () => {
    const first = await open('store');
    await pay(first);
    await sign(first);
    await first.store.close();
    copy('store', 'fork');
    const fork = await open('fork');
    const main = await open('store');
    await pay(main, 3);
    await sign(main);
    const signed = guard().read('example.com/gateway');
    // Shorter than what was signed, then longer: neither is ever signed.
    await pay(fork, 1);
    await expect(sign(fork)).rejects.toMatchObject({ code: 'LOG_BEHIND_CHECKPOINT' });
    await fork.store.close();
    expect(guard().read('example.com/gateway')).toEqual(signed);
    await main.store.close();
    const longer = openSqliteStore(join(folder, 'fork', 'store.db'), {
      ...fork.settings,
      guard: createGuardFile(join(folder, 'elsewhere.guard')),
    });
    await expect(longer.start()).rejects.toMatchObject({ code: 'GUARD_MISSING' });
    await longer.close();
  });

  verifies('RCP-14', 'refuses another history of the same length', async () => {
    const first = await open('store');
    await first.store.close();
    copy('store', 'fork');
    const main = await open('store');
    await pay(main, 2);
    await sign(main);
    await main.store.close();
    const { guard: _guard, ...alone } = main.settings;
    const unguarded = await OpenedStore.open(
      {
        isDurable: true,
        open: (settings) => openSqliteStore(join(folder, 'fork', 'store.db'), settings),
        remove: () => {},
      },
      { settings: alone },
    );
    await pay(unguarded, 4);
    await unguarded.store.close();
    await expect(open('fork')).rejects.toMatchObject({ code: 'LOG_FORKED' });
  });

  verifies('RCP-14', 'refuses a log that begins again under the same name', async () => {
    const first = await open('store');
    await pay(first);
    await sign(first);
    await first.store.close();
    await expect(open('new')).rejects.toMatchObject({ code: 'LOG_BEHIND_CHECKPOINT' });
  });

  verifies('RCP-14', 'never knows of receipts that a crash could still take back', async () => {
    const real = guard();
    const written: number[] = [];
    const watched: LogGuard = {
      ...real,
      write: (origin, tree) => {
        // What another connection sees is committed.
        const database = new DatabaseSync(join(folder, 'store', 'store.db'), { readOnly: true });
        const row =
          tree.size === 0 ? { size: 0 } : database.prepare('SELECT size FROM log_state').get();
        database.close();
        expect(Number(row?.['size'])).toBeGreaterThanOrEqual(tree.size);
        written.push(tree.size);
        real.write(origin, tree);
      },
    };
    const opened = await open('store', watched);
    for (let round = 0; round < 5; round += 1) {
      // These writes share a transaction with the first one of the signature.
      const writes = Array.from({ length: 8 }, () => pay(opened));
      await Promise.all([...writes, sign(opened)]);
    }
    expect(written.length).toBeGreaterThan(3);
    await opened.store.close();
  });

  it('is missed when it is gone, before a start and before a signature', async () => {
    const first = await open('store');
    await sign(first);
    rmSync(join(folder, 'keys'), { recursive: true });
    await pay(first);
    await expect(sign(first)).rejects.toMatchObject({ code: 'GUARD_MISSING' });
    await first.store.close();
    await expect(open('store')).rejects.toMatchObject({
      code: 'GUARD_MISSING',
      message: expect.stringContaining('put it back beside the key'),
    });
  });
});
