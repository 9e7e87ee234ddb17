import { describe, expect, it } from 'vitest';
import { isLeaseHeld, leaseMs } from './lease.ts';

describe('isLeaseHeld', () => {
  it('holds from the sign of life on, for as long as a lease', () => {
    expect(isLeaseHeld(1_000, 1_000)).toBe(true);
    expect(isLeaseHeld(1_000, 1_000 + leaseMs - 1)).toBe(true);
    expect(isLeaseHeld(1_000, 1_000 + leaseMs)).toBe(false);
  });

  it('does not hold before it: the clock was set back, or there was none', () => {
    expect(isLeaseHeld(1_000, 999)).toBe(false);
    expect(isLeaseHeld(undefined, 999)).toBe(false);
  });
});
