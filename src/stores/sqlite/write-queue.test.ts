import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { StoreError } from '../store.ts';
import { WriteQueue, type WriteTransaction } from './write-queue.ts';

/** An error as the database throws it. */
function databaseError(errcode: number): Error {
  return Object.assign(new Error('from the database'), { errcode });
}

class FakeTransaction implements WriteTransaction {
  readonly steps: string[] = [];
  hasNeighbour = false;
  beginErrors: unknown[] = [];
  commitError: unknown;

  begin(): void {
    const error = this.beginErrors.shift();
    if (error !== undefined) throw error;
    this.steps.push('begin');
  }

  commit(): void {
    if (this.commitError !== undefined) throw this.commitError;
    this.steps.push('commit');
  }

  rollback(): void {
    this.steps.push('rollback');
  }

  isolated<T>(work: () => T): T {
    this.steps.push('savepoint');
    return work();
  }
}

const conflict = (): never => {
  throw new StoreError('STORE_CONFLICT', 'planned');
};

describe('WriteQueue', () => {
  let transaction: FakeTransaction;
  let queue: WriteQueue;
  beforeEach(() => {
    vi.useFakeTimers();
    transaction = new FakeTransaction();
    queue = new WriteQueue(transaction);
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const write = (name: string): Promise<string> =>
    queue.add(() => {
      transaction.steps.push(name);
      return name;
    });
  const settle = async (writes: readonly Promise<unknown>[]): Promise<readonly string[]> => {
    const settled = Promise.allSettled(writes);
    await vi.runAllTimersAsync();
    return (await settled).map((each) =>
      each.status === 'fulfilled' ? 'ok' : (each.reason as StoreError).code,
    );
  };

  it('commits what was added together in one transaction, in order', async () => {
    expect(await settle([write('a'), write('b')])).toEqual(['ok', 'ok']);
    expect(transaction.steps).toEqual(['begin', 'a', 'b', 'commit']);
  });

  it('answers nobody before the commit', async () => {
    let answered = false;
    const added = write('a').then(() => {
      answered = true;
    });
    transaction.commitError = databaseError(1);
    await expect(Promise.all([added, vi.runAllTimersAsync()])).rejects.toThrow();
    expect(answered).toBe(false);
  });

  it('takes at most 64 writes into one transaction', async () => {
    const writes = Array.from({ length: 65 }, (_, i) => write(`w${i}`));
    expect(new Set(await settle(writes))).toEqual(new Set(['ok']));
    expect(transaction.steps.indexOf('commit')).toBe(65);
    expect(transaction.steps.slice(66)).toEqual(['begin', 'w64', 'commit']);
  });

  it('ends a transaction that takes long, and goes on in the next one', async () => {
    const slow = queue.add(() => vi.advanceTimersByTime(16));
    expect(await settle([slow, write('later')])).toEqual(['ok', 'ok']);
    expect(transaction.steps).toEqual(['begin', 'commit', 'begin', 'later', 'commit']);
  });

  verifies('EXE-24', 'a write that fails is undone alone; its neighbours commit', async () => {
    const results = await settle([write('a'), queue.add(conflict), write('b')]);
    expect(results).toEqual(['ok', 'STORE_CONFLICT', 'ok']);
    expect(transaction.steps).toEqual([
      ...['begin', 'a', 'rollback'],
      ...['begin', 'savepoint', 'a', 'savepoint', 'savepoint', 'b', 'commit'],
    ]);
  });

  it('needs no savepoint for a single write that fails', async () => {
    expect(await settle([queue.add(conflict)])).toEqual(['STORE_CONFLICT']);
    expect(transaction.steps).toEqual(['begin', 'rollback']);
    expect(await settle([write('next')])).toEqual(['ok']);
  });

  it('hands a bug on as it is', async () => {
    const bug = queue.add(() => {
      throw new TypeError('a bug');
    });
    const [result] = await Promise.allSettled([bug, vi.runAllTimersAsync()]);
    expect(result).toMatchObject({ status: 'rejected', reason: expect.any(TypeError) });
    expect(queue.fatal).toBeUndefined();
  });

  it('tries a locked file again until it is free', async () => {
    transaction.beginErrors = [databaseError(5), databaseError(517), databaseError(6)];
    expect(await settle([write('a')])).toEqual(['ok']);
    expect(transaction.steps.filter((step) => step === 'rollback')).toHaveLength(3);
  });

  verifies('EXE-25', 'refuses after five seconds of a locked file, without an effect', async () => {
    transaction.beginErrors = Array(6_000).fill(databaseError(5));
    const startedMs = performance.now();
    expect(await settle([write('a'), write('b')])).toEqual(['STORE_BUSY', 'STORE_BUSY']);
    const waitedMs = performance.now() - startedMs;
    expect(waitedMs).toBeGreaterThanOrEqual(5_000);
    expect(waitedMs).toBeLessThan(5_010);
    transaction.beginErrors = [];
    expect(await settle([write('c')])).toEqual(['ok']);
  });

  verifies('EXE-25', 'pauses between transactions while another process writes', async () => {
    transaction.hasNeighbour = true;
    await settle([write('a')]);
    const second = write('b');
    await vi.advanceTimersByTimeAsync(0);
    expect(transaction.steps).toEqual(['begin', 'a', 'commit']);
    await vi.advanceTimersByTimeAsync(4);
    expect(await second).toBe('b');
  });

  verifies('EXE-26', 'acknowledges nothing of a failed fsync and stops for good', async () => {
    transaction.commitError = databaseError(1034);
    expect(await settle([write('a'), write('b')])).toEqual(['STORE_FAILED', 'STORE_FAILED']);
    transaction.commitError = undefined;
    expect(queue.fatal).toMatchObject({ code: 'STORE_FAILED', fatal: true });
    expect(await settle([write('c')])).toEqual(['STORE_FAILED']);
    expect(transaction.steps).not.toContain('commit');
  });

  verifies('EXE-26', 'stops for good on a failed fsync outside of a transaction', async () => {
    queue.stopOn(databaseError(13));
    queue.stopOn(databaseError(5));
    expect(await settle([write('a')])).toEqual(['ok']);
    queue.stopOn(databaseError(1034));
    expect(await settle([write('b')])).toEqual(['STORE_FAILED']);
    expect(transaction.steps).not.toContain('b');
  });

  verifies(
    'EXE-26',
    'stops the writes that wait when one of them finds the file damaged',
    async () => {
      const damaged = queue.add(() => {
        throw databaseError(11);
      });
      const waiting = Array.from({ length: 64 }, (_, i) => write(`w${i}`));
      const results = await settle([damaged, ...waiting]);
      expect(new Set(results)).toEqual(new Set(['STORE_FAILED']));
    },
  );

  it('refuses writes that were added while the failing commit ran', async () => {
    let late: Promise<readonly string[]> | undefined;
    transaction.commitError = databaseError(10);
    const first = queue.add(() => {
      late = settle([write('late')]);
    });
    expect(await settle([first])).toEqual(['STORE_FAILED']);
    expect(await late).toEqual(['STORE_FAILED']);
    expect(transaction.steps).not.toContain('late');
  });

  verifies(
    'EXE-31',
    'a full disk refuses every write of the transaction and the store lives on',
    async () => {
      const full = queue.add(() => {
        throw databaseError(13);
      });
      expect(await settle([write('a'), full])).toEqual(['STORE_FULL', 'STORE_FULL']);
      expect(queue.fatal).toBeUndefined();
      expect(await settle([write('b')])).toEqual(['ok']);
    },
  );
});
