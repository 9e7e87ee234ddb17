// RFC 3492 decoding, to show and to compare `xn--` labels. Encoding is left to the host parser.

const base = 36;
const tMin = 1;
const tMax = 26;
const labelMax = 63;
// A label of 63 characters cannot reach further; beyond it the sums would lose digits.
const deltaMax = 0x10ffff * labelMax;

/** The text of an `xn--` label without its prefix, undefined when it is not punycode. */
export function decodePunycode(input: string): string | undefined {
  if (input.length > labelMax) return undefined;
  const dash = Math.max(input.lastIndexOf('-'), 0);
  const output = Array.from(input.slice(0, dash), (character) => character.charCodeAt(0));
  let at = dash > 0 ? dash + 1 : 0;
  let codePoint = 128;
  let bias = 72;
  let position = 0;
  while (at < input.length) {
    const read = readDelta(input, at, bias);
    if (read === undefined) return undefined;
    const count = output.length + 1;
    bias = adapt(read.delta, count, position === 0 && codePoint === 128);
    codePoint += Math.floor((position + read.delta) / count);
    if (codePoint > 0x10ffff || (codePoint >= 0xd800 && codePoint < 0xe000)) return undefined;
    position = (position + read.delta) % count;
    output.splice(position, 0, codePoint);
    position += 1;
    at = read.next;
  }
  return String.fromCodePoint(...output);
}

/** The text with every `xn--` label decoded where it can be. */
export const decodeALabels = (text: string): string =>
  text.replace(
    /\bxn--([a-z0-9-]+)/giu,
    (label: string, code: string) => decodePunycode(code.toLowerCase()) ?? label,
  );

/** One variable-length integer: its value and where the next one starts. */
function readDelta(
  input: string,
  start: number,
  bias: number,
): { readonly delta: number; readonly next: number } | undefined {
  let delta = 0;
  let weight = 1;
  let threshold = base;
  for (let at = start; at < input.length; at += 1, threshold += base) {
    const digit = digitOf(input.charCodeAt(at));
    if (digit === undefined) return undefined;
    delta += digit * weight;
    if (delta > deltaMax) return undefined;
    const limit = Math.min(Math.max(threshold - bias, tMin), tMax);
    if (digit < limit) return { delta, next: at + 1 };
    weight *= base - limit;
  }
  return undefined;
}

function digitOf(unit: number): number | undefined {
  if (unit >= 0x61 && unit <= 0x7a) return unit - 0x61;
  return unit >= 0x30 && unit <= 0x39 ? unit - 0x30 + 26 : undefined;
}

function adapt(delta: number, count: number, first: boolean): number {
  let rest = Math.floor(delta / (first ? 700 : 2));
  rest += Math.floor(rest / count);
  let steps = 0;
  while (rest > ((base - tMin) * tMax) / 2) {
    rest = Math.floor(rest / (base - tMin));
    steps += base;
  }
  return steps + Math.floor(((base - tMin + 1) * rest) / (rest + 38));
}
