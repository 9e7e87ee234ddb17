// Values that stand literally in the user's own request, by typed extraction. Nothing a tool returned comes here.
import { normalisers } from './normalisers.ts';

type Canonical = string | number | boolean;

/** Longest request that is read, in UTF-16 units. */
const requestMax = 65_536;
/** Longest run of words that counts as one value. */
const wordsMax = 6;

const cache = new Map<string, readonly Canonical[]>();

/** Canonical forms of every literal of the request that this normaliser accepts; without one: quoted texts, words and numbers. */
export function requestLiterals(request: string, normaliser: string | undefined): readonly Canonical[] {
  const key = `${normaliser ?? ''}\0${request}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const literals = extract(request.slice(0, requestMax), normaliser);
  if (cache.size < 64) cache.set(key, literals);
  return literals;
}

function extract(text: string, name: string | undefined): readonly Canonical[] {
  const find = candidatesByNormaliser[name ?? ''] ?? phrases;
  const normaliser = normalisers.get(name ?? 'exact');
  const found = find(text).flatMap((candidate): readonly Canonical[] => {
    const read = normaliser?.normalise(candidate, {});
    return read?.ok === true ? [read.canonical] : [];
  });
  return [...new Set(found)];
}

function ibans(text: string): readonly string[] {
  return matches(text, /\b[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]){10,30}\b/g).flatMap(prefixes);
}

/** An IBAN in running text may be followed by a word that looks like more of it. */
function prefixes(run: string): readonly string[] {
  const parts = run.split(' ');
  return parts.map((_part, index) => parts.slice(0, index + 1).join(' '));
}

const emails = (text: string): readonly string[] =>
  matches(text, /[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+[A-Za-z0-9]/g);

const urls = (text: string): readonly string[] => matches(text, /https:\/\/[^\s"'<>()]+[^\s"'<>().,;:!?]/g);

const domains = (text: string): readonly string[] =>
  matches(text, /\b(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}\b/g);

const amounts = (text: string): readonly string[] =>
  matches(text, /(?<![\d.,])\d{1,15}(?:\.\d{1,4})?(?![\d]|[.,]\d)/g);

/** Quoted texts as they stand, and runs of whole words. */
function phrases(text: string): readonly string[] {
  const quoted = matches(text, /"[^"\n]{1,500}"|'[^'\n]{1,500}'|“[^”\n]{1,500}”|‘[^’\n]{1,500}’/g);
  const words = text.split(/\s+/).filter((word) => word !== '');
  const runs = words.flatMap((_word, start) =>
    Array.from({ length: Math.min(wordsMax, words.length - start) }, (_unused, length) =>
      bare(words.slice(start, start + length + 1).join(' ')),
    ),
  );
  return [...quoted.map((quote) => quote.slice(1, -1)), ...runs];
}

/** Punctuation around a word does not belong to it. */
const bare = (run: string): string => run.replace(/^["'“‘(]+|["'”’).,;:!?]+$/g, '');

const matches = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([match]) => match);

/** Where each normaliser looks; any other reads phrases. */
const candidatesByNormaliser: Readonly<Record<string, (text: string) => readonly string[]>> = {
  iban: ibans,
  'iban-lenient': ibans,
  email: emails,
  'email-exact': emails,
  domain: domains,
  url: urls,
  'url-origin': urls,
  'url-domain': urls,
  date: (text) => matches(text, /\b\d{4}-\d{2}-\d{2}\b/g),
  money: amounts,
};
