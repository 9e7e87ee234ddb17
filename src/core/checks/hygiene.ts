// Which characters a value may hold at all, before any normaliser looks at it.
import { ignorableSet, scriptOf, unassignedSet, wordSet } from './code-point-sets.ts';

type HygieneReason =
  | 'surrogate'
  | 'control'
  | 'line_break'
  | 'ignorable'
  | 'tag'
  | 'bidi'
  | 'private_use'
  | 'unassigned'
  | 'not_nfc'
  | 'mixed_script';

/** What is wrong with a text and where (index in UTF-16 units); never the text itself. */
export interface HygieneFault {
  readonly reason: HygieneReason;
  readonly at: number;
}

const printableAscii = /^[\x20-\x7e]*$/;
const lineAscii = /^[\t\x20-\x7e]*$/;
const multilineAscii = /^[\t\n\x20-\x7e]*$/;

/** True for characters that are invisible by default. */
export const isIgnorable = (codePoint: number): boolean =>
  codePoint >= 0xad && ignorableSet().has(codePoint);

/**
 * Hygiene of a critical value: no control, invisible, private or unassigned character, no lone
 * surrogate, NFC, and no word that mixes Latin with another script.
 */
export function checkCritical(text: string): HygieneFault | undefined {
  if (printableAscii.test(text)) return undefined;
  const found = criticalPattern().exec(text);
  if (found !== null) return { reason: reasonOf(found[0]), at: found.index };
  const composed = text.normalize('NFC');
  if (composed !== text) return { reason: 'not_nfc', at: firstDifference(text, composed) };
  const mixed = findMixedWord(text);
  return mixed === undefined ? undefined : { reason: 'mixed_script', at: mixed };
}

/**
 * Hygiene of free text: invisible characters that have a use are allowed, those that hide or
 * reorder text are not. A line break is LF or CR LF, and only where `multiline` says so.
 */
export function checkText(
  text: string,
  options: { readonly multiline: boolean },
): HygieneFault | undefined {
  if ((options.multiline ? multilineAscii : lineAscii).test(text)) return undefined;
  const found = (options.multiline ? multilinePattern() : linePattern()).exec(text);
  return found === null ? undefined : { reason: reasonOf(found[0]), at: found.index };
}

const always = '\\ud800-\\udfff\\u{80}-\\u{9f}\\u{7f}';
const bidi = '\\u{202a}-\\u{202e}\\u{2066}-\\u{2069}';
const tags = '\\u{e0000}-\\u{e007f}';
const controlsButLayout = '\\u{0}-\\u{8}\\u{b}\\u{c}\\u{e}-\\u{1f}';

function lazyPattern(make: () => string, flags = 'u'): () => RegExp {
  let made: RegExp | undefined;
  return () => {
    made ??= new RegExp(make(), flags);
    return made;
  };
}

const criticalPattern = lazyPattern(
  () =>
    `[${always}\\u{0}-\\u{1f}\\u{e000}-\\u{f8ff}\\u{f0000}-\\u{10ffff}` +
    `${ignorableSet().pattern}${unassignedSet().pattern}]`,
);
const textClass = (): string =>
  `${always}${controlsButLayout}${bidi}${tags}${unassignedSet().pattern}`;
const linePattern = lazyPattern(() => `[${textClass()}\\n\\r\\u{2028}\\u{2029}]`);
const multilinePattern = lazyPattern(() => `[${textClass()}]|\\r(?!\\n)`);
const wordPattern = lazyPattern(() => `[${wordSet().pattern}]+`, 'gu');

const reasonTests: readonly (readonly [HygieneReason, RegExp])[] = [
  ['surrogate', /[\ud800-\udfff]/u],
  ['line_break', /[\n\r\u{2028}\u{2029}]/u],
  ['control', /\p{Cc}/u],
  ['bidi', new RegExp(`[${bidi}]`, 'u')],
  ['tag', new RegExp(`[${tags}]`, 'u')],
  ['private_use', /\p{Co}/u],
];

function reasonOf(character: string): HygieneReason {
  for (const [reason, pattern] of reasonTests) if (pattern.test(character)) return reason;
  return isIgnorable(character.codePointAt(0) as number) ? 'ignorable' : 'unassigned';
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}

/** Where the first word starts that holds Latin and another script. */
function findMixedWord(text: string): number | undefined {
  const pattern = wordPattern();
  pattern.lastIndex = 0;
  for (let word = pattern.exec(text); word !== null; word = pattern.exec(text)) {
    if (!printableAscii.test(word[0]) && isMixedWithLatin(word[0])) return word.index;
  }
  return undefined;
}

function isMixedWithLatin(word: string): boolean {
  let latin = false;
  let other = false;
  for (const character of word) {
    const script = scriptOf(character.codePointAt(0) as number);
    if (script === 'Latin') latin = true;
    else if (script !== undefined) other = true;
    if (latin && other) return true;
  }
  return false;
}
