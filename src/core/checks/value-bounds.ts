// Bounds of a contract on one value. Amounts are compared as integers of the smallest unit, never as floats.
import type { ParamContract } from '../contract.ts';
import type { CallFault } from '../facts.ts';
import { type JsonValue, numberText } from '../json-value.ts';
import { money } from './money.ts';
import { matchesPattern } from './pattern.ts';
import { scaleNumber } from './scaled-number.ts';
import { currencyExponents } from './tables/currencies.ts';

type BoundFault = Omit<CallFault, 'path'>;

/** A number, or an amount of money, in the unit that policies and budgets count in; undefined for any other value. */
export function integerOf(param: ParamContract, value: JsonValue): number | undefined {
  if (param.type === 'money') {
    const read = money.normalise(value, param.settings);
    return read.ok ? Number.parseInt(String(read.canonical), 10) : undefined;
  }
  const text = numberText(value);
  const scaled = text === undefined ? undefined : scaleNumber(text, param.scale);
  return scaled?.ok === true ? scaled.value : undefined;
}

/** True when the contract bounds the size of the number. */
export const hasRange = (param: ParamContract): boolean =>
  param.min !== undefined || param.max !== undefined;

/** Both bounds are inclusive; a value that is no number is the matter of another check. */
export function checkRange(param: ParamContract, value: JsonValue): BoundFault | undefined {
  const integer = hasRange(param) ? integerOf(param, value) : undefined;
  if (integer === undefined) return undefined;
  const min = boundOf(param, param.min);
  if (min !== undefined && integer < min) return invalid('range', `at least ${param.min}`);
  const max = boundOf(param, param.max);
  if (max !== undefined && integer > max) return invalid('range', `at most ${param.max}`);
  return undefined;
}

/** What an integer of this parameter is a multiple of: its scale, or the exponent of its currency. */
export function unitsOf(param: Pick<ParamContract, 'type' | 'scale' | 'settings'>): number {
  if (param.type !== 'money') return param.scale;
  return 10 ** (currencyExponents.get(param.settings.currency ?? '') ?? 0);
}

/** Bounds are written in the tool's own unit and compared after scaling. */
function boundOf(param: ParamContract, text: string | undefined): number | undefined {
  const scaled = text === undefined ? undefined : scaleNumber(text, unitsOf(param));
  return scaled?.ok === true ? scaled.value : undefined;
}

/** Enum, length, pattern, number of items and range of a value that needs no source. */
export function checkBounds(param: ParamContract, value: JsonValue): BoundFault | undefined {
  if (param.oneOf !== undefined && !param.oneOf.includes(value)) {
    return invalid('enum', `one of ${JSON.stringify(param.oneOf)}`);
  }
  if (Array.isArray(value)) return checkCount(param, value.length);
  return typeof value === 'string'
    ? (checkText(param, value) ?? checkRange(param, value))
    : checkRange(param, value);
}

function checkText(param: ParamContract, value: string): BoundFault | undefined {
  const { lengthMax, pattern } = param;
  if (lengthMax !== undefined && value.length > lengthMax) {
    const expected = `at most ${lengthMax} characters`;
    return { code: 'CONTRACT_TOO_LARGE', detail: 'too_long', expected };
  }
  if (pattern !== undefined && !matchesPattern(pattern, value)) {
    return invalid('pattern', `a text that matches ${pattern}`);
  }
  return undefined;
}

function checkCount({ itemsMin, itemsMax }: ParamContract, count: number): BoundFault | undefined {
  if (itemsMin !== undefined && count < itemsMin) {
    return invalid('range', `at least ${itemsMin} items`);
  }
  if (itemsMax !== undefined && count > itemsMax) {
    return invalid('range', `at most ${itemsMax} items`);
  }
  return undefined;
}

const invalid = (detail: string, expected: string): BoundFault => ({
  code: 'CONTRACT_INVALID',
  detail,
  expected,
});
