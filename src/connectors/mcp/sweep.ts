// One coarse timer for all requests of a connection: a timer per call costs more than the call.

const stepsPerLimit = 20;
const stepMinMs = 10;
const stepMaxMs = 1000;

export class Sweep {
  readonly #check: () => void;
  #timer: NodeJS.Timeout | undefined;
  #stepMs = Number.POSITIVE_INFINITY;

  constructor(check: () => void) {
    this.#check = check;
  }

  /** Checks often enough for a limit of this length, until `stop`. */
  start(limitMs: number): void {
    const stepMs = Math.min(Math.max(limitMs / stepsPerLimit, stepMinMs), stepMaxMs);
    if (stepMs >= this.#stepMs && this.#timer !== undefined) return;
    clearInterval(this.#timer);
    this.#stepMs = stepMs;
    this.#timer = setInterval(this.#check, stepMs);
  }

  /** Nothing is open: the timer may run on for a while, but it keeps no process alive. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
