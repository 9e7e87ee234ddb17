// The last guard before rows change: only moves of the two state machines, whatever planned them.
import { type ApprovalState, isLegalMove } from '../operation.ts';
import type { ApprovalMove, Writes } from './writes.ts';

const legalEnds: Readonly<Record<ApprovalState, readonly ApprovalState[]>> = {
  REQUESTED: ['REQUESTED', 'GRANTED', 'REJECTED', 'EXPIRED', 'CANCELLED', 'VOIDED'],
  GRANTED: ['CONSUMED', 'REJECTED', 'EXPIRED', 'CANCELLED', 'VOIDED'],
  REJECTED: [],
  EXPIRED: [],
  CANCELLED: [],
  VOIDED: [],
  CONSUMED: [],
};

/** A vote adds one, and nothing else does. */
function isLegalAnswer({ from, votes, to }: ApprovalMove): boolean {
  const isVote = to.state === 'REQUESTED' || to.state === 'GRANTED';
  return legalEnds[from].includes(to.state) && to.votes.length === votes + (isVote ? 1 : 0);
}

/** One line about the first move that no state machine has; undefined when all are legal. */
export function findIllegalMove(writes: Writes): string | undefined {
  for (const { from, attempt, to } of writes.moveOperations) {
    const isCounted = to.state !== 'DISPATCHING' || to.attempt === attempt + 1;
    if (!isLegalMove(from, to.state) || !isCounted) return `operation ${from} to ${to.state}`;
  }
  for (const move of writes.moveApprovals) {
    if (!isLegalAnswer(move)) return `approval ${move.from} to ${move.to.state}`;
  }
  for (const { state } of writes.insertOperations) {
    if (state !== 'ASKING' && state !== 'DISPATCHING') return `operation starts as ${state}`;
  }
  for (const { state } of writes.insertApprovals) {
    if (state !== 'REQUESTED') return `approval starts as ${state}`;
  }
  return undefined;
}
