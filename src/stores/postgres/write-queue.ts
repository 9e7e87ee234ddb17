// Group commit: writes that arrive while a transaction runs go into the next one, up to 64, and each
// caller is answered after the commit. While the server is away they wait, but not for long; while
// nobody knows how a commit ended, nothing else is begun.

import { StoreError } from '../store.ts';
import { sealingError } from '../store-faults.ts';
import { mayPass, mayRunAgain, toStoreError, UncertainCommitError } from './postgres-error.ts';
import type { Outcome, Work, WriteEngine } from './writer.ts';

/** Writes in one transaction. */
const batchMax = 64;
/** How often a transaction that met another one is run: 5 times. */
const triesMax = 5;
/** How long a write waits for a server that is away or busy: 5 s. */
const waitMaxMs = 5_000;

export interface AddOptions<T> {
  /** Instead of `waitMaxMs`. */
  readonly waitMs?: number;
  /** Called when the write turns out to be committed after its caller was told that nobody knows. */
  readonly onAbandoned?: (value: T) => void;
}

interface Job {
  readonly work: Work;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onAbandoned: ((value: unknown) => void) | undefined;
  untilMs: number;
  isAlone: boolean;
  isSettled: boolean;
}

export class WriteQueue {
  readonly #engine: WriteEngine;
  #jobs: Job[] = [];
  #running: Promise<void> | undefined;
  #isClosed = false;
  #fatal: StoreError | undefined;

  constructor(engine: WriteEngine) {
    this.#engine = engine;
  }

  /** The error that stopped the store; everything after it is refused. */
  get fatal(): StoreError | undefined {
    return this.#fatal;
  }

  /** Runs the write in one of the next transactions; resolves after its commit. */
  add<T>(work: Work, { waitMs = waitMaxMs, onAbandoned }: AddOptions<T> = {}): Promise<T> {
    if (this.#fatal !== undefined) return Promise.reject(this.#fatal);
    if (this.#isClosed) {
      return Promise.reject(new StoreError('STORE_FAILED', 'the store is closed'));
    }
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({
        work,
        resolve: resolve as Job['resolve'],
        reject,
        onAbandoned: onAbandoned as Job['onAbandoned'],
        untilMs: performance.now() + waitMs,
        isAlone: work.kind === 'own',
        isSettled: false,
      });
      this.#running ??= this.#run();
    });
  }

  /** Takes nothing more; resolves when everything was answered. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const untilMs = performance.now() + waitMaxMs;
    for (const job of this.#jobs) job.untilMs = Math.min(job.untilMs, untilMs);
    await this.#running;
  }

  async #run(): Promise<void> {
    // What arrives in the same turn goes together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#jobs.length > 0) await this.#carryOut(this.#take());
    this.#running = undefined;
  }

  #take(): Job[] {
    const end = this.#jobs.findIndex(({ isAlone }) => isAlone);
    const size = end < 0 ? batchMax : Math.max(1, end);
    return this.#jobs.splice(0, Math.min(size, batchMax));
  }

  async #carryOut(taken: readonly Job[]): Promise<void> {
    let jobs = taken;
    for (let tries = 1; jobs.length > 0; tries += 1) {
      let outcomes: readonly Outcome[] = [];
      try {
        await this.#engine.transact(
          jobs.map(({ work }) => work),
          (reported) => {
            outcomes = reported;
          },
        );
        settle(jobs, outcomes);
        return;
      } catch (error) {
        if (error instanceof UncertainCommitError) {
          if (await this.#findOut(error, jobs)) settle(jobs, outcomes);
          jobs = jobs.filter(({ isSettled }) => !isSettled);
        } else if (mayRunAgain(error) && tries < triesMax) {
          await pause(tries * 10);
        } else {
          await this.#giveUp(jobs, error);
          return;
        }
      }
    }
  }

  /** Whether it committed; asks until it knows, and refuses whoever waited long enough. */
  async #findOut(uncertain: UncertainCommitError, jobs: readonly Job[]): Promise<boolean> {
    for (;;) {
      try {
        return await this.#engine.wasCommitted(uncertain.batchId);
      } catch (error) {
        const failure = toError(error);
        if (failure instanceof StoreError && failure.fatal) {
          this.#stop(jobs, failure);
          return false;
        }
      }
      const waiting = rejectOverdue(jobs, uncertain);
      this.#jobs = rejectOverdue(this.#jobs, uncertain);
      if (this.#isClosed && waiting.length === 0) return false;
      await pause(100);
    }
  }

  async #giveUp(jobs: readonly Job[], error: unknown): Promise<void> {
    const failure = toError(error);
    if (mayPass(error)) {
      // Undone for certain: it may come again while its caller waits.
      this.#jobs = rejectOverdue([...jobs, ...this.#jobs], failure);
      await pause(100);
    } else if (failure instanceof StoreError && failure.fatal) {
      this.#stop(jobs, failure);
    } else if (jobs.length > 1 && mayBeOfOne(failure)) {
      for (const job of jobs) job.isAlone = true;
      this.#jobs = [...jobs, ...this.#jobs];
    } else {
      reject(jobs, failure);
    }
  }

  #stop(jobs: readonly Job[], failure: StoreError): void {
    this.#fatal = failure;
    reject([...jobs, ...this.#jobs.splice(0)], failure);
  }
}

/** A broken rule or value is of one write: each is tried again by itself. */
function mayBeOfOne(failure: unknown): boolean {
  if (!(failure instanceof StoreError)) return true;
  return failure.code === 'STORE_CONFLICT' || failure.code === 'STORE_FAILED';
}

function settle(jobs: readonly Job[], outcomes: readonly Outcome[]): void {
  for (const [i, job] of jobs.entries()) {
    const outcome = outcomes[i] as Outcome;
    if (job.isSettled) {
      if (outcome.ok) job.onAbandoned?.(outcome.value);
      continue;
    }
    job.isSettled = true;
    if (outcome.ok) job.resolve(outcome.value);
    else job.reject(toError(outcome.error));
  }
}

function reject(jobs: readonly Job[], error: unknown): void {
  for (const job of jobs) {
    if (job.isSettled) continue;
    job.isSettled = true;
    job.reject(error);
  }
}

/** Refuses those whose time is over; returns the others. */
function rejectOverdue(jobs: readonly Job[], error: unknown): Job[] {
  const nowMs = performance.now();
  reject(
    jobs.filter(({ untilMs }) => untilMs <= nowMs),
    error,
  );
  return jobs.filter(({ isSettled }) => !isSettled);
}

function toError(error: unknown): unknown {
  return sealingError(toStoreError(error));
}

/** Up to twice as long, so that two processes do not meet again at the same instant. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms * (1 + Math.random())));
}
