// The undeclared arguments as policies of the 0.5.x files expect them: one text in the form of Python's json.dumps.
import { isJsonObject, type JsonValue, numberText } from '../json-value.ts';

/** Keys by code point, separators `", "` and `": "`, everything outside ASCII escaped. */
export function pythonJson(value: JsonValue): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return asciiText(value);
  const digits = numberText(value);
  if (digits !== undefined) return pythonNumber(digits);
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(pythonJson).join(', ')}]`;
  if (!isJsonObject(value)) return 'null';
  const members = Object.keys(value)
    .toSorted(byCodePoint)
    .map((key) => `${asciiText(key)}: ${pythonJson(value[key] ?? null)}`);
  return `{${members.join(', ')}}`;
}

/** Python prints a float by its shortest form and keeps `.0`; integers stand as they are. */
function pythonNumber(digits: string): string {
  if (!digits.includes('.')) return digits;
  const shortest = String(Number(digits));
  return shortest.includes('.') || shortest.includes('e') ? shortest : `${shortest}.0`;
}

function asciiText(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function byCodePoint(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  for (const [index, character] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const difference = (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
