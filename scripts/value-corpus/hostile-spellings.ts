// Ways to write something that looks like a trusted value, or hides another one behind it.
import { lookalikesOf } from './lookalikes.ts';
import { spelled, type TrustedValue } from './trusted-values.ts';

/** `differs`: refused, or accepted with another canonical form than the trusted one. */
type Expectation =
  | { readonly canonical: string }
  | { readonly code: string }
  | { readonly differs: true };

export interface CorpusRow {
  readonly type: string;
  readonly raw: unknown;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly expect: Expectation;
  readonly trusted?: string;
  readonly note: string;
}

const charset: Expectation = { code: 'charset' };
const differs: Expectation = { differs: true };

const invisible = [
  0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180b, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e,
  0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2061, 0x2064, 0x2066, 0x2067, 0x2069,
  0x206f, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xe0001, 0xe0041, 0xe007f, 0xe0100,
];
const controls = [0x00, 0x01, 0x09, 0x0a, 0x0d, 0x1c, 0x1f, 0x7f, 0x80, 0x85, 0x9f];
const strangers = [0xd800, 0xdfff, 0xe000, 0xf0000, 0x378, 0xfffe, 0x10ffff];

/** All hostile spellings of one trusted value. */
export function hostileSpellings(trusted: TrustedValue): CorpusRow[] {
  return [
    ...withInsertions(trusted),
    ...withLookalikes(trusted),
    ...inOtherForms(trusted),
    ...inOtherTypes(trusted),
  ];
}

function row(
  trusted: TrustedValue,
  raw: unknown,
  rest: { expect: Expectation; note: string },
): CorpusRow {
  const { type, canonical } = trusted;
  return { type, raw, expect: rest.expect, trusted: canonical, note: rest.note };
}

const hex = (point: number): string => `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;

/** A character that is not seen, at the start, in the middle and at the end. */
function withInsertions(trusted: TrustedValue): CorpusRow[] {
  const text = spelled(trusted);
  const rows: CorpusRow[] = [];
  for (const [index, point] of [...invisible, ...controls, ...strangers].entries()) {
    const place = ['start', 'middle', 'end'][index % 3];
    const at = [0, text.length >> 1, text.length][index % 3] as number;
    const raw = text.slice(0, at) + String.fromCodePoint(point) + text.slice(at);
    rows.push(row(trusted, raw, { expect: charset, note: `${hex(point)} at ${place}` }));
  }
  return rows;
}

/** One character replaced by one that looks like it. */
function withLookalikes(trusted: TrustedValue): CorpusRow[] {
  const text = spelled(trusted);
  const rows: CorpusRow[] = [];
  for (const [at, character] of Array.from(text).entries()) {
    if (text.indexOf(character) !== at) continue;
    const looks = lookalikesOf(character);
    const chosen = looks.filter((_, n) => n % Math.max(1, Math.ceil(looks.length / 2)) === at % 2);
    for (const look of chosen) {
      const raw = text.slice(0, at) + look + text.slice(at + character.length);
      const note = `${character} as ${Array.from(look, (c) => hex(c.codePointAt(0) ?? 0)).join(' ')}`;
      rows.push(row(trusted, raw, { expect: differs, note }));
    }
  }
  return rows;
}

const fullWidth = (text: string): string =>
  text.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));

function inOtherForms(trusted: TrustedValue): CorpusRow[] {
  const text = spelled(trusted);
  const forms: [string, string][] = [
    ['full width', fullWidth(text)],
    ['last character in full width', text.slice(0, -1) + fullWidth(text.slice(-1))],
    ['reversed by an override', `\u202e${Array.from(text).reverse().join('')}\u202c`],
    ['no-break space around', `\u00a0${text}\u00a0`],
    ['ideographic space behind', `${text}\u3000`],
    ['percent-encoded first character', `%${text.charCodeAt(0).toString(16)}${text.slice(1)}`],
    ['character reference', `&#${text.charCodeAt(0)};${text.slice(1)}`],
    ['escaped', `\\u00${text.charCodeAt(0).toString(16)}${text.slice(1)}`],
    ['quoted', `"${text}"`],
    ['in angle brackets', `<${text}>`],
    ['Markdown link', `[${text}](https://evil.com)`],
    ['twice', `${text}${text}`],
    ['listed with another', `${text}, x@evil.com`],
    ['with a comment', `${text} (verified)`],
    ['trailing dot', `${text}.`],
    ['continued by another host', `${text}.evil.com`],
    ['in front of another host', `${text}@evil.com`],
    ['header injection', `${text}\r\nBcc: x@evil.com`],
    ['base64', Buffer.from(text).toString('base64')],
    ['spread by dots', Array.from(text).join('.')],
    ['spread by hyphens', Array.from(text).join('-')],
    ['last character missing', text.slice(0, -1)],
    ['combining mark behind', `${text}\u0301`],
    ['ref object as text', `{"ref":"${text}"}`],
    ['null byte and another value', `${text}\u0000evil`],
  ];
  return forms.map(([note, raw]) => row(trusted, raw, { expect: differs, note }));
}

function inOtherTypes(trusted: TrustedValue): CorpusRow[] {
  const text = spelled(trusted);
  const values: unknown[] = [[text], [[text]], { ref: text }, { value: text }, null, true, 7, []];
  const type: Expectation = { code: 'type' };
  return values.map((raw) => row(trusted, raw, { expect: type, note: 'not a text' }));
}
