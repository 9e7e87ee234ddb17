// Where typed values may stand in a request. Every pattern is linear: its repetitions are bounded.
import { currencyExponents } from './tables/currencies.ts';

/** Texts that the value type then accepts or not. */
export type FindLiterals = (text: string, currency?: string) => Iterable<string>;

/** Longest run of words that counts as one value. */
const wordsMax = 6;

const matches = (text: string, pattern: RegExp): readonly string[] =>
  Array.from(text.matchAll(pattern), ([match]) => match);

const local = "A-Za-z0-9.!#$%&'*+/=?^_`{|}~-";
const emailPattern = new RegExp(
  `(?<![${local}])[${local}]{1,64}@[A-Za-z0-9.-]{1,253}(?<![.-])`,
  'g',
);
const urlPattern = /\bhttps:\/\/[^\s"'<>()]{1,2048}(?<![.,;:!?])/g;
/** A name that stands by itself: the host of a link or of an address is not what the user named. */
const domainPattern =
  /(?<![A-Za-z0-9_@/.-])(?:[A-Za-z0-9-]{1,63}\.){1,10}[A-Za-z]{2,63}(?![A-Za-z0-9_@-]|\.[A-Za-z0-9])/g;
const datePattern = /(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w-])/g;
const ibanRun = /\b[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]){10,30}\b/g;
/** An account without check digits has to end where its writing says so: in one piece, or in groups of four. */
const lenientIban =
  /\b[A-Za-z]{2}\d{2}(?:[A-Za-z0-9]{10,30}|(?: (?=[A-Z]*\d|[A-Z]{4}\b)[A-Z0-9]{4}){2,7}(?: \d{1,3})?)\b/g;

/** An IBAN in running text may be followed by a word that looks like more of it; its check digits tell. */
function* strictIbansIn(text: string): Iterable<string> {
  for (const run of matches(text, ibanRun)) {
    for (let end = run.length; end > 0; end = run.lastIndexOf(' ', end - 1))
      yield run.slice(0, end);
  }
}

const phonePattern = /\+\d[\d ()/.-]{5,20}\d/g;
const numberPattern =
  /(?<=^|[\s("'“‘[])(?<!\d[ \u00a0\u202f'’])(?:([A-Z]{3}|[€$£¥])( ?))?(\d{1,15}(?:\.\d{1,4})?)(?! ?%|[ \u00a0\u202f'’]\d{3})(?:( ?)([A-Z]{3}(?![A-Za-z0-9])|[€$£¥]))?(?=$|[\s)"'”’\];!?]|[.:,](?=\s|$))/g;
const signs: ReadonlyMap<string, string> = new Map([
  ['€', 'EUR'],
  ['£', 'GBP'],
]);

/**
 * Plain decimals with a point that are no part of another value, in the given currency where one
 * stands beside them. Grouped digits and decimal commas can be read two ways and are left out.
 */
export function* amountsIn(text: string, currency?: string): Iterable<string> {
  const others = [emailPattern, urlPattern, ibanRun, phonePattern];
  const left = others.reduce((rest, pattern) => rest.replace(pattern, '#'), text);
  for (const [, before, gapBefore, digits = '', gapAfter, after] of left.matchAll(numberPattern)) {
    const isCode = isNameOfThing(before, gapBefore) || isNameOfThing(after, gapAfter);
    const stated = [before, after].map(currencyOf).find((code) => code !== undefined);
    const fits = stated === undefined || currency === undefined || stated === currency;
    if (!isCode && fits && !isGrouped(digits)) yield digits;
  }
}

/** `SKU123` is a name of something; `EUR123` is an amount. */
const isNameOfThing = (word: string | undefined, gap: string | undefined): boolean =>
  word !== undefined && word.length === 3 && gap === '' && !currencyExponents.has(word);

function currencyOf(word: string | undefined): string | undefined {
  if (word === undefined) return undefined;
  return currencyExponents.has(word) ? word : signs.get(word);
}

/** Three digits after the point: thousands in one half of the world, thousandths in the other. */
const isGrouped = (digits: string): boolean => /^\d{1,3}\.\d{3}$/.test(digits);

const quotes = /"[^"\n]{1,500}"|'[^'\n]{1,500}'|“[^”\n]{1,500}”|‘[^’\n]{1,500}’/g;

/** Quoted texts as they stand, and runs of whole words. */
export function* phrasesIn(text: string): Iterable<string> {
  for (const quote of matches(text, quotes)) yield quote.slice(1, -1);
  const words = text.split(/\s+/).filter((word) => word !== '');
  for (const start of words.keys()) {
    for (let count = 1; count <= Math.min(wordsMax, words.length - start); count += 1) {
      yield withoutPunctuation(words.slice(start, start + count).join(' '));
    }
  }
}

const opening = new Set('"\'“‘(');
const closing = new Set('"\'”’).,;:!?');

/** Punctuation around a word does not belong to it. */
function withoutPunctuation(run: string): string {
  let start = 0;
  let end = run.length;
  while (start < end && opening.has(run.charAt(start))) start += 1;
  while (end > start && closing.has(run.charAt(end - 1))) end -= 1;
  return run.slice(start, end);
}

const by =
  (pattern: RegExp): FindLiterals =>
  (text) =>
    matches(text, pattern);

/** Where each value type looks; any other reads phrases. */
export const finders: ReadonlyMap<string, FindLiterals> = new Map<string, FindLiterals>([
  ['iban', strictIbansIn],
  ['iban-lenient', by(lenientIban)],
  ['email', by(emailPattern)],
  ['email-exact', by(emailPattern)],
  ['domain', by(domainPattern)],
  ['url', by(urlPattern)],
  ['url-origin', by(urlPattern)],
  ['url-domain', by(urlPattern)],
  ['date', by(datePattern)],
  ['money', amountsIn],
]);
