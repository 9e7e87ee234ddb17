// A process died between dispatch and outcome: nobody knows whether the effect happened.
import type { BudgetHold, OperationRow } from '../operation.ts';
import { releaseAll } from './settle-budgets.ts';
import { noWrites, type Writes } from './writes.ts';

/** DISPATCHING → UNKNOWN; the reservation stays, nothing is sent again. A read has no effect to wait for. */
export function planOrphan(
  operation: OperationRow,
  rows: {
    readonly nowMs: number;
    readonly reserved: readonly BudgetHold[];
  },
): Writes {
  const state = operation.effect === 'read' ? 'FAILED' : 'UNKNOWN';
  const { opId, attempt } = operation;
  const released = state === 'FAILED' ? rows.reserved : [];
  return {
    ...noWrites,
    moveOperations: [
      {
        from: 'DISPATCHING',
        attempt,
        to: { ...operation, state, outcome: 'AMBIGUOUS', movedMs: rows.nowMs, told: true },
      },
    ],
    budgetMoves: releaseAll(opId, released),
    leaves: [
      {
        type: 'outcome',
        opId,
        prev: 'DISPATCHING',
        state,
        code: state === 'FAILED' ? 'EXECUTION_FAILED' : 'EXECUTION_UNKNOWN',
        open: { class: 'AMBIGUOUS', attempt, late: false },
        committed: { reason: 'the process that sent it ended before the answer' },
      },
    ],
  };
}
