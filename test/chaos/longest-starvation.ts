// How long one of several processes was kept from its work while the others did theirs.

/** One process, from when it served to when it ended. */
export interface Working {
  readonly fromMs: number;
  readonly toMs: number;
  /** When its payments were answered, in order. */
  readonly paidMs: readonly number[];
}

/** Longest time in milliseconds without a payment of one while another one paid; 0 without any. */
export function longestStarvation(all: readonly Working[]): number {
  return all.reduce((longest, one) => Math.max(longest, starvationOf(one, all)), 0);
}

function starvationOf(one: Working, all: readonly Working[]): number {
  const others = all
    .filter((other) => other !== one && other.toMs > one.fromMs && other.fromMs < one.toMs)
    .flatMap(({ paidMs }) => paidMs)
    .toSorted((a, b) => a - b);
  let longestMs = 0;
  let at = 0;
  let startMs = one.fromMs;
  for (const endMs of [...one.paidMs, one.toMs]) {
    while ((others[at] ?? Number.POSITIVE_INFINITY) <= endMs) at += 1;
    // Up to the last payment of another: after that all of them waited for something.
    longestMs = Math.max(longestMs, (others[at - 1] ?? startMs) - startMs);
    startMs = endMs;
  }
  return longestMs;
}
