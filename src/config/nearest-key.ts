// The known key that a misspelt one was probably meant to be.

/** Undefined when nothing is near: more than two edits, or more than a third of the word. */
export function nearestKey(key: string, known: readonly string[]): string | undefined {
  const limit = Math.min(2, Math.max(1, Math.floor(key.length / 3)));
  const ranked = known
    .map((candidate) => ({
      candidate,
      distance: editDistance(key.toLowerCase(), candidate.toLowerCase()),
    }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate;
}

/** The end of a sentence about a word that is not known. */
export function hint(word: string, known: readonly string[]): string {
  const near = nearestKey(word, known);
  return near === undefined ? '' : `; did you mean \`${near}\`?`;
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_unused, column) => column)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) row.push(cell(rows, row, { a, b, i, j }));
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}

function cell(
  rows: readonly (readonly number[])[],
  row: readonly number[],
  at: { readonly a: string; readonly b: string; readonly i: number; readonly j: number },
): number {
  const { a, b, i, j } = at;
  const value = (r: readonly number[] | undefined, column: number): number => r?.[column] ?? 0;
  const cost = a[i - 1] === b[j - 1] ? 0 : 1;
  const best = Math.min(
    value(rows[i - 1], j) + 1,
    value(row, j - 1) + 1,
    value(rows[i - 1], j - 1) + cost,
  );
  const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
  return isSwap ? Math.min(best, value(rows[i - 2], j - 2) + 1) : best;
}
