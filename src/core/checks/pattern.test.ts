import { describe, expect, it } from 'vitest';
import { findsPattern, isPattern, matchesPattern } from './pattern.ts';

describe('matchesPattern', () => {
  it('wants the whole text', () => {
    expect(matchesPattern('INV-\\d{4}', 'INV-2026')).toBe(true);
    expect(matchesPattern('INV-\\d{4}', 'INV-20261')).toBe(false);
    expect(matchesPattern('INV-\\d{4}', 'see INV-2026')).toBe(false);
    expect(matchesPattern('a|b', 'ab')).toBe(false);
  });

  it('is linear where a backtracking engine would not end', () => {
    expect(matchesPattern('(a+)+b', 'a'.repeat(5_000))).toBe(false);
  });

  it('keeps working when more patterns were used than are remembered', () => {
    for (let n = 0; n < 1_100; n += 1)
      expect(matchesPattern(`x{${n % 900}}y${n}`, 'no')).toBe(false);
    expect(matchesPattern('last', 'last')).toBe(true);
  });
});

describe('findsPattern', () => {
  it('wants some part of the text', () => {
    expect(findsPattern('paid', 'status: paid.')).toBe(true);
    expect(findsPattern('^paid$', 'status: paid')).toBe(false);
  });
});

describe('isPattern', () => {
  it('knows RE2 syntax and refuses what it does not have', () => {
    expect(isPattern('[a-z]+@example[.]com')).toBe(true);
    expect(isPattern('(a')).toBe(false);
    expect(isPattern('(?=look)')).toBe(false);
    expect(isPattern('(a)\\1')).toBe(false);
  });
});
