import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { aMandateRow, anOperationRow, testNowMs } from '../../testing/move-builders.ts';
import { findIllegalMove } from './legal-writes.ts';
import { planResend, type ResendRequest, type ResendRows } from './plan-resend.ts';

const day = 86_400_000;
const unknown = anOperationRow({ state: 'UNKNOWN', deadlineMs: testNowMs - 1_000 });
const request: ResendRequest = {
  opId: unknown.opId,
  mandateId: unknown.mandateId,
  attempt: 1,
  owner: 'process-2',
  connector: 'mcp',
  call: '{"amount":1}',
  attemptTimeoutMs: 30_000,
  firstSentMs: testNowMs - 60_000,
  keyLifetimeMs: day,
  because: 'absent',
  absenceFinalAfterMs: 1_000,
};
const rows: ResendRows = {
  nowMs: testNowMs,
  operation: unknown,
  mandate: aMandateRow(),
  reserved: [{ budgetId: 'b', amount: 5 }],
};
const reason = (over: Partial<ResendRequest>, changes: Partial<ResendRows> = {}) => {
  const plan = planResend({ ...request, ...over }, { ...rows, ...changes });
  return plan.kind === 'refused' ? plan.reason : plan.kind;
};

describe('planResend', () => {
  verifies('EXE-06', 'same key and bytes, one attempt more, the reservation as it was', () => {
    const plan = planResend(request, rows);
    const to = {
      ...unknown,
      state: 'DISPATCHING',
      attempt: 2,
      owner: 'process-2',
      movedMs: testNowMs,
      deadlineMs: testNowMs + 30_000,
    };
    expect(plan).toMatchObject({ kind: 'resent', operation: to });
    expect(plan.writes.moveOperations).toEqual([{ from: 'UNKNOWN', attempt: 1, to }]);
    expect(plan.writes.budgetMoves).toEqual([]);
    expect(findIllegalMove(plan.writes)).toBeUndefined();
    expect(plan.writes.leaves).toMatchObject([
      {
        type: 'attempt',
        prev: 'UNKNOWN',
        state: 'DISPATCHING',
        open: { attempt: 2, key: `ip_${unknown.opId}`, connector: 'mcp' },
        committed: { reserved: [{ amount: 5, budget: 'b' }] },
      },
    ]);
    expect(planResend(request, { ...rows, reserved: [] }).writes.leaves[0]?.committed).toEqual({
      call_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  verifies(
    'EXE-06',
    'inside nine tenths of the life of the key, counted from the first attempt',
    () => {
      const firstSentMs = testNowMs - 1_000_000;
      expect(reason({ firstSentMs, keyLifetimeMs: 1_111_112 })).toBe('resent');
      expect(reason({ firstSentMs, keyLifetimeMs: 1_111_111 })).toBe('lifetime');
    },
  );

  verifies('EXE-06', 'under a mandate that is active at that moment', () => {
    const under = (over: Parameters<typeof aMandateRow>[0]) =>
      reason({}, { mandate: aMandateRow(over) });
    expect(under({ expiresMs: testNowMs + 1 })).toBe('resent');
    expect(under({ expiresMs: testNowMs })).toBe('mandate');
    for (const status of ['suspended', 'revoked', 'superseded'] as const)
      expect(under({ status })).toBe('mandate');
    expect(reason({}, { mandate: undefined })).toBe('mandate');
  });

  verifies('EXE-06', 'at most three attempts', () => {
    const at = (attempt: number) => reason({ attempt }, { operation: { ...unknown, attempt } });
    expect(at(2)).toBe('resent');
    expect(at(3)).toBe('attempts');
  });

  verifies('EXE-51', 'never to a target that honours no key, and never a read', () => {
    expect(reason({ keyLifetimeMs: undefined })).toBe('not_idempotent');
    expect(reason({}, { operation: { ...unknown, effect: 'read' } })).toBe('not_idempotent');
  });

  verifies(
    ['EXE-06', 'EXE-52'],
    'only when nothing can arrive any more, or nobody can look',
    () => {
      expect(reason({ absenceFinalAfterMs: 1_001 })).toBe('absence');
      expect(reason({ absenceFinalAfterMs: undefined })).toBe('absence');
      expect(reason({ because: 'no_lookup', absenceFinalAfterMs: undefined })).toBe('resent');
    },
  );

  it('not when the row has moved on, nor without the bytes', () => {
    expect(reason({}, { operation: undefined })).toBe('moved');
    expect(reason({}, { operation: { ...unknown, state: 'SUCCEEDED' } })).toBe('moved');
    expect(reason({}, { operation: { ...unknown, attempt: 2 } })).toBe('moved');
    expect(reason({ call: '' })).toBe('call');
  });
});
