// Connections that end at every moment, the commit included.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreError } from '../../../src/stores/store.ts';
import { outcomeOf } from '../../../src/testing/opened-store.ts';
import { aCall, aReport } from '../../../src/testing/store-builders.ts';
import { CommitProxy } from '../../fixtures/postgres/commit-proxy.ts';
import { skipReason } from '../../fixtures/postgres/database.ts';
import { useStores } from '../../fixtures/postgres/open-stores.ts';
import { verifies } from '../../requirements/verifies.ts';

describe.skipIf(skipReason !== undefined)('a PostgreSQL store whose connection is cut', () => {
  let proxy: CommitProxy;
  beforeEach(async () => {
    proxy = await CommitProxy.open(stores.port());
  });
  afterEach(() => proxy.close());
  // Its hooks come after: stores close while there is still a way to the server.
  const stores = useStores();
  const openThroughProxy = () => stores.open({}, proxy.url(stores.url()));

  verifies(
    'EXE-27',
    'finds a commit whose answer was lost, and does not run it again',
    async () => {
      const opened = await openThroughProxy();
      const { size } = await opened.store.readTree();
      proxy.cutNextCommit('answer lost');
      const draft = opened.proposal();
      expect(outcomeOf((await opened.decide(draft)).decision)).toBe('allow');
      expect(proxy.cuts).toBe(1);
      expect(await opened.budgets()).toEqual(['amount:10/0', 'calls:1/0']);
      expect((await opened.store.readTree()).size).toBe(size + 3);
      proxy.cutNextCommit('answer lost');
      expect(await opened.store.finish(aReport(draft))).toMatchObject({ state: 'SUCCEEDED' });
      expect(await opened.budgets()).toEqual(['amount:0/10', 'calls:0/1']);
    },
  );

  verifies('EXE-27', 'runs a commit again that never arrived', async () => {
    const opened = await openThroughProxy();
    const { size } = await opened.store.readTree();
    proxy.cutNextCommit('lost');
    const draft = opened.proposal();
    expect(outcomeOf((await opened.decide(draft)).decision)).toBe('allow');
    expect(proxy.cuts).toBe(1);
    expect(await opened.budgets()).toEqual(['amount:10/0', 'calls:1/0']);
    expect((await opened.store.readTree()).size).toBe(size + 3);
  });

  verifies('EXE-27', 'waits for a commit that is still on its way', async () => {
    const opened = await openThroughProxy();
    const { size } = await opened.store.readTree();
    proxy.cutNextCommit('late');
    const draft = opened.proposal();
    expect(outcomeOf((await opened.decide(draft)).decision)).toBe('allow');
    expect(await opened.budgets()).toEqual(['amount:10/0', 'calls:1/0']);
    expect((await opened.store.readTree()).size).toBe(size + 3);
  });

  verifies(
    'EXE-27',
    'refuses while nobody knows, and releases what was reserved for nobody',
    async () => {
      const opened = await openThroughProxy();
      proxy.cutNextCommit('answer lost');
      const draft = opened.proposal();
      const deciding = opened.decide(draft);
      const refused = expect(deciding).rejects.toMatchObject({
        code: 'STORE_UNCERTAIN',
        fatal: false,
      });
      while (proxy.cuts === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      proxy.isDown = true;
      const later = opened.decide(opened.proposal());
      const laterRefused = expect(later).rejects.toMatchObject({ code: 'STORE_UNCERTAIN' });
      await refused;
      await laterRefused;
      proxy.isDown = false;
      expect(outcomeOf((await opened.decide(opened.proposal())).decision)).toBe('allow');
      await opened.store.heartbeat();
      expect(await opened.state(draft.opId)).toBe('FAILED');
      expect(await opened.budgets()).toEqual(['amount:10/0', 'calls:1/0']);
    },
    20_000,
  );

  verifies(
    'EXE-34',
    'serves on while sessions are terminated at random',
    async () => {
      const opened = await stores.open({
        mandate: { budgets: [{ kind: 'amount', limit: 3_000 }] },
      });
      const untilMs = performance.now() + 4_000;
      let kills = 0;
      const killing = (async () => {
        while (performance.now() < untilMs) {
          const killed = await stores.sql(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE application_name = 'intentplane' AND datname = current_database()`,
          );
          kills += killed.length;
          await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 80));
        }
      })();
      const allowed: string[] = [];
      await Promise.all(
        Array.from({ length: 16 }, async () => {
          while (performance.now() < untilMs) {
            const draft = opened.proposal();
            try {
              const { decision } = await opened.decide(draft);
              if (decision.kind === 'allow') allowed.push(draft.opId);
            } catch (error) {
              expect(error).toBeInstanceOf(StoreError);
              expect(error).toMatchObject({ fatal: false });
            }
          }
        }),
      );
      await killing;
      expect(kills).toBeGreaterThan(10);
      for (const opId of allowed) expect(await opened.state(opId)).toBe('DISPATCHING');
      const { budgets } = await opened.status();
      const [held] = await stores.sql(
        `SELECT coalesce(sum(amount), 0)::int AS held FROM intentplane.budget_entry
       WHERE state = 'reserved'`,
      );
      expect(held).toEqual({ held: budgets[0]?.reserved });
      expect(budgets[0]?.reserved).toBeLessThanOrEqual(3_000);
      expect(budgets[0]?.reserved).toBeGreaterThanOrEqual(allowed.length * 10);
      const seqs = (await opened.allLeaves()).map(({ seq }) => seq);
      expect(seqs).toEqual(seqs.map((_, i) => i));
    },
    40_000,
  );

  it('takes its time for an outcome: it is written when the server is back', async () => {
    const opened = await openThroughProxy();
    const draft = opened.proposal();
    await opened.decide(draft);
    proxy.cutNextCommit('lost');
    const finishing = opened.store.finish(aReport(draft));
    while (proxy.cuts === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    proxy.isDown = true;
    await new Promise((resolve) => setTimeout(resolve, 5_500));
    proxy.isDown = false;
    expect(await finishing).toMatchObject({ state: 'SUCCEEDED', late: false });
    expect(await opened.budgets()).toEqual(['amount:0/10', 'calls:0/1']);
  }, 20_000);

  it('keeps a writer that waits for a lock no longer than five seconds', async () => {
    const opened = await stores.open();
    const holder = stores.sql(
      'BEGIN; SELECT 1 FROM intentplane.log_state FOR UPDATE; SELECT pg_sleep(7); ROLLBACK',
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    const startedMs = performance.now();
    await expect(opened.decide(opened.proposal(), aCall())).rejects.toMatchObject({
      code: 'STORE_BUSY',
      fatal: false,
    });
    expect(performance.now() - startedMs).toBeLessThan(9_000);
    await holder;
    expect(outcomeOf((await opened.decide(opened.proposal())).decision)).toBe('allow');
  }, 20_000);
});
