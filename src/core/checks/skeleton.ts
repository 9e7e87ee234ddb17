// UTS 39 skeletons: two texts that look alike have one skeleton. Only for comparing: a skeleton
// is never shown, stored as a value or executed.
import { isIgnorable } from './hygiene.ts';
import { decodeALabels } from './punycode.ts';
import { confusables } from './tables/confusables.ts';

/** The UTS 39 skeleton by the checked-in tables, whatever Unicode version the runtime has. */
export function skeleton(text: string): string {
  if (ascii.test(text)) return text.replace(asciiConfusable, prototypeOfAscii);
  const prototypes = prototypeTable();
  let mapped = '';
  for (const character of text.normalize('NFD')) {
    const codePoint = character.codePointAt(0) as number;
    if (!isIgnorable(codePoint)) mapped += prototypes.get(codePoint) ?? character;
  }
  return mapped.normalize('NFD');
}

/**
 * The key under which a value is found to imitate another one: the skeleton without case, spaces,
 * compatibility forms and the `xn--` spelling of domain labels. Unequal values with one key are
 * lookalikes; equal keys never make two values equal.
 */
export function lookalikeKey(text: string): string {
  const plain = ascii.test(text) ? text : text.normalize('NFKC');
  const folded = skeleton(decodeALabels(plain)).toLowerCase();
  return skeleton(folded).toLowerCase().replace(/\s+/gu, '');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
const ascii = /^[\x00-\x7f]*$/;
const asciiConfusable = /["%01I`m|]/g;

/** The ASCII rows of the table, at hand so that ASCII values do not wait for all of it. */
const asciiPrototypes: ReadonlyMap<string, string> = new Map([
  ['"', "''"],
  ['%', '\u00ba/\u2080'],
  ['0', 'O'],
  ['1', 'l'],
  ['I', 'l'],
  ['`', "'"],
  ['m', 'rn'],
  ['|', 'l'],
]);

const prototypeOfAscii = (character: string): string => asciiPrototypes.get(character) as string;

let prototypeMap: ReadonlyMap<number, string> | undefined;

function prototypeTable(): ReadonlyMap<number, string> {
  prototypeMap ??= new Map(confusables.join(' ').split(' ').map(decodeRow));
  return prototypeMap;
}

function decodeRow(row: string): [number, string] {
  const arrow = row.indexOf('>');
  const to = row.slice(arrow + 1).split('+');
  return [
    Number.parseInt(row.slice(0, arrow), 16),
    String.fromCodePoint(...to.map((point) => Number.parseInt(point, 16))),
  ];
}
