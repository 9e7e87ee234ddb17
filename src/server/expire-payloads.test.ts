import { describe, expect, it } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import type { RetentionTerms } from '../core/retention.ts';
import { createMemoryStore } from '../stores/memory/memory-store.ts';
import { OpenedStore } from '../testing/opened-store.ts';
import { aReport } from '../testing/store-builders.ts';
import { expirePayloads } from './expire-payloads.ts';
import { fsckStore } from './fsck-store.ts';
import { RetentionJob } from './retention-job.ts';

const day = 86_400_000;
const terms: RetentionTerms = {
  rules: [{ action: 'note.write', types: [], keepMs: 200 * day }],
  spends: new Map([
    ['payment.send', true],
    ['mail.send', false],
    ['note.write', false],
  ]),
};

const open = (): Promise<OpenedStore> =>
  OpenedStore.open({ isDurable: false, open: createMemoryStore, remove: () => {} });

async function call(opened: OpenedStore, action: string, isFinished = true): Promise<string> {
  const draft = opened.proposal({ action });
  await opened.decide(draft);
  if (isFinished) await opened.store.finish(aReport(draft));
  return draft.opId;
}

/** Fields that are kept of an operation. */
async function kept({ store }: OpenedStore, opId: string): Promise<number> {
  const leaves = await store.readLeaves({ opId });
  return leaves.reduce((sum, { payload }) => sum + Object.keys(payload).length, 0);
}

describe('expirePayloads', () => {
  verifies('RCP-26', 'erases each kind when its time is over, and no leaf', async () => {
    const opened = await open();
    const { store, clock } = opened;
    const startMs = clock.nowMs;
    const ids = {
      payment: await call(opened, 'payment.send'),
      mail: await call(opened, 'mail.send'),
      note: await call(opened, 'note.write'),
    };
    const whole = await kept(opened, ids.mail);
    const bytes = (await opened.allLeaves()).map((leaf) => leaf.bytes);
    const at = async (days: number): Promise<readonly number[]> => {
      clock.nowMs = startMs + days * day;
      await expirePayloads(store, { terms, nowMs: clock.nowMs, isDryRun: false });
      return Promise.all(Object.values(ids).map((opId) => kept(opened, opId)));
    };
    expect(await at(199)).toEqual([whole, whole, whole]);
    expect(await at(200)).toEqual([whole, whole, 0]);
    expect(await at(730)).toEqual([whole, whole, 0]);
    expect(await at(731)).toEqual([whole, 0, 0]);
    expect(await at(3_652)).toEqual([whole, 0, 0]);
    expect(await at(3_653)).toEqual([0, 0, 0]);
    const after = await opened.allLeaves();
    expect(after.slice(0, bytes.length).map((leaf) => leaf.bytes)).toEqual(bytes);
    const own = after
      .slice(bytes.length)
      .map((leaf) => JSON.parse(Buffer.from(leaf.bytes).toString()));
    expect(own).toMatchObject([
      { basis: 'retention' },
      { basis: 'retention' },
      { basis: 'retention' },
    ]);
    expect((await fsckStore(store)).faults).toEqual([]);
  });

  it('keeps what is not settled, and what is young beside what is old', async () => {
    const opened = await open();
    const { store, clock } = opened;
    const open_ = await call(opened, 'mail.send', false);
    const old = await call(opened, 'mail.send');
    clock.nowMs += 700 * day;
    const young = await call(opened, 'mail.send');
    const [whole, own] = [await kept(opened, old), await kept(opened, young)];
    clock.nowMs += 40 * day;
    const settings = { terms, nowMs: clock.nowMs, isDryRun: true };
    const counted = await expirePayloads(store, settings);
    expect(counted).toEqual({ leaves: 5, values: 0 });
    expect(await kept(opened, old)).toBe(whole);
    const done = await expirePayloads(store, { ...settings, isDryRun: false });
    expect(done.leaves).toBe(5);
    expect(await kept(opened, old)).toBe(0);
    expect(await kept(opened, young)).toBe(own);
    expect(await kept(opened, open_)).toBeGreaterThan(0);
    expect(await expirePayloads(store, settings)).toEqual({ leaves: 0, values: 0 });
  });

  it('goes through more than one step, and stops between two', async () => {
    const opened = await open();
    const { store, clock } = opened;
    const note = { type: 'alarm', open: { kind: 'test' }, committed: { note: 'x' } } as const;
    await store.appendLeaves(Array.from({ length: 1_200 }, () => note));
    clock.nowMs += 800 * day;
    const settings = { terms, nowMs: clock.nowMs, isDryRun: false };
    let steps = 0;
    const isStopped = (): boolean => {
      steps += 1;
      return steps > 2;
    };
    expect((await expirePayloads(store, { ...settings, isStopped })).leaves).toBe(1_000);
    expect((await expirePayloads(store, settings)).values).toBeGreaterThanOrEqual(200);
    expect(await store.readKept({ from: 0, below: 1_202, count: 10 })).toEqual([]);
  });
});

describe('RetentionJob', () => {
  verifies('RCP-26', 'runs once a day, and not any more once it is stopped', async () => {
    const opened = await open();
    const { store, clock } = opened;
    const lines: string[] = [];
    const log = (_level: string, line: string): void => void lines.push(line);
    const job = new RetentionJob(store, terms, { nowMs: () => clock.nowMs, log });
    await call(opened, 'mail.send');
    await job.run();
    expect(lines).toEqual([]);
    clock.nowMs += 731 * day;
    await Promise.all([job.run(), job.run()]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\d+ values behind \d+ receipts expired and were erased$/);
    await call(opened, 'note.write');
    clock.nowMs += day - 1;
    await job.run();
    clock.nowMs += 200 * day;
    await job.stop();
    await job.run();
    expect(lines).toHaveLength(1);
    const next = new RetentionJob(store, terms, { nowMs: () => clock.nowMs, log });
    await next.run();
    expect(lines).toHaveLength(2);
  });
});
