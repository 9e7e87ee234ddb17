// The fingerprint of a tool definition: SHA-256 over the whole definition with sorted keys and
// every number by its own text, so that not one byte of meaning can change unseen.
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json-value.ts';
import { sha256Hex } from '../core/sha256.ts';

/** SHA-256 (hex) of the canonical text. */
export function definitionDigest(definition: JsonObject): string {
  return sha256Hex(canonicalDefinition(definition));
}

/** JSON text with keys sorted by UTF-16 unit; numbers keep their digits. */
export function canonicalDefinition(value: JsonValue): string {
  if (Array.isArray(value)) {
    return `[${(value as readonly JsonValue[]).map(canonicalDefinition).join(',')}]`;
  }
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalDefinition(value[key] as JsonValue)}`);
  return `{${members.join(',')}}`;
}

/** Nesting of a definition; stops counting above the limit. */
export function isDeeperThan(value: JsonValue, depthMax: number): boolean {
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return false;
  if (depthMax === 0) return true;
  const children: readonly JsonValue[] = Array.isArray(value) ? value : Object.values(value);
  return children.some((child) => isDeeperThan(child, depthMax - 1));
}
