import { describe, expect, it } from 'vitest';
import { comparePayments, type PaymentFindings } from './compare-payments.ts';

const good: PaymentFindings = {
  states: new Map([
    ['a', 'SUCCEEDED'],
    ['b', 'UNKNOWN'],
    ['c', 'FAILED'],
  ]),
  effects: new Map([
    ['a', 1],
    ['b', 1],
  ]),
  acknowledged: ['a'],
  spent: 100,
  reserved: 100,
};

describe('comparePayments', () => {
  it('finds nothing when everything fits', () => {
    expect(comparePayments(good)).toEqual([]);
  });

  it.each<[string, Partial<PaymentFindings>]>([
    ['a was executed 2 times', { effects: new Map([...good.effects, ['a', 2]]) }],
    ['a never happened', { effects: new Map([['b', 1]]) }],
    ['c happened, is FAILED', { effects: new Map([...good.effects, ['c', 1]]) }],
    ['d happened, is not recorded', { effects: new Map([...good.effects, ['d', 1]]) }],
    ['d is still DISPATCHING', { states: new Map([...good.states, ['d', 'DISPATCHING']]) }],
    ['b was answered, is UNKNOWN', { acknowledged: ['a', 'b'] }],
    ['e was answered, is not recorded', { acknowledged: ['e'] }],
    ['spent 0, 1 succeeded', { spent: 0 }],
    ['reserved 200, 1 unknown', { reserved: 200 }],
  ])('says: %s', (problem, over) => {
    expect(comparePayments({ ...good, ...over })).toEqual([problem]);
  });

  it('says when nothing was paid', () => {
    const nothing = { states: new Map(), effects: new Map(), acknowledged: [] };
    expect(comparePayments({ ...nothing, spent: 0, reserved: 0 })).toEqual([
      'nothing was paid, so nothing is proven',
    ]);
  });
});
