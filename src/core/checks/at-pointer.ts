// JSON pointers (RFC 6901) of the configuration, followed into an answer.
import { isJsonObject, type JsonValue } from '../json-value.ts';

const listIndex = /^(?:0|[1-9]\d{0,9})$/;

/** What stands there; undefined when nothing does. */
export function atPointer(value: JsonValue, pointer: string): JsonValue | undefined {
  let here: JsonValue | undefined = value;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(here)) {
      here = listIndex.test(key) ? (here as readonly JsonValue[])[Number(key)] : undefined;
    } else if (isJsonObject(here)) here = Object.hasOwn(here, key) ? here[key] : undefined;
    else return undefined;
  }
  return here;
}
