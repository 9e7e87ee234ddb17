// Everything that is left to chance in a history comes from one seed.
import { randomOf } from '../fixtures/random-of.ts';

export class Random {
  readonly #next: () => number;

  constructor(seed: number) {
    // Neighbouring seeds start far apart.
    this.#next = randomOf(Math.imul(seed + 1, 0x9e3779b1));
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  /** An integer from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.#next() * end);
  }

  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new Error('nothing to pick from');
    return from[this.below(from.length)] as T;
  }

  /** One of the rows, as often as its weight says. */
  weighted<T extends { readonly weight: number }>(rows: readonly T[]): T {
    const total = rows.reduce((sum, { weight }) => sum + weight, 0);
    let left = this.#next() * total;
    for (const row of rows) {
      left -= row.weight;
      if (left < 0) return row;
    }
    return rows.at(-1) as T;
  }

  readonly bytes = (size: number): Uint8Array => {
    const words = new Uint32Array(Math.ceil(size / 4));
    for (let at = 0; at < words.length; at += 1) words[at] = this.#next() * 2 ** 32;
    return new Uint8Array(words.buffer, 0, size);
  };
}
