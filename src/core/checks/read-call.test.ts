import { describe, expect, it } from 'vitest';
import { aContract, aCriticalParam, aParam } from '../../testing/contract-builders.ts';
import type { Contract, ParamContract } from '../contract.ts';
import type { CallFault } from '../facts.ts';
import type { JsonObject } from '../json-value.ts';
import { readCall } from './read-call.ts';

const everything = (): boolean => true;
const nothing = (): boolean => false;
const faultsOf = (
  params: readonly ParamContract[],
  args: JsonObject,
  changes: Partial<Contract> = {},
): readonly CallFault[] => readCall(aContract(params, changes), args, nothing).faults;

describe('readCall', () => {
  it('tells critical values from free ones and leaves out what the call does not carry', () => {
    const params = [aCriticalParam('to'), aParam('subject'), aParam('note', { optional: true })];
    const { faults, call } = readCall(aContract(params), { to: 'A', subject: 'Hi' }, nothing);
    expect(faults).toEqual([]);
    expect(call.params.map(({ param }) => param.name)).toEqual(['to', 'subject']);
    expect(call.params[0]?.critical).toEqual([{ path: 'to', steps: ['to'], value: 'A' }]);
    expect(call.params[1]?.free).toMatchObject([{ path: 'subject', send: 'Hi' }]);
    expect(call).toMatchObject({ rest: {}, amount: undefined });
  });

  it('lists every fault, not only the first', () => {
    const params = [aCriticalParam('to'), aParam('count', { type: 'integer' })];
    expect(faultsOf(params, { count: 'x', bcc: 'eve@evil.example' })).toMatchObject([
      { code: 'CONTRACT_MISSING_VALUE', path: 'to' },
      { code: 'CONTRACT_TYPE', path: 'count' },
      { code: 'CONTRACT_UNEXPECTED_VALUE', path: 'bcc' },
    ]);
  });

  it('takes what the tool knows and the contract does not as the rest', () => {
    const { faults, call } = readCall(
      aContract([aParam('to')]),
      { to: 'A', urgent: true },
      everything,
    );
    expect(faults).toEqual([]);
    expect(call.rest).toEqual({ urgent: true });
  });

  it('wants at least one value of a critical list, none of a free one, and at most 50', () => {
    const critical = aCriticalParam('to', { each: true });
    expect(faultsOf([critical], { to: [] })).toEqual([
      { code: 'CONTRACT_INVALID', path: 'to', detail: 'range', expected: 'at least 1 items' },
    ]);
    expect(faultsOf([aParam('to', { each: true })], { to: [] })).toEqual([]);
    expect(faultsOf([{ ...critical, itemsMin: 0 }], { to: [] })).toEqual([]);
    const many = (count: number): JsonObject => ({ to: Array.from({ length: count }, () => 'a') });
    expect(faultsOf([critical], many(50))).toEqual([]);
    expect(faultsOf([critical], many(51))).toMatchObject([{ expected: 'at most 50 items' }]);
    expect(faultsOf([{ ...critical, itemsMax: 51 }], many(51))).toEqual([]);
  });

  it('passes on a fault of the shape', () => {
    expect(faultsOf([aCriticalParam('to', { each: true })], { to: 'a' })).toMatchObject([
      { code: 'CONTRACT_TYPE', path: 'to' },
    ]);
  });

  it('refuses a line break in a critical text, and leaves its other hygiene to provenance', () => {
    const fault = {
      code: 'CONTRACT_INVALID',
      path: 'to',
      detail: 'line_break',
      expected: 'one line',
    };
    expect(faultsOf([aCriticalParam('to')], { to: 'a\r\nBcc: x' })).toEqual([fault]);
    expect(faultsOf([aCriticalParam('to', { multiline: true })], { to: 'a\nb' })).toEqual([]);
    expect(faultsOf([aCriticalParam('to')], { to: 'a\u200bb' })).toEqual([]);
    expect(faultsOf([aCriticalParam('to')], { to: { ref: 'v1' } })).toEqual([]);
  });

  it('bounds a critical number, which then must be written and not named', () => {
    const amount = aCriticalParam('amount', { type: 'number', max: '100' });
    expect(faultsOf([amount], { amount: 100 })).toEqual([]);
    expect(faultsOf([amount], { amount: 101 })).toMatchObject([
      { code: 'CONTRACT_INVALID', path: 'amount', expected: 'at most 100' },
    ]);
    expect(faultsOf([amount], { amount: 'ref:i1' })).toMatchObject([
      { code: 'CONTRACT_INVALID', path: 'amount', expected: 'the value itself' },
    ]);
    const unbound = aCriticalParam('amount', { type: 'number' });
    expect(faultsOf([unbound], { amount: 'ref:i1' })).toEqual([]);
  });

  it('charges the amount', () => {
    const contract = aContract([aParam('amount', { type: 'number', scale: 100 })], {
      budgetParam: 'amount',
    });
    expect(readCall(contract, { amount: 12.5 }, nothing).call.amount).toBe(1_250);
  });
});
