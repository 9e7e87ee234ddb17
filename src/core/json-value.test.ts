import { describe, expect, it } from 'vitest';
import { isJsonObject, isRawNumber, numberText } from './json-value.ts';
import { err, ok } from './result.ts';

describe('numberText', () => {
  it('gives the source text of numbers, kept or not', () => {
    expect(numberText(12.5)).toBe('12.5');
    expect(numberText(JSON.rawJSON('1e400'))).toBe('1e400');
    expect(numberText(-0)).toBe('-0');
  });

  it('gives nothing for anything else, also for numbers that JSON cannot carry', () => {
    for (const value of ['1', true, null, [1], { rawJSON: '1' }, undefined, Number.NaN]) {
      expect(numberText(value)).toBeUndefined();
    }
    expect(numberText(Number.POSITIVE_INFINITY)).toBeUndefined();
  });
});

describe('isJsonObject', () => {
  it('tells objects from lists, null and kept numbers', () => {
    expect(isJsonObject({})).toBe(true);
    for (const value of [[], null, JSON.rawJSON('1.0'), 'a', 1, undefined]) {
      expect(isJsonObject(value)).toBe(false);
    }
  });

  it('does not take an object with a key rawJSON for a kept number', () => {
    expect(isRawNumber({ rawJSON: '1' })).toBe(false);
    expect(isJsonObject({ rawJSON: '1' })).toBe(true);
  });
});

describe('Result', () => {
  it('carries a value or an error', () => {
    expect(ok(1)).toEqual({ ok: true, value: 1 });
    expect(err('x')).toEqual({ ok: false, error: 'x' });
  });
});
