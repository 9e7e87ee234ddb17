import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import {
  anApprovalRow,
  anOperationRow,
  testNowMs,
  waitingRows,
} from '../../testing/move-builders.ts';
import type { ApprovalRow, OperationRow } from '../operation.ts';
import { noRepeat, type RepeatRows, repeatFact } from './repeat-fact.ts';

const opId = '11'.repeat(16);

function fact(rows: Partial<RepeatRows>, over: Partial<Parameters<typeof repeatFact>[1]> = {}) {
  return repeatFact(
    { ...noRepeat, ...rows },
    {
      nowMs: testNowMs,
      duplicateWindowMs: 1_000,
      isRead: false,
      principal: 'alice',
      changedSince: () => [],
      ...over,
    },
  );
}

function newest(row: Partial<OperationRow>, approval?: ApprovalRow): RepeatRows['newest'] {
  const texts = { preimage: undefined, call: undefined, people: undefined };
  return { operation: anOperationRow(row), approval, ...texts };
}

describe('repeatFact', () => {
  it('is none for a call that was never made', () => {
    expect(fact({})).toEqual({ kind: 'none' });
  });

  it('meets an open question until the instant its time is over', () => {
    const at = (expiresMs: number) => fact(waitingRows({ expiresMs }));
    expect(at(testNowMs + 1)).toEqual({ kind: 'open', opId, level: 1 });
    expect(at(testNowMs)).toEqual({ kind: 'ended_untold', opId, how: 'expired' });
  });

  it('lets a read be repeated and still meets the question about it', () => {
    const success = { ...noRepeat, success: anOperationRow({ state: 'SUCCEEDED' }) };
    expect(fact(success)).toMatchObject({ kind: 'recent_success' });
    expect(fact(success, { isRead: true })).toEqual({ kind: 'none' });
    const open = waitingRows({ state: 'REQUESTED' });
    expect(fact(open, { isRead: true })).toMatchObject({ kind: 'open' });
  });

  it('meets a grant with what changed since', () => {
    const granted = waitingRows({ state: 'GRANTED' }, { preimage: 'p' });
    expect(fact(granted)).toEqual({ kind: 'granted', opId, level: 1, changed: [] });
    const changedSince = (preimage: string): readonly string[] => [`after ${preimage}`];
    expect(fact(granted, { changedSince })).toMatchObject({ changed: ['after p'] });
    expect(fact(waitingRows({ state: 'GRANTED' }))).toMatchObject({ changed: ['preimage'] });
    const { newest } = granted;
    const altered = { ...granted, newest: newest && { ...newest, preimage: 'q' } };
    expect(fact(altered)).toMatchObject({ changed: ['preimage'] });
  });

  it('makes nothing of a waiting row whose request is missing or at its end', () => {
    expect(fact({ newest: newest({ state: 'ASKING' }) })).toEqual({ kind: 'none' });
    expect(fact(waitingRows({ state: 'VOIDED' }))).toEqual({ kind: 'none' });
  });

  verifies('EXE-14', 'meets a call that is under way or unknown', () => {
    const unresolved = anOperationRow();
    expect(fact({ unresolved, newest: newest({}) })).toEqual({ kind: 'in_flight', opId });
    const unknown = (outcome: OperationRow['outcome']) =>
      fact({ unresolved: anOperationRow({ state: 'UNKNOWN', outcome }) });
    expect(unknown('AMBIGUOUS')).toEqual({ kind: 'unknown', opId, toolError: false });
    expect(unknown('TOOL_ERROR')).toEqual({ kind: 'unknown', opId, toolError: true });
  });

  verifies(
    'EXE-14',
    'uses no grant while the first call is sent again after its tool error',
    () => {
      const again = anOperationRow({ attempt: 2, outcome: 'TOOL_ERROR' });
      const granted = waitingRows({ state: 'GRANTED' }, { preimage: 'p' });
      expect(fact({ ...granted, unresolved: again })).toEqual({ kind: 'in_flight', opId });
      const lost = { ...again, state: 'UNKNOWN', outcome: 'AMBIGUOUS' } as const;
      expect(fact({ ...granted, unresolved: lost })).toMatchObject({ kind: 'unknown' });
      const refused = { ...lost, outcome: 'TOOL_ERROR' } as const;
      expect(fact({ ...granted, unresolved: refused })).toMatchObject({ kind: 'granted' });
    },
  );

  it('keeps a reject in force also when the first attempt ended in a tool error', () => {
    const unresolved = anOperationRow({ state: 'UNKNOWN', outcome: 'TOOL_ERROR' });
    const approval = anApprovalRow({ state: 'REJECTED', endedMs: testNowMs });
    const rows = { unresolved, newest: newest({ state: 'CLOSED' }, approval) };
    expect(fact(rows)).toEqual({ kind: 'rejected', opId });
    expect(fact(rows, { nowMs: testNowMs + 600_000 })).toMatchObject({ kind: 'unknown' });
    const ambiguous = { ...rows, unresolved: { ...unresolved, outcome: 'AMBIGUOUS' } as const };
    expect(fact(ambiguous)).toMatchObject({ kind: 'unknown', toolError: false });
  });

  it('meets a success that was never told before anything recent', () => {
    const row = anOperationRow({ state: 'SUCCEEDED', told: false });
    expect(fact({ untold: row, success: row })).toEqual({ kind: 'untold_success', opId });
  });

  it('keeps a reject in force for ten minutes', () => {
    const rejected = (endedMs: number | undefined, createdMs = testNowMs) =>
      fact({
        newest: newest(
          { state: 'CLOSED' },
          anApprovalRow({ state: 'REJECTED', endedMs, createdMs, told: true }),
        ),
      });
    expect(rejected(testNowMs - 599_999)).toEqual({ kind: 'rejected', opId });
    expect(rejected(testNowMs - 600_000)).toEqual({ kind: 'none' });
    expect(rejected(undefined, testNowMs - 600_000)).toEqual({ kind: 'none' });
  });

  it('tells once how a question ended', () => {
    const ended = (over: Partial<ApprovalRow>) =>
      fact({ newest: newest({ state: 'CLOSED' }, anApprovalRow(over)) });
    expect(ended({ state: 'EXPIRED' })).toEqual({ kind: 'ended_untold', opId, how: 'expired' });
    expect(ended({ state: 'VOIDED' })).toEqual({ kind: 'ended_untold', opId, how: 'changed' });
    expect(ended({ state: 'EXPIRED', told: true })).toEqual({ kind: 'none' });
    expect(ended({ state: 'CANCELLED' })).toEqual({ kind: 'none' });
  });

  verifies('EXE-15', 'meets a recent success up to the end of the window', () => {
    const success = (movedMs: number) =>
      fact({ success: anOperationRow({ state: 'SUCCEEDED', movedMs }) });
    expect(success(testNowMs - 999)).toEqual({ kind: 'recent_success', opId });
    expect(success(testNowMs - 1_000)).toEqual({ kind: 'none' });
    const off = { duplicateWindowMs: 0 };
    expect(fact({ success: anOperationRow({ movedMs: testNowMs }) }, off)).toEqual({
      kind: 'none',
    });
  });
});
