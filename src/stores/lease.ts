/** A process that was silent for this long may have lost what it had begun: 30 s. */
export const leaseMs = 30_000;

/** Whether a process that last said that it lives at `aliveMs` may still act. A clock that was set back proves nothing. */
export function isLeaseHeld(aliveMs: number | undefined, nowMs: number): boolean {
  return aliveMs !== undefined && nowMs >= aliveMs && nowMs < aliveMs + leaseMs;
}
