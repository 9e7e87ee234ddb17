// The front door for bytes: strict UTF-8, strict JSON, numbers with their own digits. What
// JSON.parse silently repairs (two equal keys, rounded integers, prototype keys) is refused.
import { isJsonObject, type JsonObject, type JsonValue, numberText } from '../json-value.ts';
import { err, ok, type Result } from '../result.ts';
import { isGuardedNumber } from './json-number.ts';
import { forbiddenKeys, type JsonFaultCode, type JsonLimits, JsonReader } from './json-reader.ts';

export type { JsonLimits } from './json-reader.ts';

/** What is wrong and where, as an offset in UTF-8 bytes; never an excerpt. */
export interface JsonFault {
  readonly code: JsonFaultCode;
  readonly offset: number;
}

/** What is wrong in a tree that is parsed already, and under which path (`to[2].address`). */
export interface JsonPathFault {
  readonly code: JsonFaultCode;
  readonly path: string;
}

/** A whole message of a transport: numbers travel as they are written. */
export const messageLimits: JsonLimits = {
  sizeMaxBytes: 16 * 1024 * 1024,
  depthMax: 64,
  keysMax: Number.POSITIVE_INFINITY,
  nodesMax: Number.POSITIVE_INFINITY,
  numbers: 'kept',
};

/** The arguments of a guarded call: what a decision reads must be small and exact. */
export const argumentLimits: JsonLimits = {
  sizeMaxBytes: 1024 * 1024,
  depthMax: 32,
  keysMax: 1000,
  nodesMax: 10_000,
  numbers: 'guarded',
};

/** Parses one JSON document. Objects have no prototype; nothing is repaired. */
export function parseStrictJson(text: string, limits: JsonLimits): Result<JsonValue, JsonFault> {
  if (isTooLarge(text, limits.sizeMaxBytes)) {
    return err({ code: 'json_too_large', offset: limits.sizeMaxBytes });
  }
  if (text.charCodeAt(0) === 0xfeff) return err({ code: 'json_bom', offset: 0 });
  const read = new JsonReader(text, limits).readDocument();
  if (read.ok) return read;
  const { code, at } = read.error;
  return err({ code, offset: utf8Length(text.slice(0, at)) });
}

/** Decodes UTF-8 without repairs: an invalid sequence or a byte order mark is a fault. */
export function decodeUtf8Strict(bytes: Uint8Array): Result<string, JsonFault> {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return err({ code: 'json_bom', offset: 0 });
  }
  try {
    return ok(strictDecoder.decode(bytes));
  } catch {
    return err({ code: 'json_utf8', offset: validPrefixLength(bytes) });
  }
}

/**
 * Applies the argument limits to a value that is parsed already, so that a message is parsed once
 * and only a guarded call pays for the narrower rules.
 */
export function checkArgumentTree(value: JsonValue): JsonPathFault | undefined {
  const walk: Walk = { nodes: 0, units: 0, fault: undefined };
  if (!checkNode(value, { walk, path: '', depth: 0 })) return walk.fault;
  const textMax = walk.units * 6 + walk.nodes * 32;
  if (textMax <= argumentLimits.sizeMaxBytes) return undefined;
  return isTooLarge(JSON.stringify(value), argumentLimits.sizeMaxBytes)
    ? { code: 'json_too_large', path: '' }
    : undefined;
}

/** The length of a text in UTF-8, without encoding it. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) length += 1;
    // A surrogate pair has 2 units and 4 bytes: one more for each half, as counted above.
    if (unit >= 0x800 && (unit < 0xd800 || unit >= 0xe000)) length += 1;
  }
  return length;
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenientDecoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** Up to which byte the input is valid: where it first differs from its repaired form. */
function validPrefixLength(bytes: Uint8Array): number {
  const repaired = encoder.encode(lenientDecoder.decode(bytes));
  let at = 0;
  while (bytes[at] === repaired[at]) at += 1;
  while (((repaired[at] as number) & 0xc0) === 0x80) at -= 1;
  return at;
}

const isTooLarge = (text: string, sizeMaxBytes: number): boolean =>
  text.length > sizeMaxBytes || (text.length * 3 > sizeMaxBytes && utf8Length(text) > sizeMaxBytes);

interface Walk {
  nodes: number;
  units: number;
  fault: JsonPathFault | undefined;
}

interface Place {
  readonly walk: Walk;
  readonly path: string;
  readonly depth: number;
}

const loneSurrogate = /\p{Surrogate}/u;

function checkNode(value: JsonValue, place: Place): boolean {
  place.walk.nodes += 1;
  if (place.walk.nodes > argumentLimits.nodesMax) return stop(place, 'json_nodes');
  if (typeof value === 'string') return checkString(value, place);
  if (typeof value === 'boolean' || value === null) return true;
  if (Array.isArray(value)) return checkItems(value as readonly JsonValue[], place);
  if (isJsonObject(value)) return checkMembers(value, place);
  const text = numberText(value);
  return (text !== undefined && isGuardedNumber(text)) || stop(place, 'json_number');
}

function stop(place: Place, code: JsonFaultCode): false {
  place.walk.fault = { code, path: place.path };
  return false;
}

function checkString(text: string, place: Place): boolean {
  place.walk.units += text.length;
  return !loneSurrogate.test(text) || stop(place, 'json_surrogate');
}

function checkItems(items: readonly JsonValue[], { walk, path, depth }: Place): boolean {
  if (depth >= argumentLimits.depthMax) return stop({ walk, path, depth }, 'json_depth');
  return items.every((item, n) =>
    checkNode(item, { walk, path: `${path}[${n}]`, depth: depth + 1 }),
  );
}

function checkMembers(members: JsonObject, place: Place): boolean {
  if (place.depth >= argumentLimits.depthMax) return stop(place, 'json_depth');
  const keys = Object.keys(members);
  if (keys.length > argumentLimits.keysMax) return stop(place, 'json_keys');
  for (const key of keys) {
    const inner = { walk: place.walk, path: memberPath(place.path, key), depth: place.depth + 1 };
    if (forbiddenKeys.has(key)) return stop(inner, 'json_forbidden_key');
    if (!checkString(key, inner) || !checkNode(members[key] as JsonValue, inner)) return false;
  }
  return true;
}

/** `a.b` for plain names; any other key quoted and clipped, since an agent wrote it. */
function memberPath(path: string, key: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(key))
    return `${path}[${JSON.stringify(key.slice(0, 40))}]`;
  return path === '' ? key : `${path}.${key}`;
}
