import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { money } from './money.ts';
import type { NormaliserOptions } from './normaliser.ts';
import { scaleNumber } from './scaled-number.ts';
import { currencyExponents, currencyTableDate } from './tables/currencies.ts';

const eur: NormaliserOptions = { currency: 'EUR' };
const canonicalOf = (raw: string, options: NormaliserOptions): unknown => {
  const result = money.normalise(raw, options);
  return result.ok ? result.canonical : result.code;
};

describe('money', () => {
  verifies('VAL-13', 'gives minor units with the currency, and shows all decimals', () => {
    expect(money.normalise('1240.5', eur)).toEqual({
      ok: true,
      canonical: '124050 EUR',
      display: '1240.50 EUR',
      warnings: [],
      evidence: {
        normaliser: 'money',
        version: 1,
        folds: [],
        tables: [`ISO 4217 ${currencyTableDate}`],
      },
    });
    expect(money.normalise('1240', { currency: 'JPY' })).toMatchObject({ display: '1240 JPY' });
  });

  verifies('VAL-13', 'knows the exponents, and needs a currency', () => {
    for (const [currency, exponent] of [
      ['JPY', 0],
      ['EUR', 2],
      ['KWD', 3],
      ['CLF', 4],
    ] as const) {
      expect(currencyExponents.get(currency)).toBe(exponent);
      const most = exponent === 0 ? '1' : `1.${'1'.repeat(exponent)}`;
      expect(canonicalOf(most, { currency })).toBe(`1${'1'.repeat(exponent)} ${currency}`);
      expect(canonicalOf(exponent === 0 ? '1.1' : `${most}1`, { currency })).toBe('form');
    }
    for (const options of [{}, { currency: 'XXX' }, { currency: 'eur' }, { currency: 'XAU' }]) {
      expect(canonicalOf('1', options)).toBe('form');
    }
    expect(money.normalise(1, eur)).toMatchObject({ code: 'type' });
    expect(money.normalise('x', eur)).toMatchObject({ hint: expect.stringContaining('1240.00') });
    expect(money.normalise('x', { currency: 'JPY' })).toMatchObject({
      hint: expect.stringContaining('like 1240'),
    });
  });

  verifies('VAL-13', 'refuses other grammars and rounds nothing', () => {
    const refused = [
      '1.234,56',
      '1,234.56',
      '1e3',
      '+5',
      '٣',
      '0x10',
      ' 1',
      '1 ',
      '100.000',
      '100 EUR',
      '01',
      '',
      '.1',
      '1.',
    ];
    for (const raw of refused) expect(canonicalOf(raw, eur), raw).toBe('form');
  });

  verifies('VAL-13', 'takes zero and negatives only by contract, minus zero never', () => {
    const zero = { ...eur, allowZero: true };
    const both = { ...zero, allowNegative: true };
    expect(canonicalOf('0', eur)).toBe('range');
    expect(canonicalOf('0.00', zero)).toBe('0 EUR');
    expect(canonicalOf('-1', zero)).toBe('range');
    expect(canonicalOf('-1.5', both)).toBe('-150 EUR');
    expect(money.normalise('-1.5', both)).toMatchObject({ display: '-1.50 EUR' });
    expect(canonicalOf('-0', both)).toBe('range');
    expect(canonicalOf('-0.00', both)).toBe('range');
  });

  verifies('VAL-13', 'stops at 2^53-1 minor units', () => {
    expect(canonicalOf('90071992547409.91', eur)).toBe('9007199254740991 EUR');
    expect(canonicalOf('90071992547409.92', eur)).toBe('range');
    expect(canonicalOf('9999999999999999.99', eur)).toBe('range');
    expect(canonicalOf('99999999999999999', eur)).toBe('form');
  });

  it('keeps the cents of every amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (minor) => {
        const digits = String(minor).padStart(3, '0');
        const text = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
        expect(canonicalOf(text, eur)).toBe(`${minor} EUR`);
        expect(scaleNumber(text, 100)).toEqual({ ok: true, value: minor });
      }),
    );
  });
});

describe('scaleNumber', () => {
  verifies('VAL-14', 'computes on the digits and refuses a remainder', () => {
    const rows: readonly [string, number, number | string][] = [
      ['0.29', 100, 29],
      ['1.005', 100, 'remainder'],
      ['1000.004', 100, 'remainder'],
      ['0.1', 1, 'remainder'],
      ['1.0', 1, 1],
      ['1240', 100, 124_000],
      ['-1.5', 100, -150],
      ['0', 100, 0],
      ['0.00', 100, 0],
      ['4.35', 100, 435],
      ['90071992547409.91', 100, Number.MAX_SAFE_INTEGER],
      ['90071992547409.92', 100, 'range'],
      ['9007199254740991', 1, Number.MAX_SAFE_INTEGER],
      ['9007199254740993', 1, 'range'],
      ['1e400', 1, 'form'],
      ['1e3', 1, 'form'],
      ['-0', 1, 'form'],
      ['-0.00', 100, 'form'],
      ['01', 1, 'form'],
      ['NaN', 1, 'form'],
      ['', 1, 'form'],
      [`0.${'0'.repeat(70)}`, 1, 'form'],
      [`1.${'0'.repeat(60)}`, 100, 100],
    ];
    for (const [text, scale, expected] of rows) {
      const result = scaleNumber(text, scale);
      expect(result.ok ? result.value : result.error, text).toBe(expected);
    }
  });
});
