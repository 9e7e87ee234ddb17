import { describe, expect, it } from 'vitest';
import { attemptKey, isLegalMove, type OperationState } from './operation.ts';

const states: readonly OperationState[] = [
  'ASKING',
  'CLOSED',
  'DISPATCHING',
  'SUCCEEDED',
  'FAILED',
  'UNKNOWN',
];

describe('isLegalMove', () => {
  it('allows these moves and no other', () => {
    const legal = states.flatMap((from) =>
      states.filter((to) => isLegalMove(from, to)).map((to) => `${from} ${to}`),
    );
    expect(legal).toEqual([
      'ASKING CLOSED',
      'ASKING DISPATCHING',
      'DISPATCHING SUCCEEDED',
      'DISPATCHING FAILED',
      'DISPATCHING UNKNOWN',
      'UNKNOWN DISPATCHING',
      'UNKNOWN SUCCEEDED',
      'UNKNOWN FAILED',
    ]);
  });
});

describe('attemptKey', () => {
  it('is the same for every attempt of an operation', () => {
    expect(attemptKey('00ff')).toBe('ip_00ff');
  });
});
