// Where a text has to be read closely. Ordinary words are most of every text, so it is cut down to
// the words that some recogniser or reading cannot do without, with what stands around them.
import { isPlain } from './text-fold.ts';
import { findIbans } from './text-ibans.ts';
import { findNumbers, numberRun } from './text-numbers.ts';
import type { Span } from './text-spans.ts';

const marks: readonly RegExp[] = [
  // addresses: a dot inside a word, signs, schemes, colons of IPv6
  /[@\\]+|[^\s]\.[A-Za-zÀ-ÿ]|[A-Za-z]:[^\s]|:\/|::|[0-9A-Fa-f]:[0-9A-Fa-f]{1,4}:|\d\.\d+\.\d+\.\d/g,
  // runs that are or encode something
  /(?<![0-9A-Za-z+/_-])[0-9A-Za-z+/_-]{15,}|-----/g,
  // disguises
  /[[({<]\s*(?:[.@:/]|d[o0]t|punkt|punto|point|at\b)|[.@]\s*[\])}]|\s[.@]|h[tx*]{2}p/gi,
  /[\s_-](?:d[o0]t|punkt|punto|point)(?=[\s_-])|\.\s+(?:com|net|org|biz|xyz)\b/gi,
  // encodings and markup
  /%[0-9a-fu]|&[#a-z]|=[0-9A-F\r\n]|\]\(|\]:|[.@:/][*`~]|[*`~][.@:/]|(?:href|src)\s*=|url\(|<[a-z!/][^<>]{0,500}>?/gi,
  // names pulled apart
  /(?<![A-Za-zÀ-ÿ0-9])[A-Za-zÀ-ÿ0-9][^A-Za-zÀ-ÿ0-9\n]{1,3}[A-Za-zÀ-ÿ0-9][^A-Za-zÀ-ÿ0-9\n]{1,3}[A-Za-zÀ-ÿ0-9](?![A-Za-zÀ-ÿ0-9])/g,
  /\.[ \t\r]*\n[ \t>|]*(?=[a-zß-ÿ0-9])|[@/:_=%-][ \t\r]*\n|\n[ \t>|]*[.@:/_?=&%]/g,
];
const foreign = /[^\t\n\r\x20-\x7e\u00a0¡£§©«°»¿À-ÅÈ-ÖÙ-Ýßà-åè-ïñ-öù-ýÿ–—‘’“”„€\u202f]+/gu;
const country = /[A-Za-z]{2}[\s.-]{0,2}\d[\s.-]?\d/;
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
    while (start > floor && /\S/.test(text.charAt(start - 1))) start -= 1;
    while (end < text.length && /\S/.test(text.charAt(end))) end += 1;
    if (last !== undefined && start - last.end <= gapMax) last.end = end;
    else clusters.push({ start, end });
  }
  return clusters;
}

/** The context before a region begins with a whole word. */
function wordStart(text: string, floor: number, start: number): number {
  let at = floor;
  while (at > 0 && at < start && /\S/.test(text.charAt(at - 1))) at += 1;
  return at;
}

function wordEnd(text: string, ceiling: number, end: number): number {
  let at = ceiling;
  while (at < text.length && at > end && /\S/.test(text.charAt(at))) at -= 1;
  return at;
}
