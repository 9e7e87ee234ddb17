// The last guard before rows change: only moves of the two state machines, whatever planned them.
import { type ApprovalState, isLegalMove } from '../operation.ts';
import type { Writes } from './writes.ts';

const legalEnds: Readonly<Record<ApprovalState, readonly ApprovalState[]>> = {
  REQUESTED: ['GRANTED', 'REJECTED', 'EXPIRED', 'CANCELLED', 'VOIDED'],
  GRANTED: ['CONSUMED', 'REJECTED', 'EXPIRED', 'CANCELLED', 'VOIDED'],
  REJECTED: [],
  EXPIRED: [],
  CANCELLED: [],
  VOIDED: [],
  CONSUMED: [],
};

/** One line about the first move that no state machine has; undefined when all are legal. */
export function findIllegalMove(writes: Writes): string | undefined {
  for (const { from, attempt, to } of writes.moveOperations) {
    const isCounted = to.state !== 'DISPATCHING' || to.attempt === attempt + 1;
    if (!isLegalMove(from, to.state) || !isCounted) return `operation ${from} to ${to.state}`;
  }
  for (const { from, to } of writes.moveApprovals) {
    if (!legalEnds[from].includes(to.state)) return `approval ${from} to ${to.state}`;
  }
  for (const { state } of writes.insertOperations) {
    if (state !== 'ASKING' && state !== 'DISPATCHING') return `operation starts as ${state}`;
  }
  for (const { state } of writes.insertApprovals) {
    if (state !== 'REQUESTED') return `approval starts as ${state}`;
  }
  return undefined;
}
