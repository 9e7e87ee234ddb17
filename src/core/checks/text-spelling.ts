// Addresses written so that a filter misses them and a reader does not: `hxxp`, `evil[.]com`,
// `evil dot com`, and the escapes and tags that a page or mail program drops.
import { isTld } from './text-domains.ts';

const disguised =
  /hxxp|h\*\*p|htxp|[[({<]\s*(?:[.@:/]|d[o0]t|punkt|punto|point|at\b|ät\b)|[.@]\s*[\])}]/iu;
const opening = '[\\[({<]\\s{0,3}';
const closing = '\\s{0,3}[\\])}>]';
const dotWord = '(?:d[o0]t|punkt|punto|point)';

const bracketedDot = new RegExp(`\\s?${opening}(?:\\.|${dotWord})${closing}\\s?`, 'giu');
const bracketedAt = new RegExp(`\\s?${opening}(?:@|at|ät)${closing}\\s?`, 'giu');
const bracketedScheme = new RegExp(`${opening}(:?/{1,2}|:)${closing}`, 'gu');

/** The text with the usual disguises of addresses undone. */
export function refang(text: string): string {
  if (!disguised.test(text)) return text;
  return text
    .replace(/h(?:xx|tx|xt|\*\*)p(s?)(?=[:[(])/giu, 'http$1')
    .replace(bracketedDot, '.')
    .replace(bracketedAt, '@')
    .replace(bracketedScheme, '$1')
    .replace(/(?<=[\p{L}\p{N}])(?:[[({]\.|\.[\])}])(?=[\p{L}\p{N}])/gu, '.')
    .replace(/(?<=[\p{L}\p{N}])(?:[[({]@|@[\])}])(?=[\p{L}\p{N}])/gu, '@');
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Words before `dot` and before `at` that make it ordinary language. */
const notLabels = words(
  'a an and black blue das dem den der die dieser du each ein eine einen einer every first green ' +
    'in jeder kein le letzte mein of one or red second small some the this that to und white your',
);
const notMailboxes = words(
  'am and are arrive available based call contact email find found has here hosted info is it ' +
    'look mail me meet office online or page register see shop site starts team them us visit ' +
    'was website write you',
);

export interface SpelledWords {
  /** Only what no ordinary sentence says. */
  readonly strong: string;
  /** Also what might be one: entities found only here are `possible`. */
  readonly weak: string;
}

const mayDot = /d[o0]t|punkt|punto|point/iu;
const mayAt = /\s(?:at|arroba|arobase|ät)\s/iu;
const maySpace = /\s[.@]|@\s|\.\s+(?:com|net|org|biz|xyz)(?!\p{L})/u;
const gap = '(?:\\s{1,4}|[_-])';
const letter = '[\\p{L}\\p{N}]';
const label = '[\\p{L}\\p{N}-]{1,63}';
const atWord = '(?:at|arroba|arobase|ät)';
const dotJoin = new RegExp(
  `(?<=${letter})${gap}${dotWord}${gap}(?=(${label})(${gap}${dotWord}(?!${letter})|@)?)`,
  'giu',
);
const atJoin = new RegExp(
  `(?<=${letter})${gap}${atWord}${gap}(?=${label}${gap}${dotWord}(?:\\s|[_-]))`,
  'giu',
);
const atDomain = new RegExp(
  `(?<!${letter})([\\p{L}\\p{N}._+-]{1,64})\\s+${atWord}\\s+(?=${label}(?:\\.${label})+)`,
  'giu',
);
const spacedDot = /(?<=[\p{L}\p{N}])(\s+\.\s*|\.\s+)(?=([a-z]{2,24})(?![\p{L}\p{N}])(@)?)/gu;
const spacedAt = /(?<=[\p{L}\p{N}])(?:\s+@\s*|@\s+)(?=[\p{L}\p{N}-]{1,63}\s*\.\s*\p{L})/gu;
const afterFullStop = new Set(['com', 'net', 'org', 'biz', 'xyz']);

/** The text with `dot`, `at` and spaced signs between label-like words as signs. */
export function joinWords(text: string): SpelledWords {
  const isSpaced = maySpace.test(text);
  const hasDots = mayDot.test(text);
  const hasAts = mayAt.test(text);
  if (!isSpaced && !hasDots && !hasAts) return { strong: text, weak: text };
  const spelled = hasDots ? text.replace(atJoin, '@') : text;
  const joined = isSpaced ? spelled.replace(spacedAt, '@') : spelled;
  const strong = hasDots || isSpaced ? joinDots(joined, false) : joined;
  const dotted = hasDots || isSpaced ? joinDots(joined, true) : joined;
  return { strong, weak: hasAts ? dotted.replace(atDomain, joinMailbox) : dotted };
}

const joinMailbox = (whole: string, local: string): string =>
  notMailboxes.has(local.toLowerCase()) ? whole : `${local}@`;

function joinDots(text: string, isWeak: boolean): string {
  const joinWord = (whole: string, ...[next, another, at]: Groups): string => {
    const before = wordBefore(text, Number(at));
    if (before === undefined || notLabels.has(before.toLowerCase())) return whole;
    return another !== undefined || isSuffix(next, isWeak ? '' : whole) ? '.' : whole;
  };
  const joinSpaced = (whole: string, ...[space, next, at]: Groups): string => {
    if (String(space).startsWith('.')) return afterFullStop.has(String(next)) ? '.' : whole;
    // `the .net framework` is only a guess
    if (!isWeak && !/\s$/u.test(String(space))) return whole;
    return at !== undefined || isSuffix(next, isWeak ? '' : whole) ? '.' : whole;
  };
  return text.replace(dotJoin, joinWord).replace(spacedDot, joinSpaced);
}

const wordBefore = (text: string, at: number): string | undefined =>
  /[\p{L}\p{N}-]+$/u.exec(text.slice(Math.max(0, at - 64), at))?.[0];

/** The groups of a match, its place behind them. */
type Groups = readonly (string | number | undefined)[];

/** Suffixes that follow `dot` as words of a sentence, and those that follow `point`. */
const clauseWords = words(
  'ai all am an as at be by do for here how id in is ist it live me my no now on one red so to us',
);
const romanceWords = words('car de es et id la lt me no sa se si vote');

/** Whether the label is a suffix; behind a spelled `dot` it must not continue the sentence. */
function isSuffix(next: Groups[number], dot: string): boolean {
  const suffix = String(next).toLowerCase();
  if (!isTld(suffix)) return false;
  if (dot !== '' && clauseWords.has(suffix)) return false;
  return !(/point|punto/iu.test(dot) && romanceWords.has(suffix));
}
