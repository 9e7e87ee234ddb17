import { describe, expect, it } from 'vitest';
import { aCandidate } from '../testing/contract-builders.ts';
import { lookalikeKey } from './checks/skeleton.ts';
import type { Candidate } from './facts.ts';
import { TrustedIndex } from './trusted-index.ts';

const ids = (found: readonly Candidate[]): readonly string[] =>
  found.map(({ recordId }) => recordId);

describe('TrustedIndex', () => {
  it('finds every record with a value, in the order they came', () => {
    const index = new TrustedIndex();
    for (const recordId of ['r1', 'r2', 'r3']) index.add(aCandidate({ recordId }));
    index.add(aCandidate({ recordId: 'r4', canonical: 'B' }));
    expect(ids(index.byValue('A'))).toEqual(['r1', 'r2', 'r3']);
    expect(ids(index.byValue('B'))).toEqual(['r4']);
    expect(index.byValue('a')).toEqual([]);
    expect(index.size).toBe(4);
    expect(ids([...index.candidates()])).toEqual(['r1', 'r2', 'r3', 'r4']);
  });

  it('tells 7 from "7" and true from "true"', () => {
    const index = new TrustedIndex();
    index.add(aCandidate({ recordId: 'n', canonical: 7 }));
    index.add(aCandidate({ recordId: 's', canonical: '7' }));
    index.add(aCandidate({ recordId: 'b', canonical: true }));
    expect(ids(index.byValue(7))).toEqual(['n']);
    expect(ids(index.byValue('7'))).toEqual(['s']);
    expect(index.byValue('true')).toEqual([]);
  });

  it('finds a record by its id and by each of its aliases', () => {
    const index = new TrustedIndex();
    index.add(aCandidate({ recordId: 'r1' }), ['Hart', 'Hart & Sons']);
    index.add(aCandidate({ recordId: 'r2' }), ['Hart']);
    expect(index.byId('r2')?.recordId).toBe('r2');
    expect(index.byId('constructor')).toBeUndefined();
    expect(ids(index.byAlias('Hart'))).toEqual(['r1', 'r2']);
    expect(ids(index.byAlias('Hart & Sons'))).toEqual(['r1']);
    expect(index.byAlias('hart')).toEqual([]);
  });

  it('tells which record had the value before, or one that looks like it', () => {
    const index = new TrustedIndex();
    const add = (recordId: string, canonical: string | number): unknown =>
      index.add(aCandidate({ recordId, canonical }));
    expect(add('r1', 'paypal.com')).toBeUndefined();
    expect(add('r2', 'paypal.com')).toEqual({ kind: 'same', recordId: 'r1' });
    expect(add('r3', 'paypal.com')).toEqual({ kind: 'same', recordId: 'r1' });
    expect(add('r4', 'paypaI.com')).toEqual({ kind: 'alike', recordId: 'r1' });
    expect(add('r5', 10)).toBeUndefined();
    expect(add('r6', 10)).toEqual({ kind: 'same', recordId: 'r5' });
  });

  it('finds texts that look alike, and no number', () => {
    const index = new TrustedIndex();
    index.add(aCandidate({ recordId: 'r1', canonical: 'paypal.com' }));
    index.add(aCandidate({ recordId: 'r2', canonical: 'paypaI.com' }));
    index.add(aCandidate({ recordId: 'r3', canonical: 10 }));
    expect(index.hasLikeness(lookalikeKey('pаypal.com'))).toBe(true);
    expect(index.hasLikeness(lookalikeKey('PAYPAL.COM'))).toBe(true);
    expect(index.hasLikeness(lookalikeKey('paypol.com'))).toBe(false);
    expect(index.hasLikeness(lookalikeKey('10'))).toBe(false);
  });
});
