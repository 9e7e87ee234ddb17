import { describe, expect, it } from 'vitest';
import { aContract, aCriticalParam, aParam } from '../../testing/contract-builders.ts';
import type { ParamContract } from '../contract.ts';
import type { CallFault } from '../facts.ts';
import type { JsonObject } from '../json-value.ts';
import { budgetCurrency } from './budget-amount.ts';
import { readCall } from './read-call.ts';

/** The amount that a call is charged, and what is wrong with it. */
function charge(
  param: ParamContract,
  args: JsonObject,
): { readonly amount: number | undefined; readonly faults: readonly CallFault[] } {
  const contract = aContract([param], { budgetParam: param.name });
  const { call, faults } = readCall(contract, args, () => false);
  return { amount: call.amount, faults };
}

const number = aParam('amount', { type: 'number', scale: 100 });
const above0 = {
  code: 'CONTRACT_INVALID',
  path: 'amount',
  detail: 'range',
  expected: 'an amount above 0',
};

describe('budgetAmount', () => {
  it('is the free amount in budget units', () => {
    expect(charge(number, { amount: 0.01 })).toEqual({ amount: 1, faults: [] });
  });

  it('refuses 0 and below: they would give budget back', () => {
    expect(charge(number, { amount: 0 })).toEqual({ amount: undefined, faults: [above0] });
    expect(charge(number, { amount: -5 })).toEqual({ amount: undefined, faults: [above0] });
  });

  it('refuses a call without the amount, also where the parameter is optional', () => {
    expect(charge({ ...number, optional: true }, {})).toEqual({
      amount: undefined,
      faults: [{ code: 'CONTRACT_MISSING_VALUE', path: 'amount', detail: 'charged to the budget' }],
    });
  });

  it('says once what is wrong with an amount, wherever it stands', () => {
    expect(charge(number, {}).faults).toEqual([{ code: 'CONTRACT_MISSING_VALUE', path: 'amount' }]);
    expect(charge(number, { amount: 'NaN' }).faults).toHaveLength(1);
    const path = [
      { kind: 'key', key: 'payment' },
      { kind: 'key', key: 'value' },
    ] as const;
    expect(charge({ ...number, path }, { payment: {} }).faults).toEqual([
      { code: 'CONTRACT_MISSING_VALUE', path: 'payment.value' },
    ]);
    expect(charge({ ...number, path }, { payment: { value: 2 } }).amount).toBe(200);
  });

  it('names a bad amount also beside other faults', () => {
    const contract = aContract([number, aParam('to')], { budgetParam: 'amount' });
    const { faults } = readCall(contract, { amount: 0 }, () => false);
    expect(faults.map(({ path }) => path)).toEqual(['to', 'amount']);
  });

  it('reads a critical amount by its digits, and money by its currency', () => {
    const critical = aCriticalParam('amount', { type: 'number', scale: 100 });
    expect(charge(critical, { amount: JSON.rawJSON('12.50') })).toEqual({
      amount: 1_250,
      faults: [],
    });
    expect(charge(critical, { amount: -1 }).faults).toEqual([above0]);
    expect(charge(critical, { amount: 0.005 }).faults).toEqual([above0]);
    expect(charge(critical, { amount: 'ref:i1' }).faults).toEqual([
      { ...above0, expected: 'a number' },
    ]);
    const money = aCriticalParam('amount', { type: 'money', settings: { currency: 'JPY' } });
    expect(charge(money, { amount: '100' })).toEqual({ amount: 100, faults: [] });
  });

  it('charges nothing when the contract names no parameter', () => {
    const { call, faults } = readCall(aContract([number]), { amount: -5 }, () => false);
    expect({ amount: call.amount, faults }).toEqual({ amount: undefined, faults: [] });
  });
});

describe('budgetCurrency', () => {
  it('is that of the charged money, and nothing for a plain number', () => {
    const money = aParam('amount', { type: 'money', settings: { currency: 'JPY' } });
    const currencyOf = (param: ParamContract, budgetParam = 'amount') =>
      budgetCurrency(aContract([param], { budgetParam }));
    expect(currencyOf(money)).toEqual({ currency: 'JPY' });
    expect(currencyOf(number)).toEqual({});
    expect(currencyOf(money, 'other')).toEqual({});
  });
});
