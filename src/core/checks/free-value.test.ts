import { describe, expect, it } from 'vitest';
import { aParam } from '../../testing/contract-builders.ts';
import type { ParamContract, ParamType } from '../contract.ts';
import type { CallFault, FreeValue } from '../facts.ts';
import type { JsonValue } from '../json-value.ts';
import { readFreeValue } from './free-value.ts';

const read = (changes: Partial<ParamContract>, value: JsonValue): FreeValue | CallFault =>
  readFreeValue(aParam('x', changes), { path: 'x', steps: ['x'], value });
const ofType =
  (type: ParamType, changes: Partial<ParamContract> = {}) =>
  (value: JsonValue): FreeValue | CallFault =>
    read({ type, ...changes }, value);
const typeFault = (expected: string): CallFault => ({
  code: 'CONTRACT_TYPE',
  path: 'x',
  detail: 'type',
  expected,
});

describe('readFreeValue', () => {
  it('keeps a text as it is', () => {
    const text = ofType('string');
    expect(text('Lunch on Friday')).toEqual({
      path: 'x',
      canonical: 'Lunch on Friday',
      display: 'Lunch on Friday',
      send: 'Lunch on Friday',
    });
    expect(text(7)).toEqual(typeFault('a text'));
  });

  it('refuses a line break unless the contract allows several lines', () => {
    expect(ofType('string')('a\nb')).toMatchObject({
      code: 'CONTRACT_INVALID',
      detail: 'line_break',
      expected: 'one line',
    });
    expect(ofType('string', { multiline: true })('a\nb')).toMatchObject({ send: 'a\nb' });
    expect(ofType('string', { multiline: true })('a\u202eb')).toMatchObject({
      code: 'CONTRACT_INVALID',
      detail: 'bidi',
      expected: 'no control or hidden characters',
    });
  });

  it('scales numbers exactly, and sends them in the unit of the tool', () => {
    const number = ofType('number', { scale: 100 });
    expect(number(JSON.rawJSON('12.50'))).toEqual({
      path: 'x',
      canonical: 1_250,
      display: '12.50',
      send: 12.5,
    });
    expect(number(-3)).toMatchObject({ canonical: -300, send: -3 });
    expect(number(12.505)).toMatchObject({
      code: 'CONTRACT_INVALID',
      detail: 'range',
      expected: 'a number that is whole after multiplying by 100',
    });
    expect(ofType('number')(12.5)).toMatchObject({ expected: 'a whole number up to 2^53-1' });
    expect(number('12')).toEqual(typeFault('a number'));
    expect(number(true)).toEqual(typeFault('a number'));
  });

  it('takes an integer and no fraction of zero', () => {
    const integer = ofType('integer');
    expect(integer(7)).toMatchObject({ canonical: 7 });
    expect(integer(-7)).toMatchObject({ canonical: -7 });
    expect(integer(JSON.rawJSON('7.0'))).toEqual(typeFault('an integer'));
    expect(integer('7')).toEqual(typeFault('an integer'));
  });

  it('takes true and false and nothing like them', () => {
    const boolean = ofType('boolean');
    expect(boolean(false)).toEqual({ path: 'x', canonical: false, display: 'false', send: false });
    expect(boolean('true')).toEqual(typeFault('true or false'));
    expect(boolean(1)).toEqual(typeFault('true or false'));
  });

  it('reads money in the minor unit of its currency and sends the text', () => {
    const money = ofType('money', { settings: { currency: 'EUR' } });
    expect(money('12.50')).toEqual({
      path: 'x',
      canonical: 1_250,
      display: '12.50 EUR',
      send: '12.50',
    });
    expect(money('12.505')).toMatchObject({ code: 'CONTRACT_INVALID', detail: 'form' });
    expect(money(12.5)).toMatchObject({ code: 'CONTRACT_TYPE', detail: 'type' });
  });

  it('reads days and instants', () => {
    expect(ofType('date')('2026-11-30')).toMatchObject({ canonical: '2026-11-30' });
    expect(ofType('date')('2026-11-31')).toMatchObject({
      code: 'CONTRACT_INVALID',
      detail: 'range',
    });
    expect(ofType('datetime')('2026-11-30T12:00:00+01:00')).toMatchObject({
      canonical: '2026-11-30T11:00:00.000Z',
      send: '2026-11-30T12:00:00+01:00',
    });
    expect(ofType('datetime')('2026-11-30')).toMatchObject({ code: 'CONTRACT_INVALID' });
  });

  it('takes free lists and objects, each text inside without hidden characters', () => {
    expect(ofType('list')([1, 'a'])).toMatchObject({ canonical: '[1,"a"]' });
    expect(ofType('object')({ a: JSON.rawJSON('1.0') })).toMatchObject({ canonical: '{"a":1.0}' });
    expect(ofType('list')({})).toEqual(typeFault('a list'));
    expect(ofType('object')([])).toEqual(typeFault('an object'));
    expect(ofType('object')('{}')).toEqual(typeFault('an object'));
    expect(ofType('object')(JSON.rawJSON('1.0'))).toEqual(typeFault('an object'));
    expect(ofType('object')({ a: { b: 'x\u{e0041}' } })).toEqual({
      code: 'CONTRACT_INVALID',
      path: 'x.a.b',
      detail: 'tag',
    });
  });

  it('checks the bounds of the contract', () => {
    expect(read({ lengthMax: 2 }, 'abc')).toMatchObject({ code: 'CONTRACT_TOO_LARGE', path: 'x' });
    expect(read({ lengthMax: 3 }, 'abc')).toMatchObject({ send: 'abc' });
  });
});
