import { describe, expect, it } from 'vitest';
import type { RepeatFact } from '../facts.ts';
import { checkRepeat } from './repeat.ts';

const opId = 'o1';
const first = (repeat: RepeatFact): unknown => checkRepeat(repeat)?.failures[0];

describe('checkRepeat', () => {
  it('lets a first call go on, and one that a person decides about', () => {
    expect(checkRepeat({ kind: 'none' })).toBeUndefined();
    expect(checkRepeat({ kind: 'open', opId, level: 1 })).toBeUndefined();
    expect(checkRepeat({ kind: 'recent_success', opId })).toBeUndefined();
  });

  it('sends nothing again while the first call is under way or its effect is not known', () => {
    expect(checkRepeat({ kind: 'in_flight', opId })).toEqual({
      kind: 'deny',
      stage: 'execution',
      failures: [{ code: 'EXECUTION_DUPLICATE', opId, detail: 'in_flight' }],
    });
    expect(first({ kind: 'unknown', opId, toolError: false })).toEqual({
      code: 'EXECUTION_DUPLICATE',
      opId,
      detail: 'unknown',
    });
  });

  it('lets a person settle a tool error by the same call', () => {
    expect(checkRepeat({ kind: 'unknown', opId, toolError: true })).toBeUndefined();
  });

  it('answers with a success that was never told', () => {
    expect(checkRepeat({ kind: 'untold_success', opId })).toMatchObject({
      stage: 'execution',
      failures: [{ code: 'EXECUTION_DUPLICATE', detail: 'untold_success' }],
      tells: opId,
    });
  });

  it('tells how a request ended', () => {
    expect(checkRepeat({ kind: 'rejected', opId })).toMatchObject({
      stage: 'approval',
      failures: [{ code: 'APPROVAL_REJECTED', opId }],
    });
    expect(checkRepeat({ kind: 'ended_untold', opId, how: 'expired' })).toMatchObject({
      stage: 'approval',
      failures: [{ code: 'APPROVAL_EXPIRED', opId }],
    });
    expect(checkRepeat({ kind: 'ended_untold', opId, how: 'changed' })).toMatchObject({
      stage: 'execution',
      failures: [{ code: 'EXECUTION_CHANGED', opId }],
    });
  });

  it('runs what was granted, unless something is no longer as it was confirmed', () => {
    const granted = { kind: 'granted', opId, level: 1 } as const;
    expect(checkRepeat({ ...granted, changed: [] })).toBeUndefined();
    expect(first({ ...granted, changed: ['policy', 'values'] })).toEqual({
      code: 'EXECUTION_CHANGED',
      opId,
      detail: 'policy, values',
    });
  });
});
