// Which number texts are kept as text, and which a guarded call may hold.
import type { RawNumber } from '../json-value.ts';

/** Digits that every double holds exactly, so that no reader downstream sees another number. */
const significantMax = 15;
const safeDigits = 15;
const integerText = /^-?(?:0|[1-9][0-9]*)$/;
const decimalText = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

/**
 * The value of a number that stands in JSON: a JavaScript number when it prints the same digits
 * and is exact as an integer, else the text itself.
 */
export function numberFromText(text: string): number | RawNumber {
  const value = Number(text);
  const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  return isExact && String(value) === text ? value : JSON.rawJSON(text);
}

/**
 * True for a number that a guarded call may hold: no exponent, no minus zero, an integer within
 * 2^53-1 or a decimal of at most 15 significant digits. Anything else is refused, never rounded.
 */
export function isGuardedNumber(text: string): boolean {
  if (text.length <= safeDigits && integerText.test(text)) return text !== '-0';
  if (!decimalText.test(text) || isMinusZero(text)) return false;
  if (!text.includes('.')) return Number.isSafeInteger(Number(text));
  return text.replace(/^[-0.]+|\./g, '').length <= significantMax;
}

const isMinusZero = (text: string): boolean => /^-[0.]*$/.test(text);
