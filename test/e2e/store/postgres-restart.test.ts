// Servers that must be refused, and one that is restarted under load.
import { afterEach, describe, expect, it } from 'vitest';
import { inspectDatabase, migrateDatabase } from '../../../src/stores/postgres/admin.ts';
import { openPostgresStore } from '../../../src/stores/postgres/postgres-store.ts';
import { type Store, StoreError, type StoreSettings } from '../../../src/stores/store.ts';
import { OpenedStore, outcomeOf } from '../../../src/testing/opened-store.ts';
import { aStoreSettings } from '../../../src/testing/store-builders.ts';
import { Cluster } from '../../fixtures/postgres/cluster.ts';
import { administer, skipReason } from '../../fixtures/postgres/database.ts';
import { verifies } from '../../requirements/verifies.ts';

describe.skipIf(skipReason !== undefined)('a PostgreSQL server', { timeout: 60_000 }, () => {
  let cluster: Cluster | undefined;
  const stores: Store[] = [];
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await cluster?.remove();
    cluster = undefined;
  });
  const start = async (...settings: readonly string[]): Promise<Cluster> => {
    cluster = await Cluster.start(settings);
    return cluster;
  };
  const open = (url: string, settings: StoreSettings): Store => {
    const store = openPostgresStore(url, settings);
    stores.push(store);
    return store;
  };

  verifies('EXE-27', 'is refused when it may lose what it acknowledged', async () => {
    const server = await start('fsync=off');
    const url = server.url('postgres');
    const refused = {
      code: 'STORE_FAILED',
      message: 'PostgreSQL runs with fsync = off and may lose what it acknowledged: set fsync = on',
    };
    await expect(migrateDatabase(url, { nowMs: 0 })).rejects.toMatchObject(refused);
    await expect(inspectDatabase(url)).rejects.toMatchObject(refused);
    await server.down();
    await server.up();
    await migrateDatabase(url, { nowMs: 0 });
    for (const setting of ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off']) {
      await server.down();
      await server.up([setting]);
      const starting = open(url, aStoreSettings({ nowMs: 1 })).start();
      await expect(starting, setting).rejects.toMatchObject({ code: 'STORE_FAILED', fatal: true });
    }
    // The setting of one role counts as well as that of the server.
    await server.down();
    await server.up();
    await administer(url, 'ALTER ROLE postgres SET synchronous_commit = off');
    await expect(open(url, aStoreSettings({ nowMs: 1 })).start()).rejects.toThrow(
      'synchronous_commit = off',
    );
    await administer(url, `CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'`);
    await expect(migrateDatabase(server.url('latin'), { nowMs: 0 })).rejects.toThrow('LATIN1');
  });

  verifies('EXE-34', 'that is restarted under load refuses, then serves again', async () => {
    const server = await start();
    const url = server.url('postgres');
    await migrateDatabase(url, { nowMs: 0 });
    const place = {
      isDurable: true,
      open: (settings: StoreSettings) => open(url, settings),
      remove() {},
    };
    const budgets = [{ kind: 'calls', limit: 1_000_000 }] as const;
    const opened = await OpenedStore.open(place, { mandate: { budgets } });
    const allowed: string[] = [];
    const refusals: unknown[] = [];
    let isOver = false;
    const callers = Array.from({ length: 16 }, async () => {
      while (!isOver) {
        const draft = opened.proposal();
        await opened.decide(draft).then(
          () => allowed.push(draft.opId),
          (error: unknown) => refusals.push(error),
        );
      }
    });
    const untilMore = async (): Promise<void> => {
      const before = allowed.length;
      while (allowed.length < before + 50) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await untilMore();
    await server.down('immediate');
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    expect(refusals.length).toBeGreaterThan(0);
    await server.up();
    await untilMore();
    await server.down('fast');
    await server.up();
    await untilMore();
    isOver = true;
    await Promise.all(callers);
    for (const error of refusals) {
      expect(error).toBeInstanceOf(StoreError);
      expect(error).toMatchObject({
        code: expect.stringMatching(/^STORE_(?:UNREACHABLE|UNCERTAIN)$/),
        fatal: false,
      });
    }
    for (const opId of allowed.slice(-200)) expect(await opened.state(opId)).toBe('DISPATCHING');
    const [held] = await administer(
      url,
      `SELECT count(*)::int AS entries, (SELECT reserved::int FROM intentplane.budget) AS reserved,
         (SELECT count(*)::int FROM intentplane.operation WHERE op_id = ANY ('{${allowed}}'))
           AS acknowledged
       FROM intentplane.budget_entry WHERE state = 'reserved'`,
    );
    const { entries, reserved, acknowledged } = held as Record<string, number>;
    expect(entries).toBe(reserved);
    expect(acknowledged).toBe(allowed.length);
    const { size, root } = await inspectDatabase(url);
    expect(await opened.store.readTree()).toEqual({ size, root });
    expect(outcomeOf((await opened.decide(opened.proposal())).decision)).toBe('allow');
  });

  it('that is not there is named without its password', async () => {
    const url = 'postgres://alice:secret@127.0.0.1:1/db';
    await expect(inspectDatabase(url)).rejects.toMatchObject({
      code: 'STORE_UNREACHABLE',
      message: expect.not.stringContaining('secret'),
    });
  });
});
