// Places in a text.

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text with each span replaced by a space; spans in any order, none overlapping. */
export function withoutSpans(text: string, spans: readonly Span[]): string {
  let rest = '';
  let from = 0;
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    rest += `${text.slice(from, span.start)} `;
    from = span.end;
  }
  return from === 0 ? text : rest + text.slice(from);
}

/** Adds those of `more` that overlap none of `spans`. */
export function addFree<T extends Span>(spans: T[], more: readonly T[]): void {
  const claimed = spans.toSorted((a, b) => a.start - b.start);
  for (const each of more) {
    const before = claimed[countBefore(claimed, each.end) - 1];
    if (before === undefined || before.end <= each.start) spans.push(each);
  }
}

/** How many of the spans, ordered and apart, start before `end`. */
function countBefore(spans: readonly Span[], end: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle] as Span).start < end) low = middle + 1;
    else high = middle;
  }
  return low;
}
