import { describe, expect, it } from 'vitest';
import { decimal, duration, positiveDuration, whole } from './value-schemas.ts';

describe('duration', () => {
  it('reads times with a unit, and plain numbers as seconds', () => {
    for (const [given, ms] of [
      ['250ms', 250],
      ['30s', 30_000],
      ['15 m', 900_000],
      ['12h', 43_200_000],
      ['7d', 604_800_000],
      [120, 120_000],
      [0.5, 500],
      [0, 0],
      ['0s', 0],
    ] as const) {
      expect(duration.parse(given), String(given)).toBe(ms);
    }
  });

  it('takes nothing else for a time', () => {
    for (const given of [
      '',
      '30',
      '1h30m',
      '-5s',
      '5 minutes',
      '1.5h',
      ' 5s',
      '5S',
      -1,
      Number.NaN,
      true,
    ]) {
      const parsed = duration.safeParse(given);
      expect(parsed.success, String(given)).toBe(false);
      expect(parsed.error?.issues[0]?.message).toBe('must be a time such as 30s, 15m or 12h');
    }
  });
});

describe('positiveDuration', () => {
  it('is longer than nothing', () => {
    expect(positiveDuration.parse('1ms')).toBe(1);
    expect(positiveDuration.safeParse('0s').error?.issues[0]?.message).toBe(
      'must be longer than 0',
    );
  });
});

describe('whole', () => {
  it('takes whole numbers, also with a fraction of zero', () => {
    expect(whole.parse(5000.0)).toBe(5_000);
    expect(whole.parse(Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
    expect(whole.safeParse(2 ** 53).success).toBe(false);
  });
});

describe('decimal', () => {
  it('keeps the digits of a bound', () => {
    expect(decimal.parse('0.10')).toBe('0.10');
    expect(decimal.parse(-2.5)).toBe('-2.5');
    expect(decimal.safeParse('1,5').error?.issues[0]?.message).toBe(
      'must be a decimal such as 10 or "0.01"',
    );
  });
});
