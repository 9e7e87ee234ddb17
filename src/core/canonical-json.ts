// JSON Canonicalization Scheme (RFC 8785) over a closed set of values without floats. What is
// outside the set throws: libraries that round, drop or guess give two readings of one hash.
import {
  decodeUtf8Strict,
  type JsonFault,
  type JsonLimits,
  parseStrictJson,
} from './checks/strict-json.ts';
import { isRawNumber } from './json-value.ts';
import { err, ok, type Result } from './result.ts';

/** What can be encoded: numbers are safe integers, texts are well-formed, objects are plain. */
export type CanonicalValue =
  | string
  | number
  | boolean
  | null
  | readonly CanonicalValue[]
  | CanonicalObject;

export interface CanonicalObject {
  readonly [key: string]: CanonicalValue;
}

/** What is wrong with a value that has no canonical form. */
export type CanonicalJsonCode =
  | 'JCS_TYPE'
  | 'JCS_NUMBER'
  | 'JCS_TEXT'
  | 'JCS_KEY'
  | 'JCS_DEPTH'
  | 'JCS_SIZE';

/** Deepest nesting of containers. */
export const canonicalDepthMax = 32;
/** Longest canonical text in UTF-8 bytes. */
export const canonicalSizeMaxBytes = 1_048_576;

/** Thrown for a value outside the closed set; `path` leads to it. */
export class CanonicalJsonError extends Error {
  readonly code: CanonicalJsonCode;
  readonly path: string;
  constructor(code: CanonicalJsonCode, path: string) {
    super(`${meanings[code]}, at \`${path}\``);
    this.name = 'CanonicalJsonError';
    this.code = code;
    this.path = path;
  }
}

/** The one canonical text of a value. */
export function canonicalJson(value: CanonicalValue): string {
  // Most calls are for one short text; most other values are in order already: checked, then written natively.
  if (typeof value === 'string' && value.length <= quickSizeMax && !needsEscape.test(value)) {
    return `"${value}"`;
  }
  quickLeft = quickSizeMax;
  if (isQuick(value, 0)) return JSON.stringify(value);
  const progress: Progress = { path: [], sizeLeft: canonicalSizeMaxBytes };
  const text = encodeValue(value, '$', progress);
  // One UTF-16 unit is up to three bytes, and only short texts are safe without counting.
  if (text.length * 3 > canonicalSizeMaxBytes && utf8SizeBytes(text) > canonicalSizeMaxBytes) {
    fail('JCS_SIZE', '$', progress);
  }
  return text;
}

/** UTF-16 units and values that the quick way takes: far from the size limit, however they are escaped. */
const quickSizeMax = 32_768;
let quickLeft = 0;

/** True when `JSON.stringify` gives the canonical text: plain values, keys in order. Anything else, good or bad, is left to the encoder. */
function isQuick(value: CanonicalValue, depth: number): boolean {
  if (typeof value === 'string') {
    quickLeft -= value.length + 1;
    return quickLeft >= 0 && value.isWellFormed();
  }
  // A list of a million numbers is long too.
  quickLeft -= 1;
  if (quickLeft < 0) return false;
  if (typeof value === 'number') return Number.isSafeInteger(value) && !Object.is(value, -0);
  if (typeof value === 'boolean' || value === null) return true;
  if (typeof value !== 'object' || depth === canonicalDepthMax) return false;
  return Array.isArray(value)
    ? isQuickList(value, depth)
    : isQuickObject(value as CanonicalObject, depth);
}

function isQuickList(list: readonly CanonicalValue[], depth: number): boolean {
  if (Object.getPrototypeOf(list) !== Array.prototype) return false;
  // `length` is the one own name beside the elements.
  if (Object.getOwnPropertyNames(list).length !== list.length + 1) return false;
  if (Object.getOwnPropertySymbols(list).length > 0) return false;
  for (let i = 0; i < list.length; i += 1) {
    if (!isQuick(list[i] as CanonicalValue, depth + 1)) return false;
  }
  return true;
}

function isQuickObject(object: CanonicalObject, depth: number): boolean {
  if (Object.getPrototypeOf(object) !== Object.prototype) return false;
  const keys = Object.keys(object);
  if (Object.getOwnPropertyNames(object).length !== keys.length) return false;
  if (Object.getOwnPropertySymbols(object).length > 0) return false;
  let last = '';
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] as string;
    if (i > 0 && last >= key) return false;
    quickLeft -= key.length + 1;
    if (quickLeft < 0 || !key.isWellFormed() || forbiddenKeys.has(key)) return false;
    if (!isQuick(object[key] as CanonicalValue, depth + 1)) return false;
    last = key;
  }
  return true;
}

/** Why bytes are not the canonical text of a value. */
export type CanonicalFault = JsonFault | { readonly code: 'json_not_canonical' };

/** Reads bytes that must be canonical already: decodes strictly, encodes again, compares. */
export function parseCanonicalJson(bytes: Uint8Array): Result<CanonicalValue, CanonicalFault> {
  const text = decodeUtf8Strict(bytes);
  if (!text.ok) return text;
  const parsed = parseStrictJson(text.value, limits);
  if (!parsed.ok) return parsed;
  // The encoder refuses what the wider type still allows: fractions and kept numbers.
  const value = parsed.value as CanonicalValue;
  return encodesTo(value, text.value) ? ok(value) : err({ code: 'json_not_canonical' });
}

