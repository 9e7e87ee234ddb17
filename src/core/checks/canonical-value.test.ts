import { describe, expect, it } from 'vitest';
import type { ValueReading } from '../contract.ts';
import type { JsonValue } from '../json-value.ts';
import { type Canonical, canonicalOf, normaliserOf } from './canonical-value.ts';

const canonical = (value: JsonValue, changes: Partial<ValueReading> = {}): Canonical =>
  canonicalOf(value, { type: 'string', scale: 1, settings: {}, ...changes });

describe('canonicalOf', () => {
  it('compares a text as it is unless a normaliser is named', () => {
    expect(canonical('Tom@Example.org')).toMatchObject({ ok: true, canonical: 'Tom@Example.org' });
    expect(canonical('Tom@Example.org', { normalize: 'email' })).toMatchObject({
      canonical: 'tom@example.org',
      warnings: ['CASE_FOLDED'],
    });
  });

  it('reads numbers by their digits and scale, in every type that is a number', () => {
    const money = { type: 'number', scale: 100 } as const;
    expect(canonical(JSON.rawJSON('12.50'), money)).toEqual({
      ok: true,
      canonical: 1_250,
      display: '12.50',
      warnings: [],
    });
    expect(canonical(7, { type: 'integer' })).toMatchObject({ canonical: 7 });
    expect(canonical(12.505, money)).toEqual({ ok: false, detail: 'range' });
  });

  it('never makes a value of one type one of another', () => {
    const fault = (hint: string): Canonical => ({ ok: false, detail: 'type', hint });
    expect(canonical(42)).toEqual(fault('a text'));
    expect(canonical(true)).toEqual(fault('a text'));
    expect(canonical(null)).toEqual(fault('a text'));
    expect(canonical('42', { type: 'number' })).toEqual(fault('a number'));
    expect(canonical(1, { type: 'boolean' })).toEqual(fault('true or false'));
    expect(canonical(false, { type: 'boolean' })).toEqual({
      ok: true,
      canonical: false,
      display: 'false',
      warnings: [],
    });
  });

  it('says why a text has no canonical form', () => {
    expect(canonical('a\u200bb', { normalize: 'lower' })).toEqual({
      ok: false,
      detail: 'ignorable',
    });
    expect(canonical('DE00', { normalize: 'iban' })).toMatchObject({
      ok: false,
      hint: expect.stringContaining('IBAN'),
    });
    expect(canonical('a', { normalize: 'no-such-type' })).toEqual({ ok: false, detail: 'form' });
  });

  it('reads money, days and instants by their type', () => {
    expect(canonical('12.50', { type: 'money', settings: { currency: 'EUR' } })).toMatchObject({
      canonical: '1250 EUR',
    });
    expect(canonical('2026-11-30', { type: 'date' })).toMatchObject({ canonical: '2026-11-30' });
    expect(canonical('2026-11-30T12:00:00+01:00', { type: 'datetime' })).toMatchObject({
      canonical: '2026-11-30T11:00:00.000Z',
    });
  });
});

describe('normaliserOf', () => {
  it('is the named one, else that of the type', () => {
    expect(normaliserOf({ type: 'string', normalize: 'iban' })).toBe('iban');
    expect(normaliserOf({ type: 'money' })).toBe('money');
    expect(normaliserOf({ type: 'string' })).toBe('exact');
  });
});
