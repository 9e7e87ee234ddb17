import { describe, expect, it } from 'vitest';
import type { ParamType } from '../contract.ts';
import { constantValue } from './constant-value.ts';

const ofType = (type: ParamType, text: string): unknown =>
  constantValue(text, { type, scale: 1, settings: {} });

describe('constantValue', () => {
  it('is a value of the type', () => {
    expect(ofType('integer', '44')).toBe(44);
    expect(ofType('number', '-0.5')).toBe(-0.5);
    expect(ofType('boolean', 'true')).toBe(true);
    expect(ofType('boolean', 'false')).toBe(false);
    expect(ofType('string', '44')).toBe('44');
    expect(ofType('date', '2026-11-30')).toBe('2026-11-30');
  });

  it('stays a text that equals nothing where it is no such value', () => {
    for (const text of ['', 'x', '1e3', '9007199254740993', '-0']) {
      expect(ofType('number', text), text).toBe(text);
    }
    expect(ofType('boolean', 'yes')).toBe('yes');
  });
});