const meanings: Readonly<Record<CanonicalJsonCode, string>> = {
  JCS_TYPE: 'canonical JSON has no such value',
  JCS_NUMBER: 'canonical JSON takes safe integers only, write other numbers as text',
  JCS_TEXT: 'canonical JSON refuses a lone surrogate',
  JCS_KEY: 'canonical JSON refuses this key',
  JCS_DEPTH: `canonical JSON nests at most ${canonicalDepthMax} deep`,
  JCS_SIZE: `canonical JSON is at most ${canonicalSizeMaxBytes} bytes long`,
};

const limits: JsonLimits = {
  depthMax: canonicalDepthMax,
  // The size bounds both.
  keysMax: canonicalSizeMaxBytes,
  nodesMax: canonicalSizeMaxBytes,
  sizeMaxBytes: canonicalSizeMaxBytes,
  numbers: 'kept',
};

type Key = string | number;

/** Where the encoder stands: the containers above, and how much it may still write. */
interface Progress {
  readonly path: Key[];
  sizeLeft: number;
}

function encodeValue(value: CanonicalValue, key: Key, progress: Progress): string {
  if (typeof value === 'string') return spend(quote(value, key, progress), key, progress);
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) fail('JCS_NUMBER', key, progress);
    return spend(String(value), key, progress);
  }
  if (typeof value === 'boolean') return spend(value ? 'true' : 'false', key, progress);
  if (typeof value !== 'object') return fail('JCS_TYPE', key, progress);
  return value === null ? spend('null', key, progress) : encodeNested(value, key, progress);
}

function encodeNested(
  value: readonly CanonicalValue[] | CanonicalObject,
  key: Key,
  progress: Progress,
): string {
  if (progress.path.length === canonicalDepthMax) fail('JCS_DEPTH', key, progress);
  spend('{}', key, progress);
  progress.path.push(key);
  const text = Array.isArray(value)
    ? encodeList(value, progress)
    : encodeObject(value as CanonicalObject, progress);
  progress.path.pop();
  return text;
}

function encodeList(list: readonly CanonicalValue[], progress: Progress): string {
  // `length` is the one own key beside the elements: fewer are holes, more are decoration.
  if (
    Object.getPrototypeOf(list) !== Array.prototype ||
    Reflect.ownKeys(list).length !== list.length + 1
  ) {
    failHere('JCS_TYPE', progress);
  }
  let text = '[';
  for (let i = 0; i < list.length; i += 1) {
    if (i > 0) text += ',';
    text += encodeValue(list[i] as CanonicalValue, i, progress);
  }
  return `${text}]`;
}

function encodeObject(object: CanonicalObject, progress: Progress): string {
  const keys = sortedKeys(object, progress);
  let text = '{';
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] as string;
    if (forbiddenKeys.has(key)) fail('JCS_KEY', key, progress);
    if (i > 0) text += ',';
    text += spend(`${quote(key, key, progress)}:`, key, progress);
    text += encodeValue(object[key] as CanonicalValue, key, progress);
  }
  return `${text}}`;
}

// These reach a prototype in careless readers of the text.
const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

function sortedKeys(object: CanonicalObject, progress: Progress): string[] {
  const prototype: unknown = Object.getPrototypeOf(object);
  const isPlain = prototype === Object.prototype || (prototype === null && !isRawNumber(object));
  if (!isPlain) failHere('JCS_TYPE', progress);
  const keys = Object.keys(object);
  // Symbol keys and hidden properties would be lost without a word.
  if (Reflect.ownKeys(object).length !== keys.length) failHere('JCS_TYPE', progress);
  return isSorted(keys) ? keys : keys.sort();
}

function isSorted(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i += 1) {
    if ((keys[i - 1] as string) >= (keys[i] as string)) return false;
  }
  return true;
}

// Quote, backslash, controls and surrogates.
const needsEscape = /[^\u0020\u0021\u0023-\u005b\u005d-\ud7ff\ue000-\uffff]/;
const loneSurrogate = /\p{Surrogate}/u;

// RFC 8785 section 3.2.2.2 took its escapes from `JSON.stringify`.
function quote(text: string, key: Key, progress: Progress): string {
  if (!needsEscape.test(text)) return `"${text}"`;
  if (loneSurrogate.test(text)) fail('JCS_TEXT', key, progress);
  return JSON.stringify(text);
}

// Bounds the work too: one object may be reachable over exponentially many ways.
function spend(text: string, key: Key, progress: Progress): string {
  progress.sizeLeft -= text.length;
  if (progress.sizeLeft < 0) fail('JCS_SIZE', key, progress);
  return text;
}

function failHere(code: CanonicalJsonCode, progress: Progress): never {
  const key = progress.path.pop() as Key;
  return fail(code, key, progress);
}

function fail(code: CanonicalJsonCode, key: Key, progress: Progress): never {
  const steps = [...progress.path, key].slice(1);
  const path = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  throw new CanonicalJsonError(code, `$${path.join('')}`.slice(0, 200));
}

function encodesTo(value: CanonicalValue, text: string): boolean {
  try {
    return canonicalJson(value) === text;
  } catch {
    // Outside the closed type, so no text is its canonical form.
    return false;
  }
}

function utf8SizeBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
