import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hookedStore } from '../../test/fixtures/hooked-store.ts';
import { type PayingGateway, payingGateway } from '../../test/reference/paying-gateway.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import { openSqliteStore } from '../stores/sqlite/sqlite-store.ts';
import type { Store } from '../stores/store.ts';
import { aStoreSettings } from '../testing/store-builders.ts';

const clock = { nowMs: 0 };
const payment = { invoice: 'R-1', amount: 60 };
let folder: string;
let store: Store;
let neighbour: Store;
let isOwnerAlive: boolean;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'store-'));
  clock.nowMs = Date.UTC(2026, 10, 30, 9);
  isOwnerAlive = true;
  const open = () =>
    openSqliteStore(
      join(folder, 'store.db'),
      aStoreSettings(clock, { isAlive: () => isOwnerAlive }),
    );
  [store, neighbour] = [open(), open()];
  await store.start();
  await neighbour.start();
});
afterEach(async () => {
  await store.close();
  await neighbour.close();
  rmSync(folder, { recursive: true });
});

/** A gateway whose machine is suspended after the intent is durable, and before anything is sent. */
async function suspended(meanwhile: () => Promise<void>): Promise<PayingGateway> {
  let isAsleep = false;
  const world = await payingGateway('', () => ({
    processId: store.processId,
    store: hookedStore(store, {
      readOperation: async (opId) => {
        const operation = await store.readOperation(opId);
        if (!isAsleep) {
          isAsleep = true;
          world.target.nowMs += 60_000;
          clock.nowMs += 60_000;
          await meanwhile();
        }
        return operation;
      },
    }),
  }));
  world.target.nowMs = clock.nowMs;
  return world;
}

describe('executeOperation', () => {
  verifies(
    'EXE-53',
    'what was taken over during a suspension is not sent, and certainly failed',
    async () => {
      const world = await suspended(async () => {
        isOwnerAlive = false;
        expect(await neighbour.heartbeat()).toHaveLength(1);
        isOwnerAlive = true;
      });
      const answer = await world.pay(payment);
      expect(answer).toMatchObject({ report: { codes: ['EXECUTION_FAILED'] } });
      expect(world.target.sent).toEqual([]);
      expect(await neighbour.readUnknown()).toEqual([]);
      const opId = answer.kind === 'report' ? (answer.report.opId ?? '') : '';
      expect((await neighbour.readOperation(opId))?.row.state).toBe('FAILED');
      expect(store.holdsLease()).toBe(true);
    },
  );

  verifies(
    'EXE-53',
    'what nobody took over is sent after the process said that it lives',
    async () => {
      const world = await suspended(() => Promise.resolve());
      expect(await world.pay(payment)).toMatchObject({ kind: 'executed' });
      expect(world.target.sent).toHaveLength(1);
    },
  );

  it('a store that does not answer after a suspension leaves nothing sent', async () => {
    const world = await suspended(() => neighbour.close().then(() => store.close()));
    expect(await world.pay(payment)).toMatchObject({ report: { codes: ['RECEIPT_UNAVAILABLE'] } });
    expect(world.target.sent).toEqual([]);
  });
});
