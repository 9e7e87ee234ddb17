// Decimal numbers as integers of a smaller unit (100 = cents), computed on the digits.
import { err, ok, type Result } from '../result.ts';

/** `form`: no plain decimal; `remainder`: would have to be rounded; `range`: beyond 2^53-1. */
export type ScaleFault = 'form' | 'remainder' | 'range';

const form = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/;
/** Longer texts are beyond 2^53-1 or hold a remainder; bounds the arithmetic. */
const textLengthMax = 64;

/** The exact product of a JSON number's text and a scale, a positive safe integer. */
export function scaleNumber(text: string, scale: number): Result<number, ScaleFault> {
  const parts = text.length > textLengthMax ? null : form.exec(text);
  if (parts === null) return err('form');
  const decimals = parts[3] ?? '';
  const product = BigInt(`${parts[2]}${decimals}`) * BigInt(scale);
  const divisor = 10n ** BigInt(decimals.length);
  if (product % divisor !== 0n) return err('remainder');
  const value = Number(product / divisor);
  if (!Number.isSafeInteger(value)) return err('range');
  if (parts[1] !== '-') return ok(value);
  return value === 0 ? err('form') : ok(-value);
}
