// The undeclared arguments as policies of the 0.5.x files expect them: one text in the form of Python's json.dumps.
import { isJsonObject, type JsonValue, numberText } from '../json-value.ts';

/** Keys by code point, separators `", "` and `": "`, everything outside ASCII escaped. */
export function pythonJson(value: JsonValue): string {
  if (typeof value === 'string') return asciiText(value);
  const digits = numberText(value);
  if (digits !== undefined) return pythonNumber(digits);
  if (Array.isArray(value))
    return `[${(value as readonly JsonValue[]).map(pythonJson).join(', ')}]`;
  if (!isJsonObject(value)) return String(value);
  const members = Object.keys(value)
    .toSorted(byCodePoint)
    .map((key) => `${asciiText(key)}: ${pythonJson(value[key] as JsonValue)}`);
  return `{${members.join(', ')}}`;
}

/** Python prints a float by its shortest digits, with an exponent below 0.0001; integers stand as they are. */
function pythonNumber(digits: string): string {
  if (!digits.includes('.')) return digits;
  const value = Number(digits);
  if (value !== 0 && Math.abs(value) < 1e-4) {
    return value.toExponential().replace(/-(\d)$/, '-0$1');
  }
  const shortest = String(value);
  return shortest.includes('.') ? shortest : `${shortest}.0`;
}

function asciiText(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** UTF-16 units order surrogate pairs before U+E000; code points do not. */
function byCodePoint(a: string, b: string): number {
  const left = Array.from(a, (character) => character.codePointAt(0) as number);
  const right = Array.from(b, (character) => character.codePointAt(0) as number);
  const at = left.findIndex((point, index) => point !== right[index]);
  if (at < 0) return left.length - right.length;
  return (left[at] as number) - (right[at] ?? -1);
}
