// JSON as it travels through the gateway: objects without a prototype, and numbers that
// keep their source text wherever a JavaScript number would print differently.

declare const rawNumber: unique symbol;

/** A number kept as its source text; `JSON.stringify` prints exactly that text. */
export interface RawNumber {
  readonly [rawNumber]: true;
  readonly rawJSON: string;
}

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | RawNumber
  | readonly JsonValue[]
  | JsonObject;

declare global {
  interface JSON {
    /** Wraps the text of one JSON scalar, so that `stringify` prints it unchanged. */
    rawJSON(text: string): RawNumber;
    isRawJSON(value: unknown): value is RawNumber;
  }
}

/** True for a number that is kept as text. An object with a key `rawJSON` is not one. */
export const isRawNumber = (value: unknown): value is RawNumber => JSON.isRawJSON(value);

/** True for an object with named members: not null, not a list, not a kept number. */
export const isJsonObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);

/**
 * The source text of a number, undefined for anything else.
 * A JavaScript number that JSON cannot carry (NaN, infinities) has no text.
 */
export function numberText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return undefined;
    return Object.is(value, -0) ? '-0' : String(value);
  }
  return isRawNumber(value) ? value.rawJSON : undefined;
}
