import { describe, expect, it } from 'vitest';
import { aContract, aParam } from '../../testing/contract-builders.ts';
import type { Contract, ParamContract } from '../contract.ts';
import type { ResolvedValue } from '../decision.ts';
import type { JsonObject, JsonValue } from '../json-value.ts';
import { judgeAnswer } from './judge-answer.ts';

const value = (changes: Partial<ResolvedValue> = {}): ResolvedValue => ({
  param: 'to',
  path: 'to',
  canonical: 'DE89370400440532013000',
  display: 'DE89 3704 0044 0532 0130 00',
  send: 'DE89 3704 0044 0532 0130 00',
  replaced: true,
  byReference: false,
  source: 'registry:payees',
  origin: 'system_of_record',
  warnings: [],
  ...changes,
});
const answer = (structuredContent: JsonValue, text = ''): JsonObject => ({
  content: [{ type: 'text', text }],
  structuredContent,
});

const judge = (
  contract: Partial<Contract>,
  result: JsonObject,
  values = [value()],
): string | undefined => judgeAnswer(aContract(params, contract), values, result);
const params: readonly ParamContract[] = [
  aParam('to'),
  aParam('amount', { type: 'number', scale: 100 }),
  aParam('price', { type: 'money', settings: { currency: 'EUR' } }),
];

describe('judgeAnswer, success', () => {
  it('asks for nothing that the contract does not name', () => {
    expect(judge({}, { content: [] })).toBeUndefined();
  });

  it('wants the value at the pointer', () => {
    const success = { pointer: '/state', value: 'booked' };
    expect(judge({ success }, answer({ state: 'booked' }))).toBeUndefined();
    const odd = 'the answer does not say success at /state';
    expect(judge({ success }, answer({ state: 'queued' }))).toBe(odd);
    expect(judge({ success }, answer({}))).toBe(odd);
    expect(judge({ success }, { content: [] })).toBe(odd);
  });

  it('wants `true` where no value is named, and reads pointers by RFC 6901', () => {
    const at = (pointer: string, result: JsonValue): string | undefined =>
      judge({ success: { pointer } }, answer(result));
    expect(at('/ok', { ok: true })).toBeUndefined();
    expect(at('/ok', { ok: 'true' })).toBeDefined();
    expect(at('/a~1b/m~0n', { 'a/b': { 'm~n': true } })).toBeUndefined();
    expect(at('/items/1', { items: [false, true] })).toBeUndefined();
    expect(at('/items/01', { items: [false, true] })).toBeDefined();
    expect(at('/items/', { items: [true] })).toBeDefined();
    expect(at('/ok/deeper', { ok: true })).toBeDefined();
    expect(at('/constructor', { ok: true })).toBeDefined();
  });

  it('wants the pattern in some text of the answer', () => {
    const success = { text: 'sent to [0-9]+' };
    const odd = 'the text of the answer does not say success';
    expect(judge({ success }, answer(null, 'mail sent to 3 people'))).toBeUndefined();
    expect(judge({ success }, answer(null, 'not sent'))).toBe(odd);
    expect(judge({ success }, { content: 'sent to 3' })).toBe(odd);
    expect(judge({ success }, { content: [{ type: 'image' }, 'x', { text: 7 }] })).toBe(odd);
  });
});

describe('judgeAnswer, expected values', () => {
  const expectTo = { expect: { '/to': 'to' } };
  const odd = 'the answer names another to than was decided';

  it('takes the decided value in any spacing and case, and refuses another', () => {
    expect(judge(expectTo, answer({ to: 'de89370400440532013000' }))).toBeUndefined();
    expect(judge(expectTo, answer({ to: 'DE89 3704 0044 0532 0130 00' }))).toBeUndefined();
    expect(judge(expectTo, answer({ to: 'LT121000011101001000' }))).toBe(odd);
  });

  it('does not take the value of another parameter for it', () => {
    const other = value({
      param: 'reference',
      canonical: 'LT121000011101001000',
      send: 'LT121000011101001000',
    });
    expect(judge(expectTo, answer({ to: 'LT121000011101001000' }), [value(), other])).toBe(odd);
  });

  it('says nothing of an answer without the field, or of a parameter without a value', () => {
    expect(judge(expectTo, answer({}))).toBeUndefined();
    expect(judge(expectTo, { content: [] })).toBeUndefined();
    expect(judge(expectTo, answer({ to: 'x' }), [])).toBeUndefined();
    expect(judge({ expect: { '/to': 'nobody' } }, answer({ to: 'x' }))).toBeUndefined();
  });

  it('compares amounts in the unit of the tool: 1250 is no answer to 12.50', () => {
    const amount = value({ param: 'amount', path: 'amount', canonical: 1_250, send: 12.5 });
    const at = (found: JsonValue): string | undefined =>
      judge({ expect: { '/amount': 'amount' } }, answer({ amount: found }), [amount]);
    for (const same of [12.5, '12.50', JSON.rawJSON('12.50')]) expect(at(same)).toBeUndefined();
    for (const other of [1_250, 12.51, '12,50', 'EUR 12.50', null, true, {}]) {
      expect(at(other), JSON.stringify(other)).toBeDefined();
    }
  });

  it('compares money by its currency', () => {
    const price = value({ param: 'price', path: 'price', canonical: 1_250, send: '12.50' });
    const at = (found: JsonValue): string | undefined =>
      judge({ expect: { '/price': 'price' } }, answer({ price: found }), [price]);
    expect(at('12.5')).toBeUndefined();
    expect(at('1250')).toBeDefined();
  });

  it('takes any of the decided recipients, alone or in a list, and no other', () => {
    const people = ['sam@example.com', 'kim@example.org'].map((send) =>
      value({ canonical: send, send }),
    );
    const at = (found: JsonValue): string | undefined =>
      judge(expectTo, answer({ to: found }), people);
    expect(at('kim@example.org')).toBeUndefined();
    expect(at(['Kim@example.org', 'sam@example.com'])).toBeUndefined();
    expect(at([])).toBeUndefined();
    expect(at(['kim@example.org', 'eve@evil.example'])).toBe(odd);
  });

  it('finds a structure in place of a value odd, and does not break on it', () => {
    expect(judge(expectTo, answer({ to: { address: 'x' } }))).toBe(odd);
    const withoutPrototype: JsonObject = Object.assign(Object.create(null), { a: 1 });
    expect(judge(expectTo, answer({ to: withoutPrototype }))).toBe(odd);
    expect(judge(expectTo, answer({ to: JSON.rawJSON('1.0') }))).toBe(odd);
  });
});
