import { describe, expect, it } from 'vitest';
import { aParam } from '../../testing/contract-builders.ts';
import type { ParamContract } from '../contract.ts';
import type { JsonValue } from '../json-value.ts';
import { checkBounds, checkRange, hasRange, integerOf, unitsOf } from './value-bounds.ts';

const amount = (changes: Partial<ParamContract> = {}): ParamContract =>
  aParam('amount', { type: 'number', scale: 100, ...changes });
const euro = (changes: Partial<ParamContract> = {}): ParamContract =>
  aParam('amount', { type: 'money', settings: { currency: 'EUR' }, ...changes });

describe('integerOf', () => {
  it('is the number in the smallest unit', () => {
    expect(integerOf(amount(), 12.5)).toBe(1_250);
    expect(integerOf(amount(), JSON.rawJSON('12.50'))).toBe(1_250);
    expect(integerOf(euro(), '12.50')).toBe(1_250);
  });

  it('is nothing for a value of another type, or one that would be rounded', () => {
    for (const value of ['12.5', true, null, {}, 0.005] satisfies JsonValue[]) {
      expect(integerOf(amount(), value)).toBeUndefined();
    }
    expect(integerOf(euro(), 12.5)).toBeUndefined();
    expect(integerOf(euro(), '12.505')).toBeUndefined();
  });
});

describe('unitsOf', () => {
  it('is the scale, or the exponent of the currency', () => {
    expect(unitsOf(amount())).toBe(100);
    expect(unitsOf(euro())).toBe(100);
    expect(unitsOf(euro({ settings: { currency: 'JPY' } }))).toBe(1);
    expect(unitsOf(euro({ settings: { currency: 'BHD' } }))).toBe(1_000);
    expect(unitsOf(euro({ settings: {} }))).toBe(1);
  });
});

describe('checkRange', () => {
  it('takes both bounds and refuses one unit outside', () => {
    const param = amount({ min: '10', max: '20.50' });
    expect(checkRange(param, 10)).toBeUndefined();
    expect(checkRange(param, 20.5)).toBeUndefined();
    expect(checkRange(param, 9.99)).toEqual({
      code: 'CONTRACT_INVALID',
      detail: 'range',
      expected: 'at least 10',
    });
    expect(checkRange(param, 20.51)).toMatchObject({ expected: 'at most 20.50' });
  });

  it('compares money in the unit of the file, not in hundredths', () => {
    expect(checkRange(euro({ max: '100' }), '100.00')).toBeUndefined();
    expect(checkRange(euro({ max: '100' }), '100.01')).toMatchObject({ expected: 'at most 100' });
    expect(checkRange(euro({ min: '1' }), '0.99')).toMatchObject({ expected: 'at least 1' });
  });

  it('says nothing of a value that is no number, nor without bounds, nor of a bound that is no number', () => {
    expect(checkRange(amount({ max: '1' }), 'five')).toBeUndefined();
    expect(checkRange(amount(), 5)).toBeUndefined();
    expect(checkRange(amount({ min: 'x', max: 'y' }), 5)).toBeUndefined();
    expect(hasRange(amount())).toBe(false);
    expect(hasRange(amount({ max: '1' }))).toBe(true);
    expect(hasRange(amount({ min: '1' }))).toBe(true);
  });
});

describe('checkBounds', () => {
  it('takes a value of the enum and nothing beside it', () => {
    const param = aParam('kind', { oneOf: ['sepa', 'wire'] });
    expect(checkBounds(param, 'sepa')).toBeUndefined();
    expect(checkBounds(param, 'SEPA')).toEqual({
      code: 'CONTRACT_INVALID',
      detail: 'enum',
      expected: 'one of ["sepa","wire"]',
    });
  });

  it('takes the longest text and refuses one character more as too large', () => {
    const param = aParam('subject', { lengthMax: 3 });
    expect(checkBounds(param, 'abc')).toBeUndefined();
    expect(checkBounds(param, 'abcd')).toEqual({
      code: 'CONTRACT_TOO_LARGE',
      detail: 'too_long',
      expected: 'at most 3 characters',
    });
  });

  it('wants the whole text to match the pattern', () => {
    const param = aParam('number', { pattern: '[0-9]+' });
    expect(checkBounds(param, '123')).toBeUndefined();
    expect(checkBounds(param, '12a')).toMatchObject({
      detail: 'pattern',
      expected: 'a text that matches [0-9]+',
    });
  });

  it('counts the items of free lists', () => {
    const param = aParam('lines', { type: 'list', itemsMin: 1, itemsMax: 2 });
    expect(checkBounds(param, [1, 2])).toBeUndefined();
    expect(checkBounds(param, [])).toMatchObject({ expected: 'at least 1 items' });
    expect(checkBounds(param, [1, 2, 3])).toMatchObject({ expected: 'at most 2 items' });
    expect(checkBounds(aParam('lines', { type: 'list' }), [1, 2, 3])).toBeUndefined();
  });

  it('bounds numbers, and amounts that are written as text', () => {
    expect(checkBounds(amount({ max: '1' }), 2)).toMatchObject({ detail: 'range' });
    expect(checkBounds(euro({ max: '1' }), '2.00')).toMatchObject({ detail: 'range' });
    expect(checkBounds(amount(), 2)).toBeUndefined();
  });
});
