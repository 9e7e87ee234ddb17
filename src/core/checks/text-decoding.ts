// Encodings that a reader's program or a patient reader undoes: percent, HTML entities, backslash
// escapes, quoted-printable, base64. One layer per call.

const hex = '[0-9A-Fa-f]';
const escapes = new RegExp(
  [
    `((?:%${hex}{2})+)`,
    `%u(${hex}{4})`,
    '&#(\\d{1,7});?',
    `&#[xX](${hex}{1,6});?`,
    '&([A-Za-z]{2,12});',
    `\\\\u\\{(${hex}{1,6})\\}`,
    `\\\\u(${hex}{4})`,
    `\\\\U(${hex}{8})`,
    `\\\\x(${hex}{2})`,
    '((?:=[0-9A-F]{2})+)',
    '=\\r?\\n',
  ].join('|'),
  'gu',
);
const mayEscape = /%[0-9a-fu]|&[#a-z]|\\[uUx]|=[0-9A-F\r\n]/iu;
const base64Run = /(?<![0-9A-Za-z+/_-])[0-9A-Za-z+/_-]{16,}/gu;
const wrappedBase64 =
  /(?<![^\s>])[0-9A-Za-z+/_-]{16,}(?:\r?\n[ \t>]{0,4}[0-9A-Za-z+/_-]{2,})+={0,2}(?!\S)/gu;
const utf8 = new TextDecoder('utf-8', { fatal: false });

const namedEntities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['apos', "'"],
  ['ast', '*'],
  ['bsol', '\\'],
  ['colon', ':'],
  ['comma', ','],
  ['commat', '@'],
  ['dash', '-'],
  ['equals', '='],
  ['gt', '>'],
  ['hyphen', '-'],
  ['lbrack', '['],
  ['lowbar', '_'],
  ['lpar', '('],
  ['lsqb', '['],
  ['lt', '<'],
  ['nbsp', ' '],
  ['newline', '\n'],
  ['num', '#'],
  ['percnt', '%'],
  ['period', '.'],
  ['plus', '+'],
  ['quest', '?'],
  ['quot', '"'],
  ['rbrack', ']'],
  ['rpar', ')'],
  ['rsqb', ']'],
  ['shy', ''],
  ['sol', '/'],
  ['tab', '\t'],
  ['zwj', ''],
  ['zwnj', ''],
]);

/** The text with one layer of encodings undone; the same text when there is none. */
export function decodeText(text: string): string {
  const unwrapped = text.includes('\n')
    ? text.replace(wrappedBase64, (block) => decodeRun(block.replace(/[\s>=]/gu, '')) ?? block)
    : text;
  const escaped = mayEscape.test(unwrapped) ? unwrapped.replace(escapes, decodeEscape) : unwrapped;
  return escaped.replace(base64Run, (run) => {
    const decoded = decodeRun(run);
    return decoded === undefined ? run : ` ${decoded} `;
  });
}

type Groups = readonly (string | undefined)[];

function decodeEscape(whole: string, ...groups: Groups): string {
  const [percent, percentU, decimal, hexadecimal, named, braced, short, long, byte, quoted] =
    groups;
  if (percent !== undefined) return decodeHexBytes(percent.replaceAll('%', ''));
  if (quoted !== undefined) return decodeHexBytes(quoted.replaceAll('=', ''));
  if (named !== undefined) return namedEntities.get(named.toLowerCase()) ?? whole;
  if (decimal !== undefined) return character(Number(decimal), whole);
  const point = percentU ?? hexadecimal ?? braced ?? short ?? long ?? byte;
  return point === undefined ? '' : character(Number.parseInt(point, 16), whole);
}

const character = (point: number, whole: string): string =>
  point > 0x10ffff ? whole : String.fromCodePoint(point);

function decodeHexBytes(digits: string): string {
  const bytes = new Uint8Array(digits.length / 2);
  for (let i = 0; i < bytes.length; i += 1) {
    bytes[i] = Number.parseInt(digits.slice(i * 2, i * 2 + 2), 16);
  }
  return utf8.decode(bytes);
}

const probeLength = 32;
const printableMin = 10;

/**
 * The printable text of a base64 or base64url run, else undefined. A run may have swallowed the
 * end of a path in front of it, so it is also read from the next places and between its signs.
 */
function decodeRun(run: string): string | undefined {
  for (let skip = 0; skip < 4; skip += 1) {
    const decoded = decodePrintable(run.slice(skip));
    if (decoded !== undefined) return run.slice(0, skip) + decoded;
  }
  const parts = run.split(/[+/_-]/u);
  if (parts.length === 1) return undefined;
  const decoded = parts.map((part) => (part.length < 16 ? undefined : decodePrintable(part)));
  if (decoded.every((part) => part === undefined)) return undefined;
  return parts.map((part, i) => decoded[i] ?? part).join(' ');
}

function decodePrintable(run: string): string | undefined {
  // most runs are words or ids: a few characters tell
  const probe = printable(bytesOf(run.slice(0, probeLength)), run.length > probeLength);
  if (probe === undefined || run.length <= probeLength) return probe;
  return printable(bytesOf(run), false);
}

/** The bytes as text when they are UTF-8 or UTF-16 without control characters. */
function printable(bytes: Uint8Array, isCut: boolean): string | undefined {
  const isWide = bytes.length > 2 && bytes.every((byte, i) => i % 2 === 0 || byte === 0);
  const narrow = isWide ? bytes.filter((byte) => byte !== 0) : bytes;
  if (narrow.some(isControl)) return undefined;
  const text = utf8.decode(isCut ? narrow.subarray(0, lastStart(narrow)) : narrow);
  return text.length < printableMin || /[\ufffd\u0080-\u009f]/u.test(text) ? undefined : text;
}

const isControl = (byte: number): boolean =>
  (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) || byte === 0x7f;

/** Where the last character begins, which a cut may have left incomplete. */
function lastStart(bytes: Uint8Array): number {
  let at = bytes.length - 1;
  while (at > 0 && ((bytes[at] as number) & 0xc0) === 0x80) at -= 1;
  return at;
}

const digitValues: ReadonlyMap<number, number> = new Map(
  Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', (digit, value) => [
    digit.charCodeAt(0),
    value,
  ]),
);

/** Decodes leniently: both alphabets, spare bits dropped. */
function bytesOf(run: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((run.length * 3) / 4));
  let bits = 0;
  let bitCount = 0;
  let at = 0;
  for (let i = 0; i < run.length; i += 1) {
    const unit = run.charCodeAt(i);
    const value = digitValues.get(unit) ?? (unit === 0x2d ? 62 : 63);
    bits = ((bits << 6) | value) & 0xffff;
    bitCount += 6;
    if (bitCount >= 8) {
      bitCount -= 8;
      bytes[at] = (bits >> bitCount) & 0xff;
      at += 1;
    }
  }
  return bytes;
}
