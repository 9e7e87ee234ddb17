// Notices that somebody set the clock: between two heartbeats it must go on as fast as the clock of
// the processor, which nobody can set. A machine that slept looks the same.
import type { LogLine } from '../gateway/gateway-parts.ts';
import type { Store } from '../stores/store.ts';

/** A step that is worth a receipt: 2 s. */
const stepMinMs = 2_000;

export interface Clocks {
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Milliseconds since any moment; never set. */
  readonly steadyMs: () => number;
}

export class ClockWatch {
  readonly #store: Pick<Store, 'appendLeaves'>;
  readonly #clocks: Clocks;
  readonly #log: LogLine;
  #offsetMs: number;

  constructor(store: Pick<Store, 'appendLeaves'>, clocks: Clocks, log: LogLine) {
    this.#store = store;
    this.#clocks = clocks;
    this.#log = log;
    this.#offsetMs = this.#readOffset();
  }

  #readOffset(): number {
    return this.#clocks.nowMs() - this.#clocks.steadyMs();
  }

  /** Called with each heartbeat; one alarm per step. */
  async check(): Promise<void> {
    const offsetMs = this.#readOffset();
    const stepMs = Math.round(offsetMs - this.#offsetMs);
    this.#offsetMs = offsetMs;
    if (Math.abs(stepMs) <= stepMinMs) return;
    const way = stepMs > 0 ? 'forward' : 'back';
    this.#log(
      'warn',
      `the clock went ${Math.abs(stepMs)} ms ${way}: check the time of this machine`,
    );
    await this.#store.appendLeaves([
      { type: 'alarm', open: { kind: 'clock_step', figures: { ms: stepMs } }, committed: {} },
    ]);
  }
}
