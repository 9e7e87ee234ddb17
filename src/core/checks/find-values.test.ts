import { describe, expect, it } from 'vitest';
import { aParam } from '../../testing/contract-builders.ts';
import type { ParamContract, PathStep } from '../contract.ts';
import type { JsonObject } from '../json-value.ts';
import { type Found, findValues, pathText } from './find-values.ts';

const key = (name: string): PathStep => ({ kind: 'key', key: name });
const each: PathStep = { kind: 'each' };
const find = (changes: Partial<ParamContract>, args: JsonObject): Found =>
  findValues(aParam('to', changes), args);

describe('findValues', () => {
  it('finds a plain argument', () => {
    expect(find({}, { to: 'a', other: 1 })).toEqual({
      path: 'to',
      present: true,
      isList: false,
      values: [{ path: 'to', steps: ['to'], value: 'a' }],
    });
  });

  it('takes absent and null as not present', () => {
    expect(find({}, {})).toMatchObject({ present: false, values: [] });
    expect(find({}, { to: null })).toMatchObject({ present: false, values: [] });
    expect(find({ path: [key('a'), key('b')] }, { a: null })).toMatchObject({ present: false });
    expect(find({ path: [key('a'), key('b')] }, { a: {} })).toMatchObject({ present: false });
  });

  it('finds every value of a list, with its index', () => {
    expect(find({ each: true }, { to: ['a', 'b'] })).toMatchObject({
      present: true,
      isList: true,
      values: [
        { path: 'to[0]', steps: ['to', 0], value: 'a' },
        { path: 'to[1]', steps: ['to', 1], value: 'b' },
      ],
    });
    expect(find({ each: true }, { to: [] })).toMatchObject({
      present: true,
      isList: true,
      values: [],
    });
    expect(find({ each: true }, {})).toMatchObject({ present: false, isList: true });
    expect(find({ each: true }, { to: null })).toMatchObject({ present: false });
  });

  it('walks into objects and lists', () => {
    const path = [key('message'), key('to'), each, key('address')];
    const args = { message: { to: [{ address: 'a', name: 'A' }, { address: 'b' }] } };
    expect(find({ path }, args).values.map((value) => value.path)).toEqual([
      'message.to[0].address',
      'message.to[1].address',
    ]);
    expect(find({ path }, { message: { to: [] } })).toMatchObject({ present: true, values: [] });
    expect(find({ path }, {})).toMatchObject({ path: 'message.to[].address', present: false });
  });

  it('faults an item without the value, since it would go out unjudged', () => {
    const path = [key('to'), each, key('address')];
    const args = { to: [{ address: 'a' }, { name: 'B' }] };
    expect(find({ path }, args).fault).toEqual({
      code: 'CONTRACT_MISSING_VALUE',
      path: 'to[1].address',
    });
    expect(find({ path, optional: true }, args)).toMatchObject({
      values: [{ path: 'to[0].address' }],
    });
  });

  it('faults another shape with the form that is expected', () => {
    const type = 'CONTRACT_TYPE';
    expect(find({ each: true }, { to: 'a, b' }).fault).toEqual({
      code: type,
      path: 'to',
      detail: 'type',
      expected: 'a list',
    });
    expect(find({ path: [key('a'), key('b')] }, { a: 7 }).fault).toMatchObject({
      path: 'a',
      detail: 'type',
      expected: 'an object',
    });
    expect(find({ each: true }, { to: [['a']] }).fault).toMatchObject({
      path: 'to[0]',
      expected: 'a single value',
    });
  });

  it('faults JSON text in place of a structure and never unpacks it', () => {
    expect(find({ each: true }, { to: ' ["a"]' }).fault).toMatchObject({
      code: 'CONTRACT_TYPE',
      path: 'to',
      detail: 'json_text',
      expected: 'a list such as ["…"], not its JSON text',
    });
    expect(find({ path: [key('a'), key('b')] }, { a: '{"b": "x"}' }).fault).toMatchObject({
      detail: 'json_text',
      expected: 'an object such as {"…": "…"}, not its JSON text',
    });
  });
});

describe('pathText', () => {
  it('is the path as people write it', () => {
    expect(pathText([key('a'), key('to'), each, key('address')])).toBe('a.to[].address');
    expect(pathText([])).toBe('');
  });
});
