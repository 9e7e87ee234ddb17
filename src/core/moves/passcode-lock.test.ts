import { describe, expect, it } from 'vitest';
import { lockAfterFailure, noPasscodeLock, type PasscodeLock } from './passcode-lock.ts';

describe('lockAfterFailure', () => {
  it('locks at the fifth failure for a minute, then twice as long, at most an hour', () => {
    let lock: PasscodeLock = noPasscodeLock;
    const minutes: number[] = [];
    for (let i = 0; i < 40; i += 1) {
      lock = lockAfterFailure(lock, 1_000);
      minutes.push(lock.lockedUntilMs === 0 ? 0 : (lock.lockedUntilMs - 1_000) / 60_000);
    }
    expect(minutes.slice(0, 12)).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60]);
    expect(new Set(minutes.slice(12))).toEqual(new Set([60]));
    expect(lock.failures).toBe(40);
  });
});
