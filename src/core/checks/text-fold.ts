// Spellings that look or resolve the same: compatibility forms, invisible characters, foreign
// digits and dots, enclosed letters, and at last letters that only look like ASCII.
import { isIgnorable } from './hygiene.ts';
import { skeleton } from './skeleton.ts';

/** A class of the characters that every reading leaves alone, or takes for white space. */
export const plainClass =
  '\\t\\n\\r\\x20-\\x7e\\u00a0¡£§©«°»¿À-ÅÈ-ÖÙ-Ýßà-åè-ïñ-öù-ýÿ–—‘’“”„€\\u202f';
const plain = new RegExp(`^[${plainClass}]*$`, 'u');
// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
const foreign = /[^\x00-\x7f]/u;
const everyForeign = new RegExp(foreign, 'gu');
const memoSizeMax = 8192;
const growthMax = 4;

/** True when folding cannot show anything that the text does not show itself. */
export const isPlain = (text: string): boolean => !foreign.test(text) || plain.test(text);

/** NFKC without invisible characters; dots, digits and enclosed letters of any script as ASCII. */
export function foldText(text: string): string {
  if (isPlain(text)) return text;
  const composed = text.normalize('NFKC');
  // some characters become eighteen: such a text is not read any further
  return composed.length > text.length * growthMax + memoSizeMax
    ? composed
    : composed.replace(everyForeign, foldCharacter);
}

/** The folded text with each character that imitates an ASCII character replaced by it. */
export function imitatedText(text: string): string {
  return isPlain(text) ? text : text.replace(everyForeign, imitatedCharacter);
}

function memoised(compute: (character: string) => string): (character: string) => string {
  const memo = new Map<string, string>();
  return (character) => {
    const known = memo.get(character);
    if (known !== undefined) return known;
    const computed = compute(character);
    if (memo.size < memoSizeMax) memo.set(character, computed);
    return computed;
  };
}

const dots = new Set(['\u3002', '\uff0e', '\uff61', '\u2024']);

const foldCharacter = memoised((character) => {
  const point = character.codePointAt(0) as number;
  if (isIgnorable(point)) return '';
  if (dots.has(character)) return '.';
  if (/\p{Nd}/u.test(character)) return String(digitValue(point));
  return enclosedLetter(point) ?? character;
});

/** Decimal digits come in runs of ten from zero to nine. */
function digitValue(point: number): number {
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value += 1;
  return value;
}

/** Letters of negative circles and squares and of flags, which NFKC keeps. */
function enclosedLetter(point: number): string | undefined {
  const start = [0x1f150, 0x1f170, 0x1f1e6].find((first) => point >= first && point < first + 26);
  return start === undefined ? undefined : String.fromCharCode(0x61 + point - start);
}

const bullets = new Set(['·', '•', '∙', '⋅', '・', '۔', '܁', '܂']);

const imitatedCharacter = memoised((character) => {
  if (/\p{M}/u.test(character)) return '';
  if (bullets.has(character)) return '.';
  const prototype = skeleton(character);
  if (prototype === 'rn') return 'm';
  return /^[\x21-\x7e]$/u.test(prototype) ? prototype : character;
});
