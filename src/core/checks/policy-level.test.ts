import { describe, expect, it } from 'vitest';
import type { PolicyFact } from '../facts.ts';
import { findLevel } from './policy-level.ts';

const permit: PolicyFact = { effect: 'permit', rules: ['p'] };
const none: PolicyFact = { effect: 'no_permit', rules: [] };
const forbidden: PolicyFact = { effect: 'forbidden', rules: ['f'] };
const error: PolicyFact = { effect: 'error', rules: ['e'], detail: 'type error' };

describe('findLevel', () => {
  it('takes the smallest level that permits, also when a smaller one forbids', () => {
    expect(findLevel({ 0: permit }, 0)).toEqual({ kind: 'permit', level: 0, rules: ['p'] });
    expect(findLevel({ 0: forbidden, 1: permit }, 0)).toMatchObject({ kind: 'permit', level: 1 });
    expect(findLevel({ 0: none, 1: none, 2: permit }, 0)).toMatchObject({ level: 2 });
  });

  it('does not look below the floor', () => {
    expect(findLevel({ 0: permit, 1: none, 2: none }, 1)).toEqual({
      kind: 'refused',
      failure: { code: 'POLICY_NO_PERMIT' },
    });
    expect(findLevel({ 0: error, 1: permit }, 1)).toMatchObject({ kind: 'permit', level: 1 });
  });

  it('asks for the first verdict that is missing', () => {
    expect(findLevel({}, 0)).toEqual({ kind: 'missing', level: 0 });
    expect(findLevel({ 0: none }, 0)).toEqual({ kind: 'missing', level: 1 });
    expect(findLevel({ 0: none, 1: none }, 1)).toEqual({ kind: 'missing', level: 2 });
  });

  it('denies by the verdict of the highest level', () => {
    expect(findLevel({ 0: forbidden, 1: forbidden, 2: none }, 0)).toEqual({
      kind: 'refused',
      failure: { code: 'POLICY_NO_PERMIT' },
    });
    expect(findLevel({ 0: none, 1: none, 2: forbidden }, 0)).toEqual({
      kind: 'refused',
      failure: { code: 'POLICY_FORBIDDEN', rules: ['f'] },
    });
  });

  it('denies at once on an error, although a higher level would permit', () => {
    expect(findLevel({ 0: error, 1: permit }, 0)).toEqual({
      kind: 'refused',
      failure: { code: 'POLICY_ERROR', rules: ['e'] },
    });
  });
});
