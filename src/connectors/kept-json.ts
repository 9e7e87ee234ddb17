// Lenient reading: every JSON document, equal keys allowed (the last one wins), and each number
// with its own digits.
import type { JsonValue } from '../core/json-value.ts';

export interface KeptJson {
  readonly value: JsonValue;
  /** Two equal keys stood in one object. */
  readonly hasDuplicateKeys: boolean;
}

/** Undefined when the text is not JSON. */
export function parseKeptJson(text: string): KeptJson | undefined {
  try {
    const scan = scanJson(text);
    const value = (scan.losesNumbers ? parseSlowly(text) : JSON.parse(text)) as JsonValue;
    return { value, hasDuplicateKeys: countKeys(value) !== scan.keys };
  } catch {
    return undefined;
  }
}

const parseWithSource = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

function parseSlowly(text: string): unknown {
  return parseWithSource(text, (_key, value, { source }) => {
    if (typeof value !== 'number' || source === undefined) return value;
    return printsAs(value, source) ? value : JSON.rawJSON(source);
  });
}

const printsAs = (value: number, source: string): boolean =>
  String(value) === source && !Object.is(value, -0);

interface Scan {
  readonly losesNumbers: boolean;
  readonly keys: number;
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
// Integers of up to this many digits print as they were written.
const exactDigits = 15;

/** One pass that steps over strings with a native search. Exact for valid JSON. */
function scanJson(text: string): Scan {
  let keys = 0;
  let losesNumbers = false;
  let at = 0;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit === quote) {
      at = endOfString(text, at + 1);
    } else if (unit === colon) {
      keys += 1;
      at += 1;
    } else if (unit === 0x2d || (unit >= 0x30 && unit <= 0x39)) {
      const end = endOfNumber(text, at);
      losesNumbers ||= losesText(text, at, end);
      at = end;
    } else {
      at += 1;
    }
  }
  return { losesNumbers, keys };
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start);
  while (end !== -1 && isEscaped(text, end, start)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

function isEscaped(text: string, at: number, start: number): boolean {
  let slashes = 0;
  while (at - 1 - slashes >= start && text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
  return slashes % 2 === 1;
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const unit = text.charCodeAt(at);
    const isPart =
      (unit >= 0x30 && unit <= 0x39) ||
      unit === 0x2e ||
      unit === 0x2b ||
      unit === 0x2d ||
      unit === 0x65 ||
      unit === 0x45;
    if (!isPart) return at;
    at += 1;
  }
}

function losesText(text: string, start: number, end: number): boolean {
  const isShort = end - start <= exactDigits;
  if (isShort && text.charCodeAt(start) !== 0x2d && isDigits(text, start, end)) return false;
  const source = text.slice(start, end);
  return !printsAs(Number(source), source);
}

function isDigits(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x30 || unit > 0x39) return false;
  }
  return true;
}

function countKeys(value: JsonValue): number {
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) count += countKeys(item);
    return count;
  }
  for (const item of Object.values(value)) count += 1 + countKeys(item as JsonValue);
  return count;
}
