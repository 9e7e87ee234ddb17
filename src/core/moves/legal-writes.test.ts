import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { anApprovalRow, anOperationRow, aVote } from '../../testing/move-builders.ts';
import type { ApprovalState, OperationState } from '../operation.ts';
import { findIllegalMove } from './legal-writes.ts';
import { noWrites } from './writes.ts';

const operationStates: readonly OperationState[] = [
  'ASKING',
  'CLOSED',
  'DISPATCHING',
  'SUCCEEDED',
  'FAILED',
  'UNKNOWN',
];
const approvalStates: readonly ApprovalState[] = [
  'REQUESTED',
  'GRANTED',
  'REJECTED',
  'EXPIRED',
  'CANCELLED',
  'VOIDED',
  'CONSUMED',
];

function pairs<T>(states: readonly T[], isLegal: (from: T, to: T) => boolean): readonly string[] {
  return states.flatMap((from) =>
    states.filter((to) => isLegal(from, to)).map((to) => `${from} ${to}`),
  );
}

describe('findIllegalMove', () => {
  const moveOperation = (from: OperationState, state: OperationState, attempt = 1) =>
    findIllegalMove({
      ...noWrites,
      moveOperations: [{ from, attempt: 0, to: anOperationRow({ state, attempt }) }],
    });
  const moveApproval = (from: ApprovalState, state: ApprovalState) =>
    findIllegalMove({
      ...noWrites,
      moveApprovals: [{ from, votes: 0, to: anApprovalRow({ state, votes: votesAt(state) }) }],
    });
  const votesAt = (state: ApprovalState) =>
    state === 'REQUESTED' || state === 'GRANTED' ? [aVote()] : [];

  verifies('EXE-01', 'lets an operation make the moves of its states and no other', () => {
    const legal = pairs(operationStates, (from, to) => moveOperation(from, to) === undefined);
    expect(legal).toEqual([
      'ASKING CLOSED',
      'ASKING DISPATCHING',
      'DISPATCHING SUCCEEDED',
      'DISPATCHING FAILED',
      'DISPATCHING UNKNOWN',
      'UNKNOWN DISPATCHING',
      'UNKNOWN SUCCEEDED',
      'UNKNOWN FAILED',
    ]);
    expect(moveOperation('SUCCEEDED', 'FAILED')).toBe('operation SUCCEEDED to FAILED');
  });

  verifies('EXE-01', 'lets a dispatch count exactly one attempt more', () => {
    expect(moveOperation('ASKING', 'DISPATCHING', 1)).toBeUndefined();
    expect(moveOperation('ASKING', 'DISPATCHING', 0)).toBeDefined();
    expect(moveOperation('ASKING', 'DISPATCHING', 2)).toBeDefined();
  });

  it('lets a request collect votes, be granted once and end once', () => {
    const legal = pairs(approvalStates, (from, to) => moveApproval(from, to) === undefined);
    expect(legal).toEqual([
      'REQUESTED REQUESTED',
      'REQUESTED GRANTED',
      'REQUESTED REJECTED',
      'REQUESTED EXPIRED',
      'REQUESTED CANCELLED',
      'REQUESTED VOIDED',
      'GRANTED REJECTED',
      'GRANTED EXPIRED',
      'GRANTED CANCELLED',
      'GRANTED VOIDED',
      'GRANTED CONSUMED',
    ]);
    expect(moveApproval('EXPIRED', 'CONSUMED')).toBe('approval EXPIRED to CONSUMED');
  });

  verifies('EXE-01', 'lets rows start in their first states only', () => {
    const startOperation = (state: OperationState) =>
      findIllegalMove({ ...noWrites, insertOperations: [anOperationRow({ state })] });
    const startApproval = (state: ApprovalState) =>
      findIllegalMove({ ...noWrites, insertApprovals: [anApprovalRow({ state })] });
    expect(operationStates.filter((state) => startOperation(state) === undefined)).toEqual([
      'ASKING',
      'DISPATCHING',
    ]);
    expect(startOperation('SUCCEEDED')).toBe('operation starts as SUCCEEDED');
    expect(approvalStates.filter((state) => startApproval(state) === undefined)).toEqual([
      'REQUESTED',
    ]);
    expect(startApproval('GRANTED')).toBe('approval starts as GRANTED');
  });
});
