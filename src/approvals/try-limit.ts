// How many tries at a secret everybody together has: in a minute, and at a time.

/** Hashes at a time; each needs 64 MiB. */
const hashesMax = 2;
/** Tries of everybody together. */
const triesMax = 20;
const windowMs = 60_000;

/** One for each process. */
export class TryLimit {
  #hashing = 0;
  #tries: readonly number[] = [];

  /** Counts a try that hashes nothing; or the instant from which on the next one is taken. */
  count(nowMs: number): number | undefined {
    this.#tries = this.#tries.filter((atMs) => atMs > nowMs - windowMs && atMs <= nowMs);
    const [first] = this.#tries;
    if (first !== undefined && this.#tries.length >= triesMax) return first + windowMs;
    this.#tries = [...this.#tries, nowMs];
    return undefined;
  }

  /** The same, with a place for hashing that `leave` gives back. */
  enter(nowMs: number): number | undefined {
    if (this.#hashing >= hashesMax) return nowMs + 1_000;
    const untilMs = this.count(nowMs);
    if (untilMs === undefined) this.#hashing += 1;
    return untilMs;
  }

  leave(): void {
    this.#hashing -= 1;
  }
}
