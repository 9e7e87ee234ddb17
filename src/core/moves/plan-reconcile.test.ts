import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { anOperationRow, testNowMs } from '../../testing/move-builders.ts';
import type { OperationState } from '../operation.ts';
import { type Finding, planReconcile } from './plan-reconcile.ts';

const unknown = anOperationRow({ state: 'UNKNOWN', told: true });
const { opId } = unknown;
const held = { budgetId: 'b', amount: 5 };
const reserved = [{ ...held, kind: 'amount', used: 5 }] as const;
const rows = { nowMs: testNowMs, operation: unknown, reserved };
const finding: Finding = {
  opId,
  finding: 'succeeded',
  method: 'person',
  person: 'maya',
  evidence: 'on the statement',
  isTold: false,
};

describe('planReconcile', () => {
  verifies('EXE-07', 'settles what happened, and leaves it to be told', () => {
    const plan = planReconcile(finding, rows);
    expect(plan).toMatchObject({ isSettled: true, state: 'SUCCEEDED' });
    expect(plan.writes.moveOperations).toEqual([
      {
        from: 'UNKNOWN',
        attempt: 1,
        to: { ...unknown, state: 'SUCCEEDED', movedMs: testNowMs, told: false },
      },
    ]);
    expect(plan.writes.budgetMoves).toEqual([{ kind: 'settle', opId, ...held, actual: 5 }]);
    expect(plan.writes.leaves).toEqual([
      {
        type: 'reconcile',
        opId,
        prev: 'UNKNOWN',
        state: 'SUCCEEDED',
        open: { method: 'person', finding: 'succeeded' },
        committed: { evidence: 'on the statement', person: 'maya' },
      },
    ]);
  });

  verifies('EXE-07', 'releases what certainly did not happen', () => {
    const plan = planReconcile({ ...finding, finding: 'failed', person: undefined }, rows);
    expect(plan).toMatchObject({ isSettled: true, state: 'FAILED' });
    expect(plan.writes.budgetMoves).toEqual([{ kind: 'release', opId, ...held }]);
    expect(plan.writes.leaves[0]?.committed).toEqual({ evidence: 'on the statement' });
  });

  verifies('EXE-19', 'settles what was really taken, and nothing by an amount that is none', () => {
    const plan = planReconcile({ ...finding, amount: 3 }, rows);
    expect(plan.writes.budgetMoves).toEqual([{ kind: 'settle', opId, ...held, actual: 3 }]);
    expect(plan.writes.leaves[0]?.committed).toMatchObject({ amount: 3 });
    const odd = planReconcile({ ...finding, amount: 0.5 }, rows);
    expect(odd).toMatchObject({ isSettled: false, state: 'UNKNOWN' });
    expect(odd.writes.leaves).toMatchObject([{ type: 'alarm', open: { kind: 'odd_amount' } }]);
    expect(odd.writes.moveOperations).toEqual([]);
  });

  it('touches nothing that is not UNKNOWN', () => {
    const states: readonly OperationState[] = [
      'ASKING',
      'CLOSED',
      'DISPATCHING',
      'SUCCEEDED',
      'FAILED',
    ];
    for (const state of states) {
      const operation = anOperationRow({ state });
      const plan = planReconcile(finding, { ...rows, operation });
      expect(plan).toMatchObject({ isSettled: false, state });
      expect(plan.writes.moveOperations).toEqual([]);
      expect(plan.writes.leaves).toEqual([]);
    }
    expect(planReconcile(finding, { ...rows, operation: undefined })).toMatchObject({
      isSettled: false,
      state: undefined,
    });
  });

  verifies(
    'EXE-52',
    'absence is a failure only after the deadline and the time it may take',
    () => {
      const absent = {
        ...finding,
        finding: 'absent' as const,
        attempt: 1,
        method: 'connector' as const,
      };
      const at = (nowMs: number, absenceFinalAfterMs?: number) =>
        planReconcile(
          { ...absent, ...(absenceFinalAfterMs === undefined ? {} : { absenceFinalAfterMs }) },
          { ...rows, nowMs },
        );
      const deadlineMs = unknown.deadlineMs as number;
      expect(at(deadlineMs + 4_999, 5_000)).toEqual({
        isSettled: false,
        state: 'UNKNOWN',
        writes: expect.objectContaining({ leaves: [], moveOperations: [], budgetMoves: [] }),
      });
      expect(at(deadlineMs + 999_999_999)).toMatchObject({ isSettled: false, state: 'UNKNOWN' });
      const final = at(deadlineMs + 5_000, 5_000);
      expect(final).toMatchObject({ isSettled: true, state: 'FAILED' });
      expect(final.writes.leaves).toMatchObject([
        { type: 'reconcile', state: 'FAILED', open: { finding: 'absent', method: 'connector' } },
      ]);
      const slow = { ...absent, absenceFinalAfterMs: 5_000, lookedMs: deadlineMs + 4_999 };
      expect(planReconcile(slow, { ...rows, nowMs: deadlineMs + 60_000 }).isSettled).toBe(false);
      const never = { ...rows, operation: { ...unknown, deadlineMs: undefined } };
      expect(planReconcile({ ...absent, absenceFinalAfterMs: 0 }, never).isSettled).toBe(false);
    },
  );

  it('a finding about an earlier attempt settles nothing', () => {
    const later = { ...rows, operation: { ...unknown, attempt: 2 } };
    expect(planReconcile({ ...finding, attempt: 1 }, later)).toMatchObject({
      isSettled: false,
      state: 'UNKNOWN',
    });
    expect(planReconcile({ ...finding, attempt: 2 }, later).isSettled).toBe(true);
  });

  it('commits amount and reference of the target', () => {
    const plan = planReconcile({ ...finding, amount: 7, reference: 'A-1' }, rows);
    expect(plan.writes.leaves[0]?.committed).toMatchObject({ amount: 7, reference: 'A-1' });
  });
});
