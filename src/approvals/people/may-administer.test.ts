import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import type { PersonRow } from '../../core/person.ts';
import { aPerson } from '../../testing/store-people-conformance.ts';
import { makeEnrolmentCode } from './enrolment-text.ts';
import { mayAdminister } from './may-administer.ts';

function answer(persons: readonly PersonRow[], by: string, about: string): string {
  const people = { persons, credentials: [] };
  const may = mayAdminister({ people, principal: 'owner', by, about });
  if (!may.ok) return may.error;
  return may.value.singleUser ? 'alone' : 'ok';
}

const admin = (handle: string) => aPerson(handle, { roles: ['admin'] });

describe('changes of people', () => {
  verifies('APR-09', 'need an administrator other than the person concerned', () => {
    const persons = [admin('ann'), admin('bob'), aPerson('cem'), aPerson('owner')];
    const table = ['ann', 'bob', 'cem', 'owner', 'nobody'].map((by) => [
      by,
      ...['ann', 'cem', 'owner'].map((about) => answer(persons, by, about)),
    ]);
    expect(table).toEqual([
      ['ann', 'BY_CONCERNED', 'ok', 'ok'],
      ['bob', 'ok', 'ok', 'ok'],
      ['cem', 'BY_NO_ADMIN', 'BY_NO_ADMIN', 'BY_NO_ADMIN'],
      ['owner', 'BY_NO_ADMIN', 'BY_NO_ADMIN', 'BY_NO_ADMIN'],
      ['nobody', 'BY_UNKNOWN', 'BY_UNKNOWN', 'BY_UNKNOWN'],
    ]);
  });

  verifies('APR-09', "are the owner's until somebody is an administrator", () => {
    const persons = [aPerson('ann'), aPerson('bob')];
    expect(answer(persons, 'owner', 'ann')).toBe('ok');
    expect(answer(persons, 'ann', 'bob')).toBe('BY_NO_ADMIN');
  });

  it('are marked where one person is all there is', () => {
    expect(answer([], 'owner', 'owner')).toBe('alone');
    expect(answer([aPerson('owner', { roles: [] })], 'owner', 'owner')).toBe('alone');
    expect(answer([], 'owner', 'ann')).toBe('ok');
  });

  it('are not made by somebody who was removed, the owner included', () => {
    const removed = { status: 'removed' } as const;
    expect(answer([aPerson('owner', removed)], 'owner', 'ann')).toBe('BY_UNKNOWN');
    expect(answer([aPerson('ann', { ...removed, roles: ['admin'] })], 'ann', 'bob')).toBe(
      'BY_UNKNOWN',
    );
  });
});

describe('a one-time code', () => {
  it('has 80 random bits in letters that nobody mistakes', () => {
    expect(makeEnrolmentCode(() => new Uint8Array(16).fill(255))).toBe('ZZZZ-ZZZZ-ZZZZ-ZZZZ');
    expect(makeEnrolmentCode((size) => Uint8Array.from({ length: size }, (_unused, i) => i))).toBe(
      '0123-4567-89AB-CDEF',
    );
  });
});
