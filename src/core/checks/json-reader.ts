// The tokeniser behind strict-json.ts: one pass over the text, no backtracking, no excerpt kept.
// A method that meets a fault records it and returns undefined, which no JSON value is.
import type { JsonObject, JsonValue } from '../json-value.ts';
import { err, ok, type Result } from '../result.ts';
import { followKey, isKeyAt, type KeyShape, rootShape, shapeMask } from './json-key-shapes.ts';
import { isGuardedNumber, numberFromText } from './json-number.ts';

export type JsonFaultCode =
  | 'json_utf8'
  | 'json_bom'
  | 'json_too_large'
  | 'json_syntax'
  | 'json_trailing'
  | 'json_depth'
  | 'json_keys'
  | 'json_nodes'
  | 'json_duplicate_key'
  | 'json_forbidden_key'
  | 'json_surrogate'
  | 'json_control'
  | 'json_number';

/** What a document may hold. */
export interface JsonLimits {
  readonly sizeMaxBytes: number;
  readonly depthMax: number;
  readonly keysMax: number;
  readonly nodesMax: number;
  /** `kept`: any JSON number, by its text. `guarded`: only those that no reader rounds. */
  readonly numbers: 'kept' | 'guarded';
}

/** Keys that reach a prototype in code that copies objects carelessly. */
export const forbiddenKeys: ReadonlySet<string> = new Set([
  '__proto__',
  'constructor',
  'prototype',
]);

const quote = 0x22;
const backslash = 0x5c;
const loneSurrogate = /\p{Surrogate}/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controlUnit = /[\x00-\x1f]/;
const surrogateUnit = /[\ud800-\udfff]/;
const numberToken = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const escapeToken = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/g;

const minus = 0x2d;
const zero = 0x30;
const shortNumberMax = 16;
const integerDigitsMax = 15;
const powersOfTen = [1, 10, 100, 1e3, 1e4, 1e5, 1e6];
const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;
/** Comma, closing bracket or space: what may follow a number inside a list or an object. */
const endsNumber = (unit: number): boolean =>
  unit === 0x2c || unit === 0x7d || unit === 0x5d || unit === 0x20 || unit === 0x0a;

/** At least one digit before the point, and no leading zero but a single one. */
const isShortForm = (text: string, start: number, end: number): boolean =>
  end > start && (text.charCodeAt(start) !== zero || end === start + 1);

const shortInteger = (value: number, digits: number): number | undefined =>
  digits > integerDigitsMax ? undefined : value;

/** A trailing zero or more decimals than the table has: the text may print differently. */
function shortDecimal(value: number, decimals: number, lastUnit: number): number | undefined {
  const divisor = decimals === 0 || lastUnit === zero ? undefined : powersOfTen[decimals];
  return divisor === undefined ? undefined : value / divisor;
}

function indexOrEnd(text: string, part: string, start: number): number {
  const at = text.indexOf(part, start);
  return at < 0 ? text.length : at;
}

/** True when an odd number of backslashes stands before the quote. */
function isEscapedAt(text: string, quoteAt: number): boolean {
  let at = quoteAt - 1;
  while (text.charCodeAt(at) === backslash) at -= 1;
  return (quoteAt - at) % 2 === 0;
}

/** Where the first escape stands that JSON does not know. */
const badEscapeIndex = (raw: string): number =>
  raw.replace(escapeToken, (known) => ' '.repeat(known.length)).indexOf('\\');

type Members = { [key: string]: JsonValue };

export class JsonReader {
  readonly #text: string;
  readonly #limits: JsonLimits;
  readonly #mayHoldControls: boolean;
  readonly #mayHoldSurrogates: boolean;
  #nextBackslash = -1;
  #at = 0;
  #nodes = 0;
  #code: JsonFaultCode = 'json_syntax';
  #faultAt = 0;

