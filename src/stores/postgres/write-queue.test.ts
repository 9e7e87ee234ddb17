import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { StoreError } from '../store.ts';
import { LostConnectionError, StaleReadError, UncertainCommitError } from './postgres-error.ts';
import { WriteQueue } from './write-queue.ts';
import type { Outcome, Work, WriteEngine } from './writer.ts';

/** An error as the server sends it. */
const serverError = (code: string): Error =>
  Object.assign(new Error('from the server'), { code, severity: 'ERROR' });

/** Carries out works as numbers; fails as it is told. */
class FakeEngine implements WriteEngine {
  readonly batches: number[] = [];
  /** Thrown by the next transactions, before their commit. */
  errors: unknown[] = [];
  /** What becomes of the next commits. */
  commits: unknown[] = [];
  committed: (boolean | Error)[] = [];

  async transact(
    works: readonly Work[],
    report: (outcomes: readonly Outcome[]) => void,
  ): Promise<void> {
    this.batches.push(works.length);
    const error = this.errors.shift();
    if (error !== undefined) throw error;
    report(
      works.map((work): Outcome => {
        if (work.kind === 'own') return { ok: true, value: 'own' };
        try {
          return { ok: true, value: work.plan(undefined as never) };
        } catch (thrown) {
          return { ok: false, error: thrown };
        }
      }),
    );
    const commit = this.commits.shift();
    if (commit !== undefined) throw commit;
  }

  async wasCommitted(): Promise<boolean> {
    const next = this.committed.shift() ?? new LostConnectionError(new Error('away'));
    if (next instanceof Error) throw next;
    return next;
  }
}

const uncertain = () => new UncertainCommitError('batch', new Error('cut'));
const lost = () => new LostConnectionError(new Error('away'));

describe('WriteQueue of PostgreSQL', () => {
  let engine: FakeEngine;
  let queue: WriteQueue;
  beforeEach(() => {
    vi.useFakeTimers();
    engine = new FakeEngine();
    queue = new WriteQueue(engine);
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const write = (value: unknown, options = {}): Promise<unknown> =>
    queue.add({ kind: 'rows', needs: {}, plan: () => value }, options);
  const own = (): Promise<unknown> => queue.add({ kind: 'own', run: async () => 'own' });
  const failing = (error: unknown): Promise<unknown> =>
    queue.add({
      kind: 'rows',
      needs: {},
      plan: () => {
        throw error;
      },
    });
  const settle = async (writes: readonly Promise<unknown>[]): Promise<readonly unknown[]> => {
    const settled = Promise.allSettled(writes);
    await vi.runAllTimersAsync();
    return (await settled).map((each) =>
      each.status === 'fulfilled' ? each.value : (each.reason as StoreError).code,
    );
  };

  it('puts up to 64 writes into one transaction, and one with its own alone', async () => {
    const writes = Array.from({ length: 66 }, (_, i) => write(i));
    await settle([...writes, own(), own(), write('last')]);
    expect(engine.batches).toEqual([64, 2, 1, 1, 1]);
  });

  verifies('EXE-24', 'rejects a write that fails and answers the others', async () => {
    const bad = new StoreError('STORE_CONFLICT', 'planned');
    expect(await settle([write(1), failing(bad), write(2)])).toEqual([1, 'STORE_CONFLICT', 2]);
    expect(engine.batches).toEqual([3]);
  });

  verifies(
    'EXE-24',
    'tries each write alone when one of them broke a rule of the tables',
    async () => {
      engine.errors = [serverError('23505'), undefined, serverError('23505')];
      expect(await settle([write(1), write(2), write(3)])).toEqual([1, 'STORE_CONFLICT', 3]);
      expect(engine.batches).toEqual([3, 1, 1, 1]);
    },
  );

  it('runs a transaction that met another one again, five times at most', async () => {
    engine.errors = [serverError('40P01'), serverError('40001'), new StaleReadError()];
    expect(await settle([write(1)])).toEqual([1]);
    expect(engine.batches).toHaveLength(4);
    engine.errors = Array.from({ length: 9 }, () => serverError('40P01'));
    expect(await settle([write(2)])).toEqual(['STORE_BUSY']);
    expect(engine.batches).toHaveLength(9);
  });

  it('waits for a lost server for five seconds, and longer when told to', async () => {
    engine.errors = Array.from({ length: 1_000 }, lost);
    const startedMs = performance.now();
    const waited: number[] = [];
    const timed = (options: object) =>
      write(1, options).catch((error: unknown) => {
        waited.push(Math.round((performance.now() - startedMs) / 1_000));
        throw error;
      });
    expect(await settle([timed({}), timed({ waitMs: 30_000 })])).toEqual([
      'STORE_UNREACHABLE',
      'STORE_UNREACHABLE',
    ]);
    expect(waited).toEqual([5, 30]);
    engine.errors = [];
    expect(await settle([write(2)])).toEqual([2]);
  });

  it('waits for a lock in the same way', async () => {
    engine.errors = [serverError('55P03'), serverError('57014')];
    expect(await settle([write(1)])).toEqual([1]);
    engine.errors = Array.from({ length: 1_000 }, () => serverError('55P03'));
    expect(await settle([write(1)])).toEqual(['STORE_BUSY']);
  });

  verifies('EXE-27', 'answers after a lost commit that turns out to be there', async () => {
    engine.commits = [uncertain()];
    engine.committed = [lost(), true];
    expect(await settle([write(1), write(2)])).toEqual([1, 2]);
    expect(engine.batches).toEqual([2]);
  });

  verifies('EXE-27', 'runs a commit that never happened again', async () => {
    engine.commits = [uncertain()];
    engine.committed = [false];
    expect(await settle([write(1)])).toEqual([1]);
    expect(engine.batches).toEqual([1, 1]);
  });

  verifies(
    'EXE-27',
    'refuses while it does not know, and says later what became of it',
    async () => {
      engine.commits = [uncertain()];
      engine.committed = Array.from({ length: 60 }, lost);
      const abandoned: unknown[] = [];
      const first = write(1, { onAbandoned: (value: unknown) => abandoned.push(value) });
      engine.committed.push(...Array.from({ length: 20 }, lost), true);
      const later = vi.advanceTimersByTimeAsync(1_000).then(() => write(2));
      const results = settle([first, later]);
      expect(await results).toEqual(['STORE_UNCERTAIN', expect.anything()]);
      expect(abandoned).toEqual([1]);
      expect(engine.batches[0]).toBe(1);
    },
  );

  it('stops for good at an error that nobody listed', async () => {
    engine.errors = [serverError('XX001')];
    expect(await settle([write(1), write(2)])).toEqual(['STORE_FAILED', 'STORE_FAILED']);
    expect(queue.fatal).toMatchObject({ fatal: true });
    expect(await settle([write(3)])).toEqual(['STORE_FAILED']);
  });

  verifies(
    'EXE-31',
    'a full disk refuses all of the transaction and the store lives on',
    async () => {
      engine.errors = [serverError('53100')];
      expect(await settle([write(1), write(2)])).toEqual(['STORE_FULL', 'STORE_FULL']);
      expect(await settle([write(3)])).toEqual([3]);
    },
  );

  it('closes after everything was answered, and takes nothing more', async () => {
    const last = write(1, { waitMs: 60_000 });
    engine.commits = [uncertain()];
    const closing = queue.close();
    expect(await settle([last, closing])).toEqual(['STORE_UNCERTAIN', undefined]);
    expect(await settle([write(2)])).toEqual(['STORE_FAILED']);
  });
});
