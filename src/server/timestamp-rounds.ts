// Asks a time-stamping authority about a checkpoint, once an hour while the log grows, and keeps the token.
import type { LogLine } from '../gateway/gateway-parts.ts';
import type { SignedCheckpoint, Store } from '../stores/store.ts';
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
  #isFailing = false;
  #round: Promise<void> | undefined;

  constructor(options: TimestampRoundsOptions) {
    this.#options = options;
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
    const { link, report } = this.#options;
    try {
      const token = await link.stamp(note);
      if (this.#isFailing) report('info', `time-stamping authority \`${link.url}\` answers again`);
      this.#isFailing = false;
      return token;
    } catch (error) {
      if (!(error instanceof TimestampError)) throw error;
      await this.#noteFailure(error);
      return undefined;
    }
  }

  /** One leaf when it begins to fail; what goes on failing is not told again. */
  async #noteFailure({ message }: TimestampError): Promise<void> {
    if (this.#isFailing) return;
    this.#isFailing = true;
    const { link, report, store } = this.#options;
    report('error', `time-stamping authority \`${link.url}\` ${message}`);
    const open = { kind: 'timestamp_failed', figures: {} };
    await store.appendLeaves([{ type: 'alarm', open, committed: {} }]);
  }
}
