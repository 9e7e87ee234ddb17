import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { isAlarmDue, nextCheckMs } from './next-check.ts';

const plan = (checks: number, nowMs: number, jitter = 0): number =>
  nextCheckMs({ unknownSinceMs: 0, checks, nowMs, jitter });

describe('nextCheckMs', () => {
  verifies('EXE-09', '5 s, 30 s, 2 min, 10 min, then every hour', () => {
    expect(plan(0, 0)).toBe(5_000);
    expect(plan(1, 5_000)).toBe(30_000);
    expect(plan(2, 30_000)).toBe(120_000);
    expect(plan(3, 120_000)).toBe(600_000);
    expect(plan(4, 600_000)).toBe(4_200_000);
    expect(plan(9, 10_000_000)).toBe(13_600_000);
  });

  it('does not hurry after a pause, and spreads what met in one accident', () => {
    expect(plan(1, 900_000)).toBe(905_000);
    expect(plan(4, 600_000, 0.5)).toBe(4_380_000);
    expect(plan(1, 5_000, 0.999)).toBeLessThan(32_600);
  });
});

describe('isAlarmDue', () => {
  verifies('EXE-09', 'after a day, and again after each further one', () => {
    const day = 86_400_000;
    const due = (nowMs: number, alarmedMs?: number): boolean =>
      isAlarmDue({ unknownSinceMs: 0, alarmedMs, nowMs });
    expect(due(day - 1)).toBe(false);
    expect(due(day)).toBe(true);
    expect(due(2 * day - 1, day)).toBe(false);
    expect(due(2 * day, day)).toBe(true);
  });
});
