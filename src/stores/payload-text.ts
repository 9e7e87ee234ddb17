// Salts and values behind the commitments of one leaf as one text: `{"field":["salt",value]}` with
// the value as it is, so that no text is escaped twice.
import { type CanonicalValue, canonicalJson } from '../core/canonical-json.ts';
import type { FieldOpening } from '../core/leaf.ts';

/** Field to what opens its commitment. */
export type Payload = Readonly<Record<string, FieldOpening>>;

type StoredFields = Readonly<Record<string, readonly [salt: string, value: CanonicalValue]>>;

/** Undefined for a leaf that commits to nothing. */
export function encodePayload(payload: Payload): string | undefined {
  let text = '';
  for (const field of Object.keys(payload)) {
    const { salt, value } = payload[field] as FieldOpening;
    text += `${text === '' ? '' : ','}${JSON.stringify(field)}:["${salt}",${value}]`;
  }
  return text === '' ? undefined : `{${text}}`;
}

/** Canonical text read and written again is the same text. */
export function decodePayload(text: string): Record<string, FieldOpening> {
  const fields = JSON.parse(text) as StoredFields;
  return Object.fromEntries(
    Object.entries(fields).map(([field, [salt, value]]) => [
      field,
      { salt, value: canonicalJson(value) },
    ]),
  );
}

/** The values alone. */
export function valuesOf(text: string): Record<string, CanonicalValue> {
  const fields = JSON.parse(text) as StoredFields;
  return Object.fromEntries(Object.entries(fields).map(([field, [, value]]) => [field, value]));
}

/** Names of the fields whose value is still there. */
export function keptFields(text: string): readonly string[] {
  return Object.keys(JSON.parse(text) as StoredFields);
}

/** The text without these fields; `{}` when nothing is left. */
export function withoutFields(text: string, fields: readonly string[]): string {
  const kept = Object.entries(decodePayload(text)).filter(([field]) => !fields.includes(field));
  return encodePayload(Object.fromEntries(kept)) ?? '{}';
}
