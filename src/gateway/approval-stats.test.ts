import { describe, expect, it } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import type { ApprovalFigure } from '../core/history.ts';
import { approvalStats } from './approval-stats.ts';

const nowMs = 1_800_000_000_000;

interface Choice {
  readonly level?: 1 | 2;
  readonly state: ApprovalFigure['state'];
  /** Seconds from the request to each answer; below 0 = a reject. */
  readonly answers?: readonly number[];
  readonly isOver?: boolean;
}

function request({ level = 1, state, answers = [], isOver = false }: Choice): ApprovalFigure {
  const createdMs = nowMs - 600_000;
  return {
    approvalId: 'a',
    opId: 'o',
    action: 'payment.send',
    level,
    state,
    createdMs,
    expiresMs: isOver ? nowMs : nowMs + 1,
    answers: answers.map((seconds) => ({
      approves: seconds > 0,
      atMs: createdMs + Math.abs(seconds) * 1_000,
    })),
  };
}

describe('approvalStats', () => {
  verifies('APR-24', 'prompts per 100 actions and the rest are right on a known history', () => {
    const requests = [
      request({ state: 'CONSUMED', answers: [4] }),
      request({ state: 'CONSUMED', answers: [10] }),
      request({ state: 'GRANTED', answers: [6] }),
      request({ state: 'REJECTED', answers: [-60] }),
      request({ state: 'REJECTED', answers: [2, -8] }),
      request({ state: 'REQUESTED' }),
      request({ state: 'REQUESTED', isOver: true }),
      request({ state: 'EXPIRED' }),
      request({ state: 'CANCELLED' }),
      request({ level: 2, state: 'CONSUMED', answers: [30, 90] }),
    ];
    expect(approvalStats({ operations: 150, requests }, nowMs)).toEqual({
      actions: 150,
      prompts: 10,
      promptsPer100: 6.7,
      open: 2,
      expired: 2,
      rejected: 2,
      levels: [
        {
          level: 1,
          prompts: 9,
          answers: 6,
          approveRate: 66.7,
          medianAnswerMs: 7_000,
          isRubberStamped: false,
        },
        {
          level: 2,
          prompts: 1,
          answers: 2,
          approveRate: 100,
          medianAnswerMs: 60_000,
          isRubberStamped: false,
        },
      ],
    });
  });

  it('has no rate where nothing was done', () => {
    const stats = approvalStats({ operations: 0, requests: [] }, nowMs);
    expect(stats.promptsPer100).toBeUndefined();
    expect(
      stats.levels.map(({ approveRate, medianAnswerMs }) => [approveRate, medianAnswerMs]),
    ).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  verifies('APR-24', 'hints only above 98 % and below 3 s', () => {
    const hintOf = (seconds: number, approvals: number, rejects: number): boolean | undefined => {
      const all = [
        ...Array.from({ length: approvals }, () => seconds),
        ...Array.from({ length: rejects }, () => -seconds),
      ];
      const requests = all.map((each) =>
        request({ state: each > 0 ? 'CONSUMED' : 'REJECTED', answers: [each] }),
      );
      return approvalStats({ operations: all.length, requests }, nowMs).levels[0]?.isRubberStamped;
    };
    expect(hintOf(2.999, 99, 1)).toBe(true);
    expect(hintOf(3, 99, 1)).toBe(false);
    expect(hintOf(2.999, 98, 2)).toBe(false);
  });
});
