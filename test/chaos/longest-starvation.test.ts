import { describe, expect, it } from 'vitest';
import { longestStarvation, type Working } from './longest-starvation.ts';

const working = (fromMs: number, paidMs: readonly number[], toMs: number): Working => ({
  fromMs,
  toMs,
  paidMs,
});

describe('longestStarvation', () => {
  it('is the longest time without a payment while another process paid', () => {
    const busy = working(0, [10, 20, 30, 40, 50, 60], 70);
    expect(longestStarvation([busy, working(0, [5, 15, 45, 55], 70)])).toBe(25);
  });

  it('counts from the first moment of a process and to its last', () => {
    const busy = working(0, [10, 20, 30, 40], 50);
    expect(longestStarvation([busy, working(5, [], 50)])).toBe(35);
    expect(longestStarvation([busy, working(5, [10, 11], 50)])).toBe(29);
  });

  it('is not what all of them waited for', () => {
    const both = [working(0, [10, 1_000], 1_001), working(0, [11, 1_001], 1_002)];
    expect(longestStarvation(both)).toBeLessThan(1_000);
    expect(longestStarvation([working(0, [], 5_000)])).toBe(0);
  });
});
