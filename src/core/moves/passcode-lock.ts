// How long a person's passcode is refused after failures: enough to make guessing hopeless.

/** Failures before the first lock. */
const failuresToLock = 5;
/** First lock: 1 min; each further failure doubles it. */
const firstLockMs = 60_000;
/** Longest lock: 1 h. */
const longestLockMs = 3_600_000;

/** Failures so far and the instant until which answers are refused; 0 = not locked. */
export interface PasscodeLock {
  readonly failures: number;
  readonly lockedUntilMs: number;
}

/** Nobody failed. */
export const noPasscodeLock: PasscodeLock = { failures: 0, lockedUntilMs: 0 };

/** The lock after one more failure. */
export function lockAfterFailure(lock: PasscodeLock, nowMs: number): PasscodeLock {
  const failures = lock.failures + 1;
  if (failures < failuresToLock) return { failures, lockedUntilMs: 0 };
  const doublings = Math.min(failures - failuresToLock, 10);
  return { failures, lockedUntilMs: nowMs + Math.min(firstLockMs * 2 ** doublings, longestLockMs) };
}
