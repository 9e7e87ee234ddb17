// A constant source is written as text; it means a value of the parameter's type.
import type { ValueReading } from '../contract.ts';
import { isGuardedNumber } from './json-number.ts';

/** The text itself where the type is another or the text is no such value; it then equals nothing. */
export function constantValue(text: string, { type }: ValueReading): string | number | boolean {
  const isNumeric = type === 'integer' || type === 'number';
  if (isNumeric && isGuardedNumber(text)) return Number(text);
  return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text;
}
