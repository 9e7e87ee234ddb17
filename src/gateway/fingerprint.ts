// Recognises the same resolved call again without keeping a value: a keyed hash.
import type { Contract } from '../core/contract.ts';
import type { JsonObject, JsonValue } from '../core/json-value.ts';
import { isJsonObject } from '../core/json-value.ts';
import { hmacSha256Base64Url } from '../core/sha256.ts';
import { withoutArguments } from './resolve-arguments.ts';

/** HMAC over action and resolved arguments, without those named `volatile`; key order does not matter. */
export function fingerprintOf(
  secret: Uint8Array,
  line: string,
  { contract, resolved }: { readonly contract: Contract; readonly resolved: JsonObject },
): string {
  const counted = withoutArguments(resolved, contract.volatile);
  return hmacSha256Base64Url(
    secret,
    JSON.stringify([line, contract.action, contract.server, sortedKeys(counted)]),
  );
}

/** The same value with the keys of every object in order. */
export function sortedKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(sortedKeys);
  if (!isJsonObject(value)) return value;
  const copy: Record<string, JsonValue> = Object.create(null);
  for (const key of Object.keys(value).toSorted()) copy[key] = sortedKeys(value[key] as JsonValue);
  return copy;
}
