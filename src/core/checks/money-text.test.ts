import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { moneyText } from './money-text.ts';

describe('moneyText', () => {
  verifies('EXE-40', 'has the decimals of the currency', () => {
    expect(moneyText(5_000, 'EUR')).toBe('50.00 EUR');
    expect(moneyText(5_000, 'JPY')).toBe('5000 JPY');
    expect(moneyText(5_000, 'BHD')).toBe('5.000 BHD');
    expect(moneyText(5, 'EUR')).toBe('0.05 EUR');
    expect(moneyText(0, 'EUR')).toBe('0.00 EUR');
    expect(moneyText(-1_205, 'EUR')).toBe('-12.05 EUR');
  });

  it('leaves the figure of an unknown code as it is', () => {
    expect(moneyText(5_000, 'XYZ')).toBe('5000 XYZ');
  });
});
