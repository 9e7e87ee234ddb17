// A value may be named instead of written: `ref:<record id>`, `name:<alias>`, or the object with exactly that key.
import { isJsonObject, type JsonValue } from '../json-value.ts';

/** Which record an agent means; never a value, and never trusted before a record answers to it. */
export interface Reference {
  readonly kind: 'ref' | 'name';
  readonly text: string;
}

/** Longest record id or alias, in UTF-16 units. */
const lengthMax = 256;
const textForm = /^(ref|name):(.+)$/su;

/** The reference that a value is, or undefined for everything else. */
export function readReference(value: JsonValue): Reference | undefined {
  if (typeof value === 'string') {
    const [, kind, text] = textForm.exec(value) ?? [];
    return kind === undefined ? undefined : bounded(kind, text);
  }
  if (!isJsonObject(value)) return undefined;
  const [entry, ...others] = Object.entries(value);
  return entry === undefined || others.length > 0 ? undefined : bounded(...entry);
}

function bounded(kind: string, text: JsonValue | undefined): Reference | undefined {
  if (kind !== 'ref' && kind !== 'name') return undefined;
  if (typeof text !== 'string' || text === '' || text.length > lengthMax) return undefined;
  return { kind, text };
}
