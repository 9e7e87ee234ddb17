import { describe, expect } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { anOperationRow, testNowMs } from '../../testing/move-builders.ts';
import { planOrphan } from './plan-orphan.ts';

describe('planOrphan', () => {
  const reserved = [{ budgetId: 'b', amount: 5, kind: 'amount', used: 5 }] as const;

  verifies(['EXE-08', 'EXE-28'], 'a write becomes UNKNOWN and keeps what it holds', () => {
    const operation = anOperationRow();
    const writes = planOrphan(operation, { nowMs: testNowMs, reserved });
    expect(writes.budgetMoves).toEqual([]);
    expect(writes.moveOperations).toMatchObject([
      { from: 'DISPATCHING', attempt: 1, to: { state: 'UNKNOWN', movedMs: testNowMs } },
    ]);
    expect(writes.leaves).toMatchObject([
      { type: 'outcome', state: 'UNKNOWN', code: 'EXECUTION_UNKNOWN', open: { late: false } },
    ]);
  });

  verifies('EXE-28', 'a read is FAILED and gives back what it holds', () => {
    const operation = anOperationRow({ effect: 'read' });
    const writes = planOrphan(operation, { nowMs: testNowMs, reserved });
    expect(writes.moveOperations).toMatchObject([{ to: { state: 'FAILED' } }]);
    expect(writes.leaves).toMatchObject([{ code: 'EXECUTION_FAILED' }]);
    expect(writes.budgetMoves).toEqual([
      { kind: 'release', opId: operation.opId, budgetId: 'b', amount: 5 },
    ]);
  });
});
