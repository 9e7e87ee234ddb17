import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { anOperationRow, testNowMs } from '../../testing/move-builders.ts';
import { aReport } from '../../testing/store-builders.ts';
import type { OperationRow, OutcomeClass } from '../operation.ts';
import { type OutcomeReport, planOutcome } from './plan-outcome.ts';

describe('planOutcome', () => {
  const operation = anOperationRow();
  const reserved = [
    { budgetId: 'amount', amount: 10 },
    { budgetId: 'calls', amount: 1 },
  ];
  const plan = (over: Partial<OutcomeReport> = {}, row: OperationRow | undefined = operation) =>
    planOutcome(aReport({ opId: operation.opId, owner: 'process-1' }, over), {
      nowMs: testNowMs,
      operation: row,
      reserved,
    });

  verifies('EXE-04', 'classifies every outcome of a write and of a read', () => {
    const classes: readonly OutcomeClass[] = [
      'SUCCESS',
      'NOT_SENT',
      'REJECTED',
      'AMBIGUOUS',
      'TOOL_ERROR',
      'ODD_ANSWER',
    ];
    const states = (over: Partial<OutcomeReport>, effect: 'write' | 'read') =>
      classes.map((each) => plan({ ...over, class: each }, anOperationRow({ effect })).state);
    expect(states({}, 'write')).toEqual([
      'SUCCEEDED',
      'FAILED',
      'FAILED',
      'UNKNOWN',
      'UNKNOWN',
      'UNKNOWN',
    ]);
    expect(states({}, 'read')).toEqual(['SUCCEEDED', ...Array(5).fill('FAILED')]);
    expect(states({ toolErrorFails: true }, 'write')[4]).toBe('FAILED');
    expect(states({ toolErrorFails: true }, 'write')[5]).toBe('UNKNOWN');
    expect(plan({ class: 'MADE_UP' as OutcomeClass }).state).toBe('UNKNOWN');
  });

  verifies(['EXE-19', 'EXE-22'], 'settles a success, releases a failure, keeps an unknown', () => {
    const kinds = (over: Partial<OutcomeReport>) =>
      plan(over).writes.budgetMoves.map(({ kind, budgetId, amount }) => [kind, budgetId, amount]);
    expect(kinds({})).toEqual([
      ['settle', 'amount', 10],
      ['settle', 'calls', 1],
    ]);
    expect(kinds({ class: 'NOT_SENT' })).toEqual([
      ['release', 'amount', 10],
      ['release', 'calls', 1],
    ]);
    expect(kinds({ class: 'AMBIGUOUS' })).toEqual([]);
  });

  it('raises an alarm about an answer that says something else', () => {
    const alarms = (over: Partial<OutcomeReport>) =>
      plan(over).writes.leaves.filter(({ type }) => type === 'alarm');
    expect(alarms({ class: 'ODD_ANSWER', reason: 'another amount' })).toEqual([
      {
        type: 'alarm',
        code: 'EXECUTION_UNKNOWN',
        open: { kind: 'odd_answer' },
        committed: { op: operation.opId, reason: 'another amount' },
      },
    ]);
    expect(alarms({ class: 'ODD_ANSWER', reason: undefined })[0]?.committed).toEqual({
      op: operation.opId,
    });
    expect(alarms({ class: 'AMBIGUOUS' })).toEqual([]);
  });

  it('moves the row from DISPATCHING of the same attempt, and keeps whether it was told', () => {
    expect(plan({ told: false }).writes.moveOperations).toEqual([
      {
        from: 'DISPATCHING',
        attempt: 1,
        to: {
          ...operation,
          state: 'SUCCEEDED',
          outcome: 'SUCCESS',
          movedMs: testNowMs,
          told: false,
        },
      },
    ]);
  });

  it('commits the result, or the hash of one that is too large, and the reason', () => {
    expect(plan().writes.leaves).toEqual([
      {
        type: 'outcome',
        opId: operation.opId,
        prev: 'DISPATCHING',
        state: 'SUCCEEDED',
        open: { class: 'SUCCESS', attempt: 1, late: false },
        committed: { result: aReport(operation as { opId: string; owner: string }).result },
      },
    ]);
    const failed = plan({ class: 'REJECTED', result: undefined, resultHash: 'h', reason: 'no' });
    expect(failed.writes.leaves).toMatchObject([
      { code: 'EXECUTION_FAILED', committed: { result_sha256: 'h', reason: 'no' } },
    ]);
    expect(plan({ class: 'AMBIGUOUS' }).writes.leaves[0]?.code).toBe('EXECUTION_UNKNOWN');
  });

  it.each([
    { why: 'a row that is final', over: {}, row: anOperationRow({ state: 'SUCCEEDED' }) },
    { why: 'another attempt', over: { attempt: 2 }, row: operation },
    { why: 'another owner', over: { owner: 'process-2' }, row: operation },
    {
      why: 'an earlier attempt than the one that is UNKNOWN',
      over: {},
      row: anOperationRow({ state: 'UNKNOWN', attempt: 2 }),
    },
    {
      why: 'an UNKNOWN row that says nothing certain',
      over: { class: 'AMBIGUOUS' as const },
      row: anOperationRow({ state: 'UNKNOWN' }),
    },
    {
      why: 'an UNKNOWN row that is a tool error nobody vouched for',
      over: { class: 'TOOL_ERROR' as const },
      row: anOperationRow({ state: 'UNKNOWN' }),
    },
  ])('an outcome of $why is a leaf and an alarm, and changes nothing', ({ over, row }) => {
    const { state } = row;
    const late = plan(over, row);
    expect(late).toMatchObject({ late: true, state });
    expect(late.writes).toMatchObject({ moveOperations: [], budgetMoves: [] });
    expect(late.writes.leaves).toMatchObject([
      { prev: state, state, open: { late: true } },
      { type: 'alarm', open: { kind: 'late_outcome' }, committed: { op: operation.opId } },
    ]);
  });

  verifies('EXE-05', 'a certain outcome that comes late settles its UNKNOWN attempt', () => {
    const unknown = anOperationRow({ state: 'UNKNOWN' });
    const cases = [
      { over: { told: false }, state: 'SUCCEEDED', finding: 'succeeded', kind: 'settle' },
      { over: { class: 'REJECTED' as const }, state: 'FAILED', finding: 'failed', kind: 'release' },
      {
        over: { class: 'TOOL_ERROR' as const, toolErrorFails: true },
        state: 'FAILED',
        finding: 'failed',
        kind: 'release',
      },
    ];
    for (const { over, state, finding, kind } of cases) {
      const late = plan(over, unknown);
      expect(late).toMatchObject({ late: true, state });
      expect(late.writes.moveOperations).toMatchObject([
        {
          from: 'UNKNOWN',
          attempt: 1,
          to: { state, outcome: 'class' in over ? over.class : 'SUCCESS', told: !('told' in over) },
        },
      ]);
      expect(late.writes.budgetMoves.map((move) => move.kind)).toEqual([kind, kind]);
      expect(late.writes.leaves).toMatchObject([
        { type: 'outcome', prev: 'UNKNOWN', state: 'UNKNOWN', open: { late: true } },
        { type: 'reconcile', state, open: { method: 'connector', finding } },
      ]);
    }
  });

  it('an outcome of an operation that is not there is a leaf and an alarm', () => {
    const late = planOutcome(aReport({ opId: operation.opId, owner: 'process-1' }), {
      nowMs: testNowMs,
      operation: undefined,
      reserved: [],
    });
    expect(late).toMatchObject({ late: true, state: 'UNKNOWN', writes: { moveOperations: [] } });
  });
});
