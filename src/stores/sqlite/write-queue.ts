// Group commit on the main thread. Writes that arrive while a commit runs wait for the next one;
// one transaction carries up to 64 of them, and each caller is answered after the commit.
// No transaction ever spans a wait.

import { StoreError } from '../store.ts';
import { sealingError } from '../store-faults.ts';
import { isBusy, resultCode, toStoreError } from './sqlite-error.ts';

/** The database as the queue uses it. Every method is synchronous and may throw. */
export interface WriteTransaction {
  /** Takes the lock and reads the state of the log. */
  begin(): void;
  commit(): void;
  /** Undoes the whole transaction; harmless when there is none. */
  rollback(): void;
  /** Runs the work so that a throw undoes its writes and no others. */
  isolated<T>(work: () => T): T;
  /** Whether another live process writes to the same file. */
  readonly hasNeighbour: boolean;
}

/** Writes in one transaction. */
const batchMax = 64;
/** A batch takes no further write after this long: 15 ms. */
const batchMaxMs = 15;
/** How long a locked file is waited for: 5 s. */
const busyMaxMs = 5_000;

interface Job {
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export class WriteQueue {
  readonly #transaction: WriteTransaction;
  #jobs: Job[] = [];
  #isScheduled = false;
  #isolate = false;
  #busySinceMs: number | undefined;
  #notBeforeMs = 0;
  #fatal: StoreError | undefined;

  constructor(transaction: WriteTransaction) {
    this.#transaction = transaction;
  }

  /** The error that stopped the store; everything after it is refused. */
  get fatal(): StoreError | undefined {
    return this.#fatal;
  }

  /** Runs the work in one of the next transactions; resolves after its commit. */
  add<T>(work: () => T): Promise<T> {
    if (this.#fatal !== undefined) return Promise.reject(this.#fatal);
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({ work, resolve: resolve as Job['resolve'], reject });
      this.#schedule();
    });
  }

  /** For an error outside of a transaction: one that must stop the store does, any other means nothing here. */
  stopOn(error: unknown): void {
    this.#fail([], error);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const waitMs = this.#notBeforeMs === 0 ? 0 : this.#notBeforeMs - performance.now();
    if (waitMs > 0) setTimeout(this.#run, waitMs);
    else setImmediate(this.#run);
  }

  readonly #run = (): void => {
    this.#isScheduled = false;
    if (this.#jobs.length === 0) return;
    if (this.#fatal !== undefined) this.#fail(this.#jobs.splice(0), this.#fatal);
    else if (this.#begin()) this.#runBatch();
    if (this.#jobs.length > 0) this.#schedule();
  };

  #begin(): boolean {
    try {
      this.#transaction.begin();
      this.#busySinceMs = undefined;
      this.#notBeforeMs = this.#transaction.hasNeighbour ? performance.now() + pauseMs() : 0;
      return true;
    } catch (error) {
      this.#transaction.rollback();
      if (isBusy(error) && this.#mayWait()) return false;
      this.#busySinceMs = undefined;
      this.#fail(this.#jobs.splice(0), error);
      return false;
    }
  }

  #mayWait(): boolean {
    const nowMs = performance.now();
    this.#busySinceMs ??= nowMs;
    this.#notBeforeMs = nowMs + pauseMs();
    return nowMs < this.#busySinceMs + busyMaxMs;
  }

  #runBatch(): void {
    const jobs = this.#jobs;
    this.#jobs = [];
    const done: (() => void)[] = [];
    const isIsolated = this.#isolate && jobs.length > 1;
    this.#isolate = false;
    const untilMs = performance.now() + batchMaxMs;
    while (done.length < batchMax && done.length < jobs.length) {
      const job = jobs[done.length] as Job;
      if (done.length > 0 && performance.now() > untilMs) break;
      try {
        const value = isIsolated ? this.#transaction.isolated(job.work) : job.work();
        done.push(() => job.resolve(value));
      } catch (error) {
        if (!isIsolated || isOfTransaction(error)) {
          this.#giveUp(jobs, error);
          return;
        }
        done.push(() => job.reject(toError(error)));
      }
    }
    this.#commit(jobs, done);
  }

  // Savepoints copy every page that a write touches, and a write hardly ever fails: so they are
  // used only when one did, and then for all of its batch.
  #giveUp(jobs: Job[], error: unknown): void {
    this.#transaction.rollback();
    if (jobs.length === 1 || isOfTransaction(error)) {
      this.#fail(jobs, error);
      return;
    }
    this.#isolate = true;
    this.#jobs = [...jobs, ...this.#jobs];
  }

  #commit(jobs: Job[], done: readonly (() => void)[]): void {
    try {
      this.#transaction.commit();
    } catch (error) {
      this.#transaction.rollback();
      this.#fail(jobs, error);
      return;
    }
    this.#jobs = [...jobs.slice(done.length), ...this.#jobs];
    for (const settle of done) settle();
  }

  #fail(jobs: readonly Job[], error: unknown): void {
    const failure = toError(error);
    if (failure instanceof StoreError && failure.fatal) this.#fatal = failure;
    for (const job of jobs) job.reject(failure);
  }
}

/** An error of the database itself hits every write of the transaction, a broken rule only its own. */
function isOfTransaction(error: unknown): boolean {
  if (error instanceof StoreError) return error.fatal;
  const failure = toStoreError(error);
  return resultCode(error) !== undefined && (failure as StoreError).code !== 'STORE_CONFLICT';
}

function toError(error: unknown): unknown {
  return sealingError(toStoreError(error));
}

/** 1–3 ms, so that two processes do not meet again at the same instant. */
function pauseMs(): number {
  return 1 + Math.random() * 2;
}
