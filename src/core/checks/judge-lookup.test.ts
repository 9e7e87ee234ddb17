import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import type { LookupRule } from '../contract.ts';
import type { JsonObject, JsonValue } from '../json-value.ts';
import { judgeLookup } from './judge-lookup.ts';

const rule: LookupRule = {
  server: 'bank',
  tool: 'find',
  arguments: { key: `\${key}` },
  succeeded: { pointer: '/status', values: ['booked', 'pending'], isError: false },
  failed: { pointer: '/status', values: ['rejected'], isError: false },
  absent: { text: 'no such payment', isError: true },
};
const subject = { key: 'ip_1', scale: 100 };
const answer = (structuredContent: JsonValue, text = ''): JsonObject => ({
  content: [{ type: 'text', text }],
  structuredContent,
});
const judge = (result: JsonObject, changes: Partial<LookupRule> = {}) =>
  judgeLookup({ ...rule, ...changes }, subject, result);

describe('judgeLookup', () => {
  it('finds the one meaning of an answer', () => {
    expect(judge(answer({ status: 'pending' }))).toEqual({ kind: 'succeeded' });
    expect(judge(answer({ status: 'rejected' }))).toEqual({ kind: 'failed' });
    expect(judge({ ...answer(null, 'no such payment'), isError: true })).toEqual({
      kind: 'absent',
    });
  });

  it('takes an error for an answer only where the rule says so', () => {
    expect(judge(answer(null, 'no such payment'))).toMatchObject({ kind: 'unclear' });
    expect(judge({ ...answer({ status: 'booked' }), isError: true })).toMatchObject({
      kind: 'unclear',
    });
  });

  it.each<JsonValue>([{ status: 'lost' }, { status: null }, {}, null, 'booked'])(
    'an answer that fits nothing is unclear and no alarm: %j',
    (content) => {
      expect(judge(answer(content))).toMatchObject({ kind: 'unclear', isAlarm: false });
    },
  );

  it('a pointer without values only must lead somewhere', () => {
    const there = { succeeded: { pointer: '/id', isError: false } };
    expect(judge(answer({ id: null }), there)).toEqual({ kind: 'succeeded' });
    expect(judge(answer({}), there)).toMatchObject({ kind: 'unclear' });
  });

  it('pointer and text must both hold', () => {
    const both = {
      succeeded: { pointer: '/status', values: ['booked'], text: 'paid', isError: false },
    };
    expect(judge(answer({ status: 'booked' }, 'it is paid'), both).kind).toBe('succeeded');
    expect(judge(answer({ status: 'booked' }, 'it is not'), both).kind).toBe('unclear');
  });

  it('an answer with two meanings is an alarm', () => {
    const twice = { failed: { pointer: '/status', isError: false } };
    expect(judge(answer({ status: 'booked' }), twice)).toMatchObject({
      kind: 'unclear',
      isAlarm: true,
      reason: 'the answer means succeeded and failed at once',
    });
  });

  describe('the key that the target kept', () => {
    const keyed = {
      key: '/key',
      absent: { pointer: '/status', values: ['none'], isError: false },
    };

    verifies('EXE-50', 'of another operation settles nothing and is an alarm', () => {
      expect(judge(answer({ status: 'booked', key: 'ip_1' }), keyed)).toEqual({
        kind: 'succeeded',
      });
      for (const content of [
        { status: 'booked', key: 'ip_2' },
        { status: 'booked' },
        { status: 'rejected', key: null },
        { status: 'none', key: 'ip_2' },
      ]) {
        expect(judge(answer(content), keyed), JSON.stringify(content)).toMatchObject({
          kind: 'unclear',
          isAlarm: true,
        });
      }
    });

    it('may be missing where nothing is there', () => {
      expect(judge(answer({ status: 'none' }), keyed)).toEqual({ kind: 'absent' });
      expect(judge(answer({ status: 'none', key: null }), keyed)).toEqual({ kind: 'absent' });
    });
  });

  describe('the amount', () => {
    const amounted = { amount: '/amount' };
    const amountOf = (amount: JsonValue) => judge(answer({ status: 'booked', amount }), amounted);

    it('is read in the unit of the tool', () => {
      expect(amountOf(12.5)).toEqual({ kind: 'succeeded', amount: 1250 });
      expect(amountOf('12.50')).toEqual({ kind: 'succeeded', amount: 1250 });
      expect(amountOf(0)).toEqual({ kind: 'succeeded', amount: 0 });
      expect(amountOf(JSON.rawJSON('90071992547409.91'))).toEqual({
        kind: 'succeeded',
        amount: 9_007_199_254_740_991,
      });
    });

    verifies('EXE-50', 'that is no whole number of the budget is an alarm', () => {
      for (const amount of [12.505, -1, '12,50', null, true, JSON.rawJSON('90071992547409.92')]) {
        expect(amountOf(amount), JSON.stringify(amount)).toMatchObject({
          kind: 'unclear',
          isAlarm: true,
        });
      }
    });
  });

  it('takes the reference as text, clipped', () => {
    const named = { reference: '/id' };
    const referenceOf = (id: JsonValue) => judge(answer({ status: 'booked', id }), named);
    expect(referenceOf('A-17')).toEqual({ kind: 'succeeded', reference: 'A-17' });
    expect(referenceOf(17)).toEqual({ kind: 'succeeded', reference: '17' });
    expect(referenceOf(null)).toEqual({ kind: 'succeeded' });
    expect(referenceOf('\ud800')).toEqual({ kind: 'succeeded' });
    expect(referenceOf('x'.repeat(300))).toMatchObject({ reference: 'x'.repeat(200) });
    expect(
      judge(answer({ status: 'booked', id: 'A', amount: 1 }), { ...named, amount: '/amount' }),
    ).toEqual({
      kind: 'succeeded',
      amount: 100,
      reference: 'A',
    });
  });
});
