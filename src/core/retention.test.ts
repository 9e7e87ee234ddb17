import { describe, expect, it } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import { keepMsOf, keepTimes, type RetentionTerms, retentionFloorMs } from './retention.ts';

const days = (count: number): number => count * 86_400_000;
const spends = new Map([
  ['payment.send', true],
  ['mail.send', false],
]);
const leaf = (action: string | undefined, type = 'outcome', isOperation = true) => ({
  ...{ type, action, isOperation },
});

describe('keepMsOf', () => {
  verifies('RCP-26', 'keeps ten years where money is spent, two years of everything else', () => {
    const terms: RetentionTerms = { rules: [], spends };
    expect(keepMsOf(terms, leaf('payment.send'))).toBe(days(3_653));
    expect(keepMsOf(terms, leaf('payment.send', 'proposal', false))).toBe(days(3_653));
    expect(keepMsOf(terms, leaf('mail.send'))).toBe(days(731));
    expect(keepMsOf(terms, leaf(undefined, 'alarm', false))).toBe(days(731));
    expect(keepTimes(terms)).toEqual([days(3_653), days(731)]);
  });

  it('takes an operation of an action that is configured no more for one that spent money', () => {
    const terms: RetentionTerms = { rules: [], spends };
    expect(keepMsOf(terms, leaf('old.action'))).toBe(days(3_653));
    // A name that an agent made up is none.
    expect(keepMsOf(terms, leaf('made.up', 'proposal', false))).toBe(days(731));
  });

  it('takes the first rule that fits action and type', () => {
    const rules = [
      { action: 'payment.*', types: ['outcome'], keepMs: days(400) },
      { action: 'mail.send', types: [], keepMs: days(200) },
      { action: '*', types: ['alarm'], keepMs: days(300) },
    ];
    const terms = { rules, spends };
    expect(keepMsOf(terms, leaf('payment.send'))).toBe(days(400));
    expect(keepMsOf(terms, leaf('payment.send', 'decision'))).toBe(days(3_653));
    expect(keepMsOf(terms, leaf('payments'))).toBe(days(3_653));
    expect(keepMsOf(terms, leaf('mail.send', 'proposal'))).toBe(days(200));
    expect(keepMsOf(terms, leaf('mail.sender', 'proposal', false))).toBe(days(731));
    expect(keepMsOf(terms, leaf(undefined, 'alarm'))).toBe(days(300));
    expect(keepMsOf(terms, leaf(undefined, 'mandate.issue'))).toBe(days(731));
    expect(keepTimes(terms)).toEqual([days(3_653), days(731), days(400), days(200), days(300)]);
  });

  it('has a floor of six months', () => {
    expect(retentionFloorMs).toBe(days(184));
  });
});
