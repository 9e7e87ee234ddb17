// When a server that ended is started again: soon at first, then ever more rarely.

const delayMaxMs = 30_000;
const windowMs = 60_000;
const startsMax = 5;
const slowDelayMs = 60_000;

export class RestartPlan {
  #starts: number[] = [];
  #ends = 0;

  countStart(nowMs: number): void {
    this.#starts = this.#starts.filter((startMs) => nowMs - startMs < windowMs);
    // A process that lived through the window has earned a fresh count.
    if (this.#starts.length === 0) this.#ends = 0;
    this.#starts.push(nowMs);
  }

  /** 1, 2, 4 … 30 s with up to a quarter of jitter; a minute after five starts within a minute. */
  nextDelayMs(nowMs: number): number {
    const recent = this.#starts.filter((startMs) => nowMs - startMs < windowMs).length;
    this.#ends += 1;
    if (recent >= startsMax) return slowDelayMs;
    const delayMs = Math.min(1000 * 2 ** (this.#ends - 1), delayMaxMs);
    return delayMs * (0.75 + Math.random() / 4);
  }
}
