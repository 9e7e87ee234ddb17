// A second reading of messages that hold half a surrogate pair or a prototype key. Everything else
// that the strict front refuses is refused here too.
import { parseKeptJson } from '../connectors/kept-json.ts';
import { messageLimits } from '../core/checks/strict-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json-value.ts';
import { isDeeperThan } from '../gateway/definition-digest.ts';

/** Undefined when the text is wrong in another way as well. */
export function parseHostileText(text: string): JsonValue | undefined {
  const parsed = parseKeptJson(text);
  if (parsed === undefined || parsed.hasDuplicateKeys) return undefined;
  if (isDeeperThan(parsed.value, messageLimits.depthMax)) return undefined;
  return withoutPrototypes(parsed.value);
}

// `constructor` must be a key like any other, present only when it was sent.
function withoutPrototypes(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(withoutPrototypes);
  if (!isJsonObject(value)) return value;
  const bare = Object.create(null) as { [key: string]: JsonValue };
  for (const key of Object.keys(value)) {
    Object.defineProperty(bare, key, {
      value: withoutPrototypes((value as JsonObject)[key] as JsonValue),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return bare;
}
