// JSON as Python's `json` module prints it: the form of the receipt files that version 0.5 of
// the Python packages wrote.
import { type JsonValue, numberText } from '../core/json-value.ts';

/** How objects are put together: what is hashed is sorted and dense, what is stored is not. */
export interface PythonLayout {
  readonly item: string;
  readonly key: string;
  readonly isSorted: boolean;
}

export const hashedLayout: PythonLayout = { item: ',', key: ':', isSorted: true };
export const storedLayout: PythonLayout = { item: ', ', key: ': ', isSorted: false };

/** Prints a value as Python would after reading it. */
export function printPython(value: JsonValue, layout: PythonLayout): string {
  const number = numberText(value);
  if (number !== undefined) return pythonNumber(number);
  if (typeof value === 'string') return pythonString(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) {
    return `[${value.map((item: JsonValue) => printPython(item, layout)).join(layout.item)}]`;
  }
  const members = Object.entries(value as Readonly<Record<string, JsonValue>>);
  const texts = members.map(([key, member]) => [key, printPython(member, layout)] as const);
  return joinMembers(texts, layout);
}

/** Prints an object of which the members are printed already. */
export function joinMembers(
  members: readonly (readonly [key: string, text: string])[],
  layout: PythonLayout,
): string {
  const ordered = layout.isSorted
    ? members.toSorted(([left], [right]) => compareCodePoints(left, right))
    : members;
  return `{${ordered.map(([key, text]) => pythonString(key) + layout.key + text).join(layout.item)}}`;
}

/** A string with every character outside printable ASCII escaped. */
export function pythonString(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Order of Python's strings; UTF-16 order puts U+E000 behind U+10000. */
function compareCodePoints(left: string, right: string): number {
  const [leftPoints, rightPoints] = [Array.from(left), Array.from(right)];
  for (let i = 0; i < Math.min(leftPoints.length, rightPoints.length); i += 1) {
    const difference = codePoint(leftPoints, i) - codePoint(rightPoints, i);
    if (difference !== 0) return difference;
  }
  return leftPoints.length - rightPoints.length;
}

const codePoint = (points: readonly string[], at: number): number =>
  points[at]?.codePointAt(0) as number;

/**
 * An integer as it is, anything else as the shortest digits of a double. A number that no
 * double holds becomes a string: Python would print a word that is not JSON.
 */
function pythonNumber(text: string): string {
  if (/^-?[0-9]+$/.test(text)) return text === '-0' ? '0' : text;
  const number = Number(text);
  if (!Number.isFinite(number)) return pythonString(text);
  if (Object.is(number, -0)) return '-0.0';
  const [digits = '', exponent = ''] = number.toExponential().split('e');
  if (Number(exponent) >= -4 && Number(exponent) < 16) {
    return Number.isInteger(number) ? `${number}.0` : String(number);
  }
  return `${digits}e${exponent.charAt(0)}${exponent.slice(1).padStart(2, '0')}`;
}
