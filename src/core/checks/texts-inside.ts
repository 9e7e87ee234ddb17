// Hygiene of every text inside a JSON value, keys included; nothing is dropped or repaired.
import type { CallFault } from '../facts.ts';
import { isJsonObject, type JsonValue } from '../json-value.ts';
import { checkText } from './hygiene.ts';

/** A key whose name promises one line; a break in it can hide another header. */
const oneLineName = /subject|title|reference|name/i;

/** True when a value of this name holds one line unless the contract says otherwise. */
export const isOneLineName = (name: string): boolean => oneLineName.test(name);

/** One fault per text that holds what no text may hold; `path` is where the value stands. */
export function checkTextsInside(value: JsonValue, path: string): readonly CallFault[] {
  return checkInside(value, { path, key: path.slice(path.lastIndexOf('.') + 1) });
}

interface Place {
  readonly path: string;
  /** The nearest key: it says whether a text holds one line. */
  readonly key: string;
}

function checkInside(value: JsonValue, place: Place): readonly CallFault[] {
  const { path, key } = place;
  if (typeof value === 'string') {
    const fault = checkText(value, { multiline: !isOneLineName(key) });
    return fault === undefined ? [] : [{ code: 'CONTRACT_INVALID', path, detail: fault.reason }];
  }
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).flatMap((item, index) =>
      checkInside(item, { path: `${path}[${index}]`, key }),
    );
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => checkMember(name, member, place));
}

function checkMember(name: string, member: JsonValue, { path }: Place): readonly CallFault[] {
  const fault = checkText(name, { multiline: false });
  // The path stops at the owner: a hidden character in a key must not travel on in an answer.
  if (fault !== undefined) return [{ code: 'CONTRACT_INVALID', path, detail: fault.reason }];
  return checkInside(member, { path: `${path}.${name}`, key: name });
}
