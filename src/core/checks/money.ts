// Amounts as text with the currency of the contract. Never a float, never rounded.
import type { JsonValue } from '../json-value.ts';
import {
  accept,
  type Normalised,
  type Normaliser,
  type NormaliserOptions,
  refuse,
} from './normaliser.ts';
import { currencyExponents, currencyTableDate } from './tables/currencies.ts';

const form = /^(-?)(0|[1-9]\d{0,15})(?:\.(\d+))?$/;
const tables: readonly string[] = [`ISO 4217 ${currencyTableDate}`];

/** An amount in minor units with its currency, at most 2^53-1. */
export const money: Normaliser = {
  name: 'money',
  version: 1,
  normalise(raw: JsonValue, options: NormaliserOptions): Normalised {
    const { currency } = options;
    const exponent = currency === undefined ? undefined : currencyExponents.get(currency);
    if (exponent === undefined) return refuse('form', 'a contract that names an ISO 4217 currency');
    const hint = `an amount as text with a point, at most ${exponent} decimals, like ${example(exponent)}`;
    if (typeof raw !== 'string') return refuse('type', hint);
    const parts = form.exec(raw);
    const decimals = parts?.[3] ?? '';
    if (parts === null || decimals.length > exponent) return refuse('form', hint);
    const minor = Number(`${parts[2]}${decimals.padEnd(exponent, '0')}`);
    if (!Number.isSafeInteger(minor)) return refuse('range', 'a smaller amount');
    const signed = parts[1] === '-' ? -minor : minor;
    if (!isAllowed(signed, options)) return refuse('range', 'an amount above zero');
    return accept(money, {
      canonical: `${signed} ${currency}`,
      display: `${parts[1]}${parts[2]}${exponent === 0 ? '' : `.${decimals.padEnd(exponent, '0')}`} ${currency}`,
      tables,
    });
  },
};

const example = (exponent: number): string =>
  exponent === 0 ? '1240' : `1240.${'0'.repeat(exponent)}`;

function isAllowed(minor: number, options: NormaliserOptions): boolean {
  if (minor > 0) return true;
  if (Object.is(minor, -0)) return false;
  return minor === 0 ? options.allowZero === true : options.allowNegative === true;
}