  constructor(text: string, limits: JsonLimits) {
    this.#text = text;
    this.#limits = limits;
    // Asked once of the whole text, so that strings need no look at each of their characters.
    this.#mayHoldControls = controlUnit.test(text);
    this.#mayHoldSurrogates = surrogateUnit.test(text);
  }

  /** Reads one value and nothing after it. The index of a fault counts UTF-16 units. */
  readDocument(): Result<JsonValue, { readonly code: JsonFaultCode; readonly at: number }> {
    this.#skipSpace();
    let value = this.#readValue(0);
    if (value !== undefined) {
      this.#skipSpace();
      if (this.#at < this.#text.length) value = this.#fail('json_trailing', this.#at);
    }
    return value === undefined ? err({ code: this.#code, at: this.#faultAt }) : ok(value);
  }

  #fail(code: JsonFaultCode, at: number): undefined {
    this.#code = code;
    this.#faultAt = at;
    return undefined;
  }

  #skipSpace(): void {
    let unit = this.#text.charCodeAt(this.#at);
    while (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) {
      this.#at += 1;
      unit = this.#text.charCodeAt(this.#at);
    }
  }

  #readValue(depth: number): JsonValue | undefined {
    this.#nodes += 1;
    if (this.#nodes > this.#limits.nodesMax) return this.#fail('json_nodes', this.#at);
    switch (this.#text.charCodeAt(this.#at)) {
      case quote:
        return this.#readString();
      case 0x7b:
        return this.#readObject(depth + 1);
      case 0x5b:
        return this.#readList(depth + 1);
      case 0x74:
        return this.#readWord('true', true);
      case 0x66:
        return this.#readWord('false', false);
      case 0x6e:
        return this.#readWord('null', null);
      default:
        return this.#readNumber();
    }
  }

  #readWord(word: string, value: JsonValue): JsonValue | undefined {
    if (!this.#text.startsWith(word, this.#at)) return this.#fail('json_syntax', this.#at);
    this.#at += word.length;
    return value;
  }

  #readNumber(): JsonValue | undefined {
    const start = this.#at;
    const fast = this.#readShortNumber();
    if (fast !== undefined) return fast;
    const first = this.#text.charCodeAt(start);
    if (!isDigit(first) && first !== minus) return this.#fail('json_syntax', start);
    numberToken.lastIndex = start;
    if (!numberToken.test(this.#text)) return this.#fail('json_number', start);
    const end = numberToken.lastIndex;
    if (/[0-9.eE+-]/.test(this.#text.charAt(end))) return this.#fail('json_number', start);
    this.#at = end;
    const text = this.#text.slice(start, end);
    if (this.#limits.numbers === 'guarded' && !isGuardedNumber(text)) {
      return this.#fail('json_number', start);
    }
    return numberFromText(text);
  }

  /**
   * Numbers of at most 15 digits without sign, exponent or superfluous zeros: each is a double
   * that prints the same digits, and both parts of the division are exact.
   */
  #readShortNumber(): number | undefined {
    const text = this.#text;
    const start = this.#at;
    let at = start;
    let value = 0;
    let point = -1;
    let unit = text.charCodeAt(at);
    for (; at - start < shortNumberMax; unit = text.charCodeAt(at)) {
      if (isDigit(unit)) value = value * 10 + (unit - 0x30);
      else if (unit === 0x2e && point < 0) point = at;
      else break;
      at += 1;
    }
    if (!endsNumber(unit) || !isShortForm(text, start, point < 0 ? at : point)) return undefined;
    const short =
      point < 0
        ? shortInteger(value, at - start)
        : shortDecimal(value, at - point - 1, text.charCodeAt(at - 1));
    if (short !== undefined) this.#at = at;
    return short;
  }

  #readString(): string | undefined {
    const start = this.#at + 1;
    const end = this.#closingQuote(start);
    if (end < 0) return this.#fail('json_syntax', this.#text.length);
    const raw = this.#text.slice(start, end);
    const control = this.#mayHoldControls ? raw.search(controlUnit) : -1;
    if (control >= 0) return this.#fail('json_control', start + control);
    const isEscaped = this.#nextBackslash < end;
    const value = isEscaped ? this.#unescape(raw, start) : raw;
    if (value === undefined) return undefined;
    if ((isEscaped || this.#mayHoldSurrogates) && loneSurrogate.test(value)) {
      return this.#fail('json_surrogate', start);
    }
    this.#at = end + 1;
    return value;
  }

  /** The index of the quote that ends a string: the first one that no backslash escapes. */
  #closingQuote(start: number): number {
    const text = this.#text;
    if (this.#nextBackslash < start) this.#nextBackslash = indexOrEnd(text, '\\', start);
    let end = text.indexOf('"', start);
    if (this.#nextBackslash > end) return end;
    while (end >= 0 && isEscapedAt(text, end)) end = text.indexOf('"', end + 1);
    return end;
  }

  /** The engine's own parser reads the escapes; only a bad one is looked for by hand. */
  #unescape(raw: string, start: number): string | undefined {
    try {
      return JSON.parse(`"${raw}"`) as string;
    } catch {
      return this.#fail('json_syntax', start + badEscapeIndex(raw));
    }
  }

  #readList(depth: number): JsonValue | undefined {
    if (depth > this.#limits.depthMax) return this.#fail('json_depth', this.#at);
    const items: JsonValue[] = [];
    this.#at += 1;
    this.#skipSpace();
    if (this.#take(0x5d)) return items;
    for (;;) {
      const item = this.#readValue(depth);
      if (item === undefined) return undefined;
      items.push(item);
      this.#skipSpace();
      if (this.#take(0x5d)) return items;
      if (!this.#take(0x2c)) return this.#fail('json_syntax', this.#at);
      this.#skipSpace();
    }
  }

  #readObject(depth: number): JsonObject | undefined {
    if (depth > this.#limits.depthMax) return this.#fail('json_depth', this.#at);
    const members: Members = Object.create(null) as Members;
    this.#at += 1;
    this.#skipSpace();
    if (this.#take(0x7d)) return members;
    let shape = rootShape();
    for (let keys = 1; ; keys += 1) {
      if (keys > this.#limits.keysMax) return this.#fail('json_keys', this.#at);
      const next = this.#readKey(members, shape);
      if (next === undefined || !this.#readColon()) return undefined;
      const value = this.#readValue(depth);
      if (value === undefined) return undefined;
      members[next.key] = value;
      shape = next;
      this.#skipSpace();
      if (this.#take(0x7d)) return members;
      if (!this.#take(0x2c)) return this.#fail('json_syntax', this.#at);
      this.#skipSpace();
    }
  }

  /** A key that the object does not have yet. Along a shape seen before that is known already. */
  #readKey(members: Members, shape: KeyShape): KeyShape | undefined {
    const text = this.#text;
    const start = this.#at;
    if (text.charCodeAt(start) !== quote) return this.#fail('json_syntax', start);
    const seen = shape.next[text.charCodeAt(start + 1) & shapeMask];
    if (seen !== undefined && isKeyAt(text, start + 1, seen.key)) {
      this.#at = start + seen.key.length + 2;
      return seen;
    }
    const key = this.#readString();
    if (key === undefined) return undefined;
    if (members[key] !== undefined) return this.#fail('json_duplicate_key', start);
    if (forbiddenKeys.has(key)) return this.#fail('json_forbidden_key', start);
    return followKey(shape, key);
  }

  #readColon(): boolean {
    this.#skipSpace();
    if (!this.#take(0x3a)) {
      this.#fail('json_syntax', this.#at);
      return false;
    }
    this.#skipSpace();
    return true;
  }

  #take(unit: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== unit) return false;
    this.#at += 1;
    return true;
  }
}
