// Asks a time-stamping authority about a checkpoint, once an hour while the log grows, and keeps the token.
import type { LogLine } from '../gateway/gateway-parts.ts';
import type { SignedCheckpoint, Store } from '../stores/store.ts';
import { FailureNotice } from './failure-notice.ts';
import { TimestampError, type TimestampLink } from './timestamp-link.ts';

/** How often, over all processes of one store: once an hour. */
const askEveryMs = 3_600_000;
/** When an authority that failed is asked again: after 10 min. */
const retryMs = 600_000;

export interface TimestampRoundsOptions {
  readonly link: TimestampLink;
  readonly store: Store;
  readonly nowMs: () => number;
  readonly report: LogLine;
}

export class TimestampRounds {
  readonly #options: TimestampRoundsOptions;
  #nextMs = 0;
  /** Size of the largest checkpoint with a timestamp, as far as is known. */
  #size = 0;
  readonly #failure: FailureNotice;
  #round: Promise<void> | undefined;

  constructor(options: TimestampRoundsOptions) {
    this.#options = options;
    this.#failure = new FailureNotice(options.store, options.report);
  }

  /** Begins a round that is due, and returns at once. `signed` is the newest checkpoint. */
  offer(signed: SignedCheckpoint): void {
    const { report, nowMs } = this.#options;
    if (this.#round !== undefined || signed.size <= this.#size) return;
    const waitMs = this.#nextMs - nowMs();
    // Longer than any wait: the clock was put back.
    if (waitMs > 0 && waitMs <= askEveryMs) return;
    this.#round = this.#runRound(signed)
      .catch((error: unknown) => report('error', `store: ${String(error)}`))
      .finally(() => {
        this.#round = undefined;
      });
  }

  /** Resolves when no round is on its way. */
  async settle(): Promise<void> {
    await this.#round;
  }

  async #runRound(newest: SignedCheckpoint): Promise<void> {
    const { store, nowMs } = this.#options;
    this.#nextMs = nowMs() + retryMs;
    const last = await store.readTimestamped();
    // Another process of this store may have asked.
    const ageMs = nowMs() - (last?.timestampedMs ?? 0);
    if (ageMs >= 0 && ageMs < askEveryMs) {
      this.#nextMs = nowMs() + askEveryMs - ageMs;
      return;
    }
    const lastSize = last?.size ?? 0;
    this.#size = lastSize;
    if (newest.size <= lastSize) {
      this.#nextMs = 0;
      return;
    }
    // One that witnesses cosigned says more; without one that is new the time must not wait.
    const cosigned = await store.readCosigned();
    const chosen = cosigned !== undefined && cosigned.size > lastSize ? cosigned : newest;
    const token = await this.#ask(chosen.note);
    if (token === undefined) return;
    const atMs = nowMs();
    await store.timestamp({ size: chosen.size, token, atMs });
    this.#size = chosen.size;
    this.#nextMs = atMs + askEveryMs;
  }

  /** Undefined when the authority failed. */
  async #ask(note: string): Promise<Uint8Array | undefined> {
    const { link } = this.#options;
    const who = `time-stamping authority \`${link.url}\``;
    try {
      const token = await link.stamp(note);
      this.#failure.answers(`${who} answers again`);
      return token;
    } catch (error) {
      if (!(error instanceof TimestampError)) throw error;
      await this.#failure.fails(`${who} ${error.message}`, { kind: 'timestamp_failed' });
      return undefined;
    }
  }
}
