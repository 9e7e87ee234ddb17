// An amount as people write it.
import { currencyExponents } from './tables/currencies.ts';

/** `5000` and `EUR` are `50.00 EUR`; a code without a table row has no decimals. */
export function moneyText(minor: number, currency: string): string {
  const exponent = currencyExponents.get(currency) ?? 0;
  const digits = String(Math.abs(minor)).padStart(exponent + 1, '0');
  const at = digits.length - exponent;
  const decimals = exponent === 0 ? '' : `.${digits.slice(at)}`;
  return `${minor < 0 ? '-' : ''}${digits.slice(0, at)}${decimals} ${currency}`;
}
