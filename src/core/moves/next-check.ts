// When somebody looks for an operation whose outcome nobody knows.

/** After it became UNKNOWN: 5 s, 30 s, 2 min, 10 min; then every hour. */
const offsetsMs: readonly number[] = [5_000, 30_000, 120_000, 600_000];
const everyMs = 3_600_000;
/** Look-ups that are all overdue after a pause are spread a little. */
const pauseMinMs = 5_000;
/** A wait is prolonged by up to this part of it, so that operations of one accident part. */
const jitterShare = 0.1;

/** An UNKNOWN of this age is an alarm, and again after each further day. */
export const alarmAfterMs = 86_400_000;

/** Wait before the first look-up. */
export const firstCheckAfterMs: number = offsetsMs[0] as number;

/** What the next look-up follows from. */
export interface CheckHistory {
  readonly unknownSinceMs: number;
  /** Look-ups that were made. */
  readonly checks: number;
  readonly nowMs: number;
  /** From 0 to below 1. */
  readonly jitter: number;
}

/** When the next look-up is due. */
export function nextCheckMs({ unknownSinceMs, checks, nowMs, jitter }: CheckHistory): number {
  const offsetMs = offsetsMs[checks];
  const plannedMs = offsetMs === undefined ? nowMs + everyMs : unknownSinceMs + offsetMs;
  const dueMs = Math.max(plannedMs, nowMs + pauseMinMs);
  return Math.round(dueMs + (dueMs - nowMs) * jitterShare * jitter);
}

/** Whether somebody must be told that an operation is UNKNOWN for so long; once a day. */
export function isAlarmDue(of: {
  readonly unknownSinceMs: number;
  readonly alarmedMs: number | undefined;
  readonly nowMs: number;
}): boolean {
  return of.nowMs >= (of.alarmedMs ?? of.unknownSinceMs) + alarmAfterMs;
}
