// The middle of a list of numbers: one extreme value does not move it.

/** Undefined for an empty list; half-way between the two in the middle of an even one. */
export function median(numbers: readonly number[]): number | undefined {
  const sorted = numbers.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  if (upper === undefined || sorted.length % 2 === 1) return upper;
  // INVARIANT: an even list that is not empty has a number below its upper middle.
  const lower = sorted[sorted.length / 2 - 1] as number;
  // The sum of two large numbers would lose digits that their distance keeps.
  return lower + (upper - lower) / 2;
}
