import { describe, expect, it } from 'vitest';
import { aContract, aParam } from '../../testing/contract-builders.ts';
import type { Contract, ParamContract, PathStep } from '../contract.ts';
import type { CallFault } from '../facts.ts';
import type { JsonObject } from '../json-value.ts';
import { restOf } from './rest-arguments.ts';

const key = (name: string): PathStep => ({ kind: 'key', key: name });
const each: PathStep = { kind: 'each' };

function rest(
  args: JsonObject,
  options: {
    readonly params?: readonly ParamContract[];
    readonly contract?: Partial<Contract>;
    readonly isKnown?: (path: readonly string[]) => boolean;
  } = {},
): { readonly rest: JsonObject; readonly faults: readonly CallFault[] } {
  const { params = [], contract = {}, isKnown = () => true } = options;
  const faults: CallFault[] = [];
  return { rest: restOf(aContract(params, contract), args, { isKnown, faults }), faults };
}

describe('restOf', () => {
  it('is what no parameter declares, in the nesting of the call', () => {
    const params = [aParam('to', { path: [key('message'), key('to')] })];
    const args = { message: { to: 'A', urgent: true }, trace: 'x' };
    expect(rest(args, { params })).toEqual({
      rest: { message: { urgent: true }, trace: 'x' },
      faults: [],
    });
  });

  it('is an object without a prototype, also when nothing is left', () => {
    const { rest: left } = rest({ to: 'A' }, { params: [aParam('to')] });
    expect(Object.keys(left)).toEqual([]);
    expect(Object.getPrototypeOf(left)).toBeNull();
  });

  it('keeps the place of list items', () => {
    const path = [key('to'), each, key('address')];
    const args = { to: [{ address: 'a' }, { address: 'b', name: 'B' }, 'c'] };
    expect(rest(args, { params: [aParam('to', { path })] }).rest).toEqual({
      to: [null, { name: 'B' }, null],
    });
    expect(rest({ to: [{ address: 'a' }] }, { params: [aParam('to', { path })] }).rest).toEqual({});
  });

  it('takes a declared list or value whole', () => {
    expect(rest({ to: ['a'] }, { params: [aParam('to', { each: true })] }).rest).toEqual({});
    expect(
      rest({ to: { any: 'thing' } }, { params: [aParam('to', { type: 'object' })] }).rest,
    ).toEqual({});
  });

  it('refuses what the tool does not know, with its full path', () => {
    const isKnown = (path: readonly string[]): boolean => path.join('.') === 'payment.note';
    const params = [aParam('iban', { path: [key('payment'), key('iban')] })];
    const args = { payment: { iban: 'A', note: 'x', beneficiary_iban: 'B' }, extra: 1 };
    expect(rest(args, { params, isKnown })).toEqual({
      rest: { payment: { note: 'x' } },
      faults: [
        { code: 'CONTRACT_UNEXPECTED_VALUE', path: 'payment.beneficiary_iban' },
        { code: 'CONTRACT_UNEXPECTED_VALUE', path: 'extra' },
      ],
    });
  });

  it('refuses what the tool knows where the contract says so', () => {
    expect(rest({ bcc: 'x' }, { contract: { undeclared: 'refuse' } }).faults).toEqual([
      { code: 'CONTRACT_UNEXPECTED_VALUE', path: 'bcc' },
    ]);
    expect(rest({ bcc: 'x' }, { contract: { undeclared: 'free' } }).faults).toEqual([]);
  });

  it('keeps the argument that selected the contract, and no other of that name', () => {
    const contract = { undeclared: 'refuse', when: { method: 'pay' } } as const;
    expect(rest({ method: 'pay' }, { contract })).toEqual({ rest: { method: 'pay' }, faults: [] });
    const params = [aParam('x', { path: [key('inner'), key('x')] })];
    expect(rest({ inner: { x: 'a', method: 'pay' } }, { contract, params }).faults).toEqual([
      { code: 'CONTRACT_UNEXPECTED_VALUE', path: 'inner.method' },
    ]);
  });

  it('refuses hidden characters in what is left', () => {
    expect(rest({ note: { text: 'a\u202eb' } }).faults).toEqual([
      { code: 'CONTRACT_INVALID', path: 'note.text', detail: 'bidi' },
    ]);
  });

  it('leaves a value of the wrong shape to the parameter that is declared below it', () => {
    const params = [aParam('iban', { path: [key('payment'), key('iban')] })];
    expect(rest({ payment: 'x' }, { params })).toEqual({ rest: {}, faults: [] });
  });
});
