import { describe, expect, it } from 'vitest';
import { hint, nearestKey } from './nearest-key.ts';

const known = ['critical', 'sources', 'scale', 'each', 'text', 'Vendors'];

describe('nearestKey', () => {
  it('finds a key with a letter too few, too many, wrong or swapped', () => {
    expect(nearestKey('criticl', known)).toBe('critical');
    expect(nearestKey('criticcal', known)).toBe('critical');
    expect(nearestKey('criticol', known)).toBe('critical');
    expect(nearestKey('sacle', known)).toBe('scale');
    expect(nearestKey('crtiicla', known)).toBe('critical');
    expect(nearestKey('SCALE', known)).toBe('scale');
    expect(nearestKey('vendors', known)).toBe('Vendors');
  });

  it('finds nothing for another word', () => {
    expect(nearestKey('colour', known)).toBeUndefined();
    expect(nearestKey('taxt', known)).toBe('text');
    expect(nearestKey('tart', known)).toBeUndefined();
    expect(nearestKey('', known)).toBeUndefined();
    expect(nearestKey('scale', [])).toBeUndefined();
  });
});

describe('hint', () => {
  it('ends a sentence', () => {
    expect(hint('scal', known)).toBe('; did you mean `scale`?');
    expect(hint('colour', known)).toBe('');
  });
});
