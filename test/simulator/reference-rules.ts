// What the reference gateway says about single rows.
import type { ReferenceApproval, ReferenceOperation } from './reference-rows.ts';
import { simAction } from './sim-calls.ts';
import type { StoreEvent } from './store-call.ts';

/** What an outcome says for certain. */
export function certainState(
  { action }: ReferenceOperation,
  report: Extract<StoreEvent, { kind: 'finish' }>['report'],
): 'SUCCEEDED' | 'FAILED' | undefined {
  if (report.class === 'SUCCESS') return 'SUCCEEDED';
  const isFailure =
    report.class === 'NOT_SENT' ||
    report.class === 'REJECTED' ||
    (report.class === 'TOOL_ERROR' && simAction(action).toolErrorFails);
  // That a second attempt failed says nothing about the first one.
  return isFailure && report.attempt === 1 ? 'FAILED' : undefined;
}

/** Nothing can arrive any more. */
export function isAbsentForGood(
  { action, deadlineMs }: ReferenceOperation,
  nowMs: number,
): boolean {
  const { absenceFinalAfterMs } = simAction(action);
  return absenceFinalAfterMs !== undefined && nowMs >= deadlineMs + absenceFinalAfterMs;
}

export const isToolError = ({ state, outcome }: ReferenceOperation): boolean =>
  state === 'UNKNOWN' && outcome === 'TOOL_ERROR';

export const isOpen = ({ state }: ReferenceApproval): boolean =>
  state === 'REQUESTED' || state === 'GRANTED';

/** A call counts as one; only what changes something costs its amount. */
export function chargeOf(
  { action, amount }: { readonly action: string; readonly amount: number },
  kind: 'amount' | 'calls',
): number {
  if (kind === 'calls') return 1;
  return simAction(action).effect === 'write' ? amount : 0;
}
