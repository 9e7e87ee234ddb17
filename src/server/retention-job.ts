// Erases what expired once a day, in one of the processes that share the store.
import type { RetentionTerms } from '../core/retention.ts';
import type { LogLine } from '../gateway/gateway-parts.ts';
import type { Store } from '../stores/store.ts';
import { expirePayloads } from './expire-payloads.ts';

const everyMs = 86_400_000;

export class RetentionJob {
  readonly #store: Store;
  readonly #terms: RetentionTerms;
  readonly #surroundings: { readonly nowMs: () => number; readonly log: LogLine };
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(
    store: Store,
    terms: RetentionTerms,
    surroundings: { readonly nowMs: () => number; readonly log: LogLine },
  ) {
    this.#store = store;
    this.#terms = terms;
    this.#surroundings = surroundings;
  }

  /** Does nothing while it runs, or when a process did it within a day. */
  run(): Promise<void> {
    this.#running ??= this.#runOnce().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #runOnce(): Promise<void> {
    if (this.#isStopped || !(await this.#store.claimChore('retention', everyMs))) return;
    const { nowMs, log } = this.#surroundings;
    const { leaves, values } = await expirePayloads(this.#store, {
      terms: this.#terms,
      nowMs: nowMs(),
      isDryRun: false,
      isStopped: () => this.#isStopped,
    });
    if (leaves > 0)
      log('info', `${values} values behind ${leaves} receipts expired and were erased`);
  }

  /** Ends it between two steps. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running?.catch(() => {});
  }
}
