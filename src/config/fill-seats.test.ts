import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seatsOf } from '../core/checks/quorum.ts';
import type { PersonConfig } from './config.ts';
import { canFill } from './fill-seats.ts';

const person = (...roles: readonly string[]): PersonConfig => ({
  id: 'x',
  name: 'x',
  email: undefined,
  roles,
  passcode: undefined,
  passcodeText: undefined,
  oidcSubject: undefined,
  awayUntilMs: undefined,
});

describe('seatsOf', () => {
  it('fills the count up with approvers', () => {
    const seats = (count: number, roles: readonly string[]): unknown => seatsOf({ count, roles });
    expect(seats(1, ['approver'])).toEqual(['approver']);
    expect(seats(3, ['finance'])).toEqual(['finance', 'approver', 'approver']);
  });
});

describe('canFill', () => {
  it('needs a different person for each seat', () => {
    expect(canFill(['a', 'b'], [person('a', 'b')])).toBe(false);
    expect(canFill(['a', 'a'], [person('a')])).toBe(false);
    expect(canFill(['a', 'b'], [person('a', 'b'), person('c')])).toBe(false);
    expect(canFill(['a', 'b'], [person('a', 'b'), person('a')])).toBe(true);
    expect(canFill([], [])).toBe(true);
  });

  it('says what trying every order says', () => {
    const tryAll = (seats: readonly string[], people: readonly PersonConfig[]): boolean => {
      const [seat, ...others] = seats;
      if (seat === undefined) return true;
      return people.some(
        ({ roles }, at) => roles.includes(seat) && tryAll(others, people.toSpliced(at, 1)),
      );
    };
    const role = fc.constantFrom('a', 'b', 'c');
    const roles = fc.uniqueArray(role, { maxLength: 3 });
    fc.assert(
      fc.property(
        fc.array(role, { maxLength: 5 }),
        fc.array(roles, { maxLength: 6 }),
        (seats, each) => {
          const people = each.map((some) => person(...some));
          expect(canFill(seats, people)).toBe(tryAll(seats, people));
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
