// A value may be named instead of written: `ref:<record id>`, `name:<alias>`, or the object with exactly that key.
import { isJsonObject, type JsonValue } from '../json-value.ts';

/** Which record an agent means; never a value, and never trusted before a record answers to it. */
export interface Reference {
  readonly kind: 'ref' | 'name';
  readonly text: string;
}

const textForm = /^(ref|name):(.+)$/su;

/** The reference that a value is, or undefined for everything else. */
export function readReference(value: JsonValue): Reference | undefined {
  if (typeof value === 'string') {
    const [, kind = '', text = ''] = textForm.exec(value) ?? [];
    return toReference(kind, text);
  }
  if (!isJsonObject(value)) return undefined;
  const [entry, ...others] = Object.entries(value);
  return entry === undefined || others.length > 0 ? undefined : toReference(...entry);
}

function toReference(kind: string, text: JsonValue): Reference | undefined {
  if (typeof text !== 'string') return undefined;
  return kind === 'ref' || kind === 'name' ? { kind, text } : undefined;
}
