// Where a text has to be read closely. Ordinary words are most of every text, so it is cut down to
// the words that some recogniser or reading cannot do without, with what stands around them.
import { isSpaceAt } from './text-characters.ts';
import { isPlain, plainClass } from './text-fold.ts';
import { findIbans } from './text-ibans.ts';
import { findNumbers, numberRun } from './text-numbers.ts';
import type { Span } from './text-spans.ts';

const alone = '[0-9A-Za-zÀ-ÿ]';
const apart = '[^0-9A-Za-zÀ-ÿ\\n]{1,3}';

const marks: readonly RegExp[] = [
  // addresses: a dot inside a word, signs, schemes, colons of IPv6
  /[@\\]+|[^\s]\.[A-Za-zÀ-ÿ]|[A-Za-z]:[^\s]|:\/|\d\.\d+\.\d+\.\d/gu,
  /::|[0-9A-Fa-f]:[0-9A-Fa-f]{1,4}:/gu,
  // runs that are or encode something
  /(?<![0-9A-Za-z+/_-])[0-9A-Za-z+/_-]{15,}|-----/gu,
  // disguises
  /[[({<]\s*(?:[.@:/]|d[o0]t|punkt|punto|point|at\b)|[.@]\s*[\])}]|\s[.@]|h[tx*]{2}p/giu,
  /[\s_-](?:d[o0]t|punkt|punto|point)(?=[\s_-])|\.\s+(?:com|net|org|biz|xyz)\b/giu,
  // encodings and markup
  /%[0-9a-fu]|&[#a-z]|=[0-9A-F\r\n]|<[a-z!/][^<>]{0,500}>?/giu,
  /\]\(|\]:|[.@:/][*`~]|[*`~][.@:/]|(?:href|src)\s*=|url\(/giu,
  // names pulled apart
  new RegExp(`(?<!${alone})${alone}${apart}${alone}${apart}${alone}(?!${alone})`, 'gu'),
  /\.[ \t\r]*\n[ \t>|]*(?=[a-zß-ÿ0-9])|[@/:_=%-][ \t\r]*\n|\n[ \t>|]*[.@:/_?=&%]/gu,
];
const foreign = new RegExp(`[^${plainClass}]+`, 'gu');
const country = /[A-Za-z]{2}[\s.-]{0,2}\d[\s.-]?\d/u;
// further apart, two marks have nothing to do with each other
const gapMax = 24;
// a word about payment or phones, or a first name, stands this near
const contextLength = 44;
const noAmounts: ReadonlySet<string> = new Set();

/** The parts of a text to read, each with its context; none for ordinary text. */
export function loudRegions(text: string): string[] {
  const clusters = clustersOf(text, marksOf(text));
  return clusters.map(({ start, end }, i) => {
    const floor = Math.max(clusters[i - 1]?.end ?? 0, start - contextLength);
    const ceiling = Math.min(clusters[i + 1]?.start ?? text.length, end + contextLength);
    return text.slice(wordStart(text, floor, start), wordEnd(text, ceiling, end));
  });
}

function marksOf(text: string): Span[] {
  const found: Span[] = [];
  const add = (start: number, length: number): void => {
    found.push({ start, end: start + length });
  };
  for (const pattern of isPlain(text) ? marks : [...marks, foreign]) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      add(match.index, match[0].length);
    }
  }
  if (numberRun.test(text)) found.push(...findNumbers(text, noAmounts));
  if (country.test(text)) found.push(...findIbans(text));
  return found.sort((a, b) => a.start - b.start);
}

/** Marks widened to whole words, and joined where they are near each other. */
function clustersOf(text: string, spans: readonly Span[]): Span[] {
  const clusters: { start: number; end: number }[] = [];
  for (const span of spans) {
    const last = clusters.at(-1);
    if (last !== undefined && span.end <= last.end) continue;
    let { start, end } = span;
    const floor = last?.end ?? 0;
    while (start > floor && !isSpaceAt(text, start - 1)) start -= 1;
    while (end < text.length && !isSpaceAt(text, end)) end += 1;
    if (last !== undefined && start - last.end <= gapMax) last.end = end;
    else clusters.push({ start, end });
  }
  return clusters;
}

/** The context before a region begins with a whole word. */
function wordStart(text: string, floor: number, start: number): number {
  let at = floor;
  while (at > 0 && at < start && !isSpaceAt(text, at - 1)) at += 1;
  return at;
}

function wordEnd(text: string, ceiling: number, end: number): number {
  let at = ceiling;
  while (at < text.length && at > end && !isSpaceAt(text, at)) at -= 1;
  return at;
}
