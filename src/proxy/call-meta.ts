// `_meta` of a call on its way to a server: everything but what belongs to this hop alone.
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json-value.ts';
import { hopKeys } from './modern-envelope.ts';

/** Keys that only the gateway may write. */
const ownPrefix = 'io.intentplane/';

/** Undefined when nothing is left. */
export function forwardedMeta(meta: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(meta)) return undefined;
  const kept = Object.entries(meta).filter(
    ([key]) => !hopKeys.has(key) && !key.startsWith(ownPrefix),
  );
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
