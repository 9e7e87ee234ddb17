// Two stores on one file are what two processes are to each other.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { loadChain } from '../../testing/chain-load.ts';
import { OpenedStore, outcomeOf } from '../../testing/opened-store.ts';
import { aCall, aReport } from '../../testing/store-builders.ts';
import { openSqliteStore } from './sqlite-store.ts';

describe('two SQLite stores on one file', () => {
  let folder: string;
  let path: string;
  let stores: readonly [OpenedStore, OpenedStore];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'store-'));
    path = join(folder, 'store.db');
    const place = {
      isDurable: true,
      open: (settings: Parameters<typeof openSqliteStore>[1]) => openSqliteStore(path, settings),
      remove() {},
    };
    stores = [await OpenedStore.open(place), await OpenedStore.open(place)];
  });
  afterEach(async () => {
    for (const { store } of stores) await store.close();
    rmSync(folder, { recursive: true });
  });

  verifies('C06', 'share mandate and budget', async () => {
    const [first, second] = stores;
    expect(second.mandate).toEqual(first.mandate);
    await first.decide(first.proposal());
    expect(await second.budgets()).toEqual(['amount:10/0', 'calls:1/0']);
  });

  verifies(['EXE-18', 'RCP-11'], 'reach the limit together and never pass it', async () => {
    const facts = aCall({ amount: 50 });
    const plans = await Promise.all(
      Array.from({ length: 32 }, (_, i) => {
        const each = stores[i % 2 === 0 ? 0 : 1];
        return each.decide(each.proposal(), facts);
      }),
    );
    expect(plans.filter(({ decision }) => decision.kind === 'allow')).toHaveLength(20);
    expect(await stores[0].budgets()).toEqual(['amount:1000/0', 'calls:20/0']);
    const seqs = (await stores[1].allLeaves()).map((leaf) => leaf.seq);
    expect(seqs).toEqual(seqs.map((_, i) => i));
  });

  verifies(['EXE-18', 'EXE-21'], 'never pass a budget of a chain of six', async () => {
    await loadChain(stores, 200);
  });

  it('send a granted call once', async () => {
    const [first, second] = stores;
    const asked = first.proposal();
    await first.grant(asked);
    const call = aCall({ level: 1 });
    const { fingerprint } = asked;
    const plans = await Promise.all([
      first.decide(first.proposal({ fingerprint }), call),
      second.decide(second.proposal({ fingerprint }), call),
    ]);
    expect(plans.map(({ decision }) => outcomeOf(decision)).toSorted()).toEqual([
      'EXECUTION_DUPLICATE',
      'allow',
    ]);
  });

  it('finish only what they sent themselves', async () => {
    const [first, second] = stores;
    const draft = first.proposal();
    await first.decide(draft);
    const foreign = await second.store.finish(
      aReport({ opId: draft.opId, owner: second.store.processId }),
    );
    expect(foreign).toMatchObject({ late: true, state: 'DISPATCHING' });
    expect(await first.store.finish(aReport(draft))).toMatchObject({ state: 'SUCCEEDED' });
  });

  verifies('RCP-13', 'never sign two roots for one size', async () => {
    const signed: string[] = [];
    const sign = (size: number, root: Uint8Array): string => {
      const note = `${size} ${Buffer.from(root).toString('hex')}`;
      signed.push(note);
      return note;
    };
    for (let i = 0; i < 5; i += 1) {
      await Promise.all(
        stores.map(async (each) => {
          await each.decide(each.proposal());
          await each.store.checkpoint(sign);
        }),
      );
    }
    const roots = new Map(signed.map((note) => note.split(' ') as [string, string]));
    for (const note of signed)
      expect(note).toBe(`${note.split(' ')[0]} ${roots.get(note.split(' ')[0] ?? '')}`);
  });

  verifies('EXE-25', 'wait for a lock without blocking the thread', async () => {
    const [first] = stores;
    const holder = new DatabaseSync(path);
    holder.exec('BEGIN IMMEDIATE');
    let isDone = false;
    const deciding = first.decide(first.proposal()).then(() => {
      isDone = true;
    });
    let longestMs = 0;
    for (let i = 0; i < 20; i += 1) {
      const startedMs = performance.now();
      await new Promise((resolve) => setImmediate(resolve));
      longestMs = Math.max(longestMs, performance.now() - startedMs);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(isDone).toBe(false);
    // Reads go on meanwhile.
    expect(await first.budgets()).toEqual(['amount:0/0', 'calls:0/0']);
    holder.exec('ROLLBACK');
    holder.close();
    await deciding;
    // A blocking wait would take five seconds; a busy machine takes some milliseconds by itself.
    expect(longestMs).toBeLessThan(1_000);
  });
});
