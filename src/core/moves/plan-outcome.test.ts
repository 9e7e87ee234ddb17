import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { anOperationRow, testNowMs } from '../../testing/move-builders.ts';
import { aReport } from '../../testing/store-builders.ts';
import type { OperationRow, OutcomeClass } from '../operation.ts';
import { type OutcomeReport, planOutcome } from './plan-outcome.ts';

describe('planOutcome', () => {
  const operation = anOperationRow();
  const reserved = [
    { budgetId: 'amount', amount: 10, kind: 'amount', used: 25 },
    { budgetId: 'calls', amount: 1, kind: 'calls', used: 3 },
  ] as const;
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

  verifies(
    'EXE-19',
    'settles what the target says it took, and does not believe what is none',
    () => {
      const settled = plan({ amount: 4 });
      expect(settled.writes.budgetMoves).toMatchObject([{ actual: 4 }, { actual: 1 }]);
      expect(settled.writes.leaves[0]?.committed).toMatchObject({ amount: 4 });
      const over = plan({ amount: 11 });
      expect(over.state).toBe('SUCCEEDED');
      expect(over.writes.leaves.map(({ type }) => type)).toEqual(['outcome', 'alarm']);
      const odd = plan({ amount: -1 });
      expect(odd).toMatchObject({ state: 'UNKNOWN', writes: { budgetMoves: [] } });
      expect(odd.writes.leaves).toMatchObject([
        { open: { class: 'AMBIGUOUS' } },
        { type: 'alarm', open: { kind: 'odd_amount' }, committed: { amount: '-1' } },
      ]);
      const unknown = anOperationRow({ state: 'UNKNOWN' });
      const late = plan({ amount: 4 }, unknown);
      expect(late.writes.budgetMoves).toMatchObject([{ actual: 4 }, { actual: 1 }]);
      expect(plan({ amount: 0.5 }, unknown)).toMatchObject({ state: 'UNKNOWN', late: true });
    },
  );

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
      why: 'an earlier attempt that failed, when a later one is UNKNOWN',
      over: { class: 'REJECTED' as const },
      row: anOperationRow({ state: 'UNKNOWN', attempt: 2 }),
    },
    {
      why: 'a later attempt that was not sent, which says nothing about the first',
      over: { class: 'NOT_SENT' as const, attempt: 2 },
      row: anOperationRow({ state: 'UNKNOWN', attempt: 2 }),
    },
    {
      why: 'an earlier attempt while a later one is under way',
      over: {},
      row: anOperationRow({ state: 'DISPATCHING', attempt: 2 }),
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

  verifies('EXE-11', 'a late success of an earlier attempt settles an UNKNOWN later one', () => {
    const late = plan({ amount: 9 }, anOperationRow({ state: 'UNKNOWN', attempt: 2 }));
    expect(late).toMatchObject({ late: true, state: 'SUCCEEDED' });
    expect(late.writes.moveOperations).toMatchObject([{ from: 'UNKNOWN', attempt: 2 }]);
    expect(late.writes.leaves[1]).toMatchObject({ type: 'reconcile', committed: { amount: 9 } });
  });

  verifies(
    ['EXE-06', 'EXE-04'],
    'a later attempt that fails leaves the operation UNKNOWN, for the first one may have worked',
    () => {
      const row = anOperationRow({ attempt: 2 });
      for (const over of [
        { class: 'NOT_SENT' as const },
        { class: 'REJECTED' as const },
        { class: 'TOOL_ERROR' as const, toolErrorFails: true },
      ]) {
        const second = plan({ ...over, attempt: 2 }, row);
        expect(second).toMatchObject({ late: false, state: 'UNKNOWN' });
        expect(second.writes.budgetMoves).toEqual([]);
      }
      expect(plan({ attempt: 2 }, row).state).toBe('SUCCEEDED');
    },
  );

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

  verifies('EXE-50', 'an answer that nobody can believe is UNKNOWN with an alarm', () => {
    const broken = plan({ class: 'AMBIGUOUS', isFault: true, reason: 'an unknown class' });
    expect(broken.state).toBe('UNKNOWN');
    expect(broken.writes.leaves[1]).toMatchObject({
      type: 'alarm',
      open: { kind: 'connector_fault' },
      committed: { reason: 'an unknown class' },
    });
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
