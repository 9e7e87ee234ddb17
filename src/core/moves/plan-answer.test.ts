import { describe, expect, it } from 'vitest';
import {
  aMandateRow,
  anApprovalRow,
  anOperationRow,
  testNowMs,
} from '../../testing/move-builders.ts';
import { anAnswer, testDigest } from '../../testing/store-builders.ts';
import { nobody } from '../person.ts';
import { type AnswerRows, type ApprovalAnswer, planAnswer, planEnd } from './plan-answer.ts';
import { noWrites } from './writes.ts';

const approval = anApprovalRow();
const operation = anOperationRow({ state: 'ASKING', attempt: 0, owner: undefined, level: 1 });

function plan(over: Partial<ApprovalAnswer> = {}, rows: Partial<AnswerRows> = {}) {
  const answer = anAnswer({ approvalId: approval.approvalId, opHash: testDigest }, over);
  return planAnswer(answer, {
    nowMs: testNowMs,
    approval,
    operation,
    mandate: aMandateRow(),
    recentRejects: 0,
    people: nobody,
    ...rows,
  });
}

describe('planAnswer', () => {
  it('grants: the request moves, the operation waits', () => {
    const { result, writes } = plan();
    expect(result).toEqual({ ok: true, state: 'GRANTED', suspended: false });
    expect(writes).toMatchObject({
      moveOperations: [],
      moveApprovals: [
        { from: 'REQUESTED', to: { state: 'GRANTED', assurance: 'passcode', channel: 'page' } },
      ],
    });
    expect(writes.leaves).toEqual([
      {
        type: 'approval.answer',
        opId: approval.opId,
        prev: 'ASKING',
        state: 'ASKING',
        open: {
          request: approval.approvalId,
          op_hash: testDigest,
          verdict: 'approve',
          assurance: 'passcode',
          channel: 'page',
          evidence_sha256: testDigest,
        },
        committed: { person: 'alice', evidence: '{"mac":"x"}' },
      },
    ]);
  });

  it('rejects: request and operation end, also after a grant', () => {
    for (const state of ['REQUESTED', 'GRANTED'] as const) {
      const { result, writes } = plan(
        { verdict: 'reject', reason: 'wrong vendor' },
        { approval: anApprovalRow({ state }) },
      );
      expect(result).toEqual({ ok: true, state: 'REJECTED', suspended: false });
      expect(writes).toMatchObject({
        moveOperations: [{ from: 'ASKING', attempt: 0, to: { state: 'CLOSED' } }],
        moveApprovals: [{ from: state, to: { state: 'REJECTED', endedMs: testNowMs } }],
        updateMandates: [],
      });
      expect(writes.leaves.map((leaf) => leaf.type)).toEqual(['approval.answer', 'approval.end']);
      expect(writes.leaves[0]?.committed).toMatchObject({ reason: 'wrong vendor' });
      expect(writes.leaves[1]?.committed).toEqual({ reason: 'wrong vendor' });
    }
    expect(plan({ verdict: 'reject' }).writes.leaves[1]?.committed).toEqual({ reason: 'rejected' });
  });

  it('suspends the mandate at the third reject of an hour, once', () => {
    const reject = (rows: Partial<AnswerRows>) => plan({ verdict: 'reject' }, rows);
    expect(reject({ recentRejects: 1 }).writes.updateMandates).toEqual([]);
    const third = reject({ recentRejects: 2 });
    expect(third.result).toMatchObject({ suspended: true });
    expect(third.writes.updateMandates).toMatchObject([{ status: 'suspended' }]);
    expect(third.writes.leaves.at(-1)).toMatchObject({
      type: 'mandate.suspend',
      code: 'AUTHN_MANDATE_SUSPENDED',
    });
    const mandate = aMandateRow({ status: 'suspended' });
    expect(reject({ recentRejects: 2, mandate }).result).toMatchObject({ suspended: false });
  });

  it.each(['approval', 'operation', 'mandate'] as const)('finds nothing without its %s', (row) => {
    expect(plan({}, { [row]: undefined })).toEqual({
      result: { ok: false, code: 'NOT_FOUND', state: undefined },
      writes: noWrites,
    });
  });

  it('ends a request at the instant its time is over', () => {
    const at = (expiresMs: number) => plan({}, { approval: anApprovalRow({ expiresMs }) });
    expect(at(testNowMs + 1).result.ok).toBe(true);
    const late = at(testNowMs);
    expect(late.result).toEqual({ ok: false, code: 'ENDED', state: 'EXPIRED' });
    expect(late.writes).toMatchObject({
      moveApprovals: [{ to: { state: 'EXPIRED', endReason: 'expired', told: false } }],
      moveOperations: [{ to: { state: 'CLOSED' } }],
    });
  });

  it.each(['REJECTED', 'EXPIRED', 'CANCELLED', 'VOIDED', 'CONSUMED'] as const)(
    'never changes a request that is %s',
    (state) => {
      for (const verdict of ['approve', 'reject'] as const) {
        const { result, writes } = plan({ verdict }, { approval: anApprovalRow({ state }) });
        expect(result).toEqual({ ok: false, code: 'ENDED', state });
        expect(writes).toBe(noWrites);
      }
    },
  );

  it('a second approval changes nothing', () => {
    const granted = plan({}, { approval: anApprovalRow({ state: 'GRANTED' }) });
    expect(granted.result).toEqual({ ok: false, code: 'ENDED', state: 'GRANTED' });
    expect(granted.writes).toBe(noWrites);
  });

  it('refuses another hash, another person and a level that is not theirs', () => {
    const codeOf = ({ result }: ReturnType<typeof plan>) => (result.ok ? 'ok' : result.code);
    expect(codeOf(plan({ opHash: 'cd'.repeat(32) }))).toBe('EXECUTION_CHANGED');
    expect(codeOf(plan({ person: 'mallory' }))).toBe('APPROVAL_NOT_ELIGIBLE');
    expect(codeOf(plan({ person: 'mallory', verdict: 'reject' }))).toBe('APPROVAL_NOT_ELIGIBLE');
    expect(codeOf(plan({}, { approval: anApprovalRow({ level: 2 }) }))).toBe(
      'APPROVAL_NOT_ELIGIBLE',
    );
    expect(plan({ opHash: 'cd'.repeat(32) }).writes).toBe(noWrites);
    expect(plan({ person: 'mallory' }).writes).toEqual({
      ...noWrites,
      leaves: [
        {
          type: 'alarm',
          code: 'APPROVAL_NOT_ELIGIBLE',
          open: { kind: 'approval_not_eligible' },
          committed: { person: 'mallory', request: approval.approvalId, channel: 'page' },
        },
      ],
    });
  });
});

describe('planEnd', () => {
  it('closes the operation and ends the request; told only when the caller hears it now', () => {
    const end = { state: 'VOIDED', reason: 'policy', nowMs: testNowMs } as const;
    const writes = planEnd({ approval, operation }, end);
    expect(writes).toMatchObject({
      moveOperations: [{ from: 'ASKING', to: { state: 'CLOSED', movedMs: testNowMs } }],
      moveApprovals: [{ to: { state: 'VOIDED', endReason: 'policy', told: false } }],
      leaves: [{ type: 'approval.end', state: 'CLOSED', open: { end: 'VOIDED' } }],
    });
    const told = planEnd({ approval, operation }, { ...end, told: true });
    expect(told.moveApprovals[0]?.to.told).toBe(true);
  });
});
