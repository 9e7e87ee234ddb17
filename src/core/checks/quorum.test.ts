import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import type { ApprovalTerms, Vote } from '../operation.ts';
import type { People, PersonRow } from '../person.ts';
import {
  canBeAnswered,
  findPerson,
  isQuorumFull,
  mayApprove,
  mayReject,
  oneApprover,
  principalAlone,
} from './quorum.ts';

const person = (
  handle: string,
  roles: readonly string[] = [],
  over: Partial<PersonRow> = {},
): PersonRow => ({
  personId: `id-${handle}`,
  handle,
  name: handle,
  email: undefined,
  roles,
  status: 'active',
  awayUntilMs: undefined,
  passcode: undefined,
  oidcSubject: undefined,
  origin: 'config',
  createdMs: 0,
  ...over,
});

const ann = person('ann', ['approver']);
const bob = person('bob', ['approver', 'finance']);
const cem = person('cem', ['finance']);
const eve = person('eve');
const owner = person('owner', ['approver']);
const people: People = { persons: [ann, bob, cem, eve, owner], credentials: [] };

const ask = (terms: Partial<ApprovalTerms> = {}, over: Partial<People> = {}) => ({
  terms: { ...oneApprover, ...terms },
  principal: 'owner',
  people: { ...people, ...over },
});

const vote = (by: PersonRow, over: Partial<Vote> = {}): Vote => ({
  personId: by.personId,
  credentialId: undefined,
  assurance: 'passkey',
  channel: 'page',
  atMs: 0,
  ...over,
});

describe('who may approve', () => {
  verifies('APR-06', 'at level 1 the principal and nobody else', () => {
    const question = ask(principalAlone);
    expect(people.persons.filter((each) => mayApprove(each, question))).toEqual([owner]);
  });

  verifies('APR-07', 'at level 2 another person with the role, never the principal', () => {
    expect(people.persons.filter((each) => mayApprove(each, ask()))).toEqual([ann, bob]);
    expect(mayApprove(ann, ask({ exclude: ['ann'] }))).toBe(false);
    expect(mayReject(owner, ask())).toBe(true);
    expect(mayReject(eve, ask())).toBe(false);
  });

  it('takes a principal whom nobody wrote down for a person without a role', () => {
    const question = { ...ask(principalAlone), principal: 'user' };
    expect(findPerson(question, 'user')).toMatchObject({ personId: 'user', roles: [] });
    expect(findPerson(question, 'somebody')).toBeUndefined();
  });

  it('forgets a person who was removed, also a principal', () => {
    const gone = person('owner', [], { status: 'removed' });
    const question = ask(principalAlone, { persons: [gone] });
    expect(findPerson(question, 'owner')).toBeUndefined();
    expect(isQuorumFull([vote(gone)], question)).toBe(false);
  });
});

describe('when enough have approved', () => {
  verifies('APR-08', 'different people count, each listed role filled by a different one', () => {
    const two = ask({ count: 2, roles: ['approver', 'finance'] });
    expect(isQuorumFull([vote(bob)], two)).toBe(false);
    expect(isQuorumFull([vote(bob), vote(bob, { atMs: 9 })], two)).toBe(false);
    expect(isQuorumFull([vote(ann), vote(bob)], two)).toBe(true);
    expect(isQuorumFull([vote(bob), vote(cem)], two)).toBe(true);
    expect(isQuorumFull([vote(ann), vote(cem)], two)).toBe(true);
    const twoOfFinance = ask({ count: 2, roles: ['finance', 'finance'] });
    expect(isQuorumFull([vote(ann), vote(bob)], twoOfFinance)).toBe(false);
  });

  it('asks the principal and another person where both are wanted', () => {
    const both = ask({ includeUser: true });
    expect(isQuorumFull([vote(owner)], both)).toBe(false);
    expect(isQuorumFull([vote(ann)], both)).toBe(false);
    expect(isQuorumFull([vote(ann), vote(owner)], both)).toBe(true);
  });

  it('does not count who lost the role, left, or whose passkey was taken away', () => {
    expect(isQuorumFull([vote(ann)], ask())).toBe(true);
    const demoted = { persons: [{ ...ann, roles: [] }] };
    expect(isQuorumFull([vote(ann)], ask({}, demoted))).toBe(false);
    const removed = { persons: [{ ...ann, status: 'removed' } as const] };
    expect(isQuorumFull([vote(ann)], ask({}, removed))).toBe(false);
    const key = {
      ...{
        credentialId: 'k',
        personId: ann.personId,
        rpId: 'localhost',
        publicKey: '',
        counter: 0,
      },
      ...{ isDeviceBound: false, aaguid: '', transports: [], label: '', createdMs: 0 },
    };
    const signed = [vote(ann, { credentialId: 'k' })];
    const having = (status: 'active' | 'removed') => ask({}, { credentials: [{ ...key, status }] });
    expect(isQuorumFull(signed, having('active'))).toBe(true);
    expect(isQuorumFull(signed, having('removed'))).toBe(false);
    expect(isQuorumFull(signed, ask())).toBe(false);
  });

  verifies('APR-10', 'one person alone answers twice, with the waiting time in between', () => {
    const solo = ask({ soloWaitMs: 100 });
    expect(mayApprove(owner, solo)).toBe(true);
    expect(mayApprove(ann, solo)).toBe(false);
    expect(isQuorumFull([vote(owner)], solo)).toBe(false);
    expect(isQuorumFull([vote(owner), vote(owner, { atMs: 99 })], solo)).toBe(false);
    expect(isQuorumFull([vote(owner), vote(owner, { atMs: 100 })], solo)).toBe(true);
  });

  it('is never full of people who may not approve, whatever the votes are', () => {
    const votes = fc.array(
      fc.constantFrom(...people.persons).map((by) => vote(by)),
      { maxLength: 6 },
    );
    const terms = fc.record({
      count: fc.integer({ min: 1, max: 4 }),
      roles: fc.subarray(['approver', 'finance']),
      exclude: fc.subarray(['ann', 'bob', 'cem']),
      includeUser: fc.boolean(),
    });
    fc.assert(
      fc.property(votes, terms, (given, over) => {
        const question = ask(over);
        if (!isQuorumFull(given, question)) return;
        const counted = new Set(
          given.flatMap(({ personId }) =>
            people.persons.filter((each) => each.personId === personId),
          ),
        );
        const others = [...counted].filter((each) => each !== owner && mayApprove(each, question));
        expect(others.length).toBeGreaterThanOrEqual(over.count);
        expect(counted.has(owner) || !over.includeUser).toBe(true);
        expect(canBeAnswered(question, 0)).toBe(true);
      }),
    );
  });
});

describe('whether anybody is there', () => {
  it('leaves people out who are away', () => {
    expect(canBeAnswered(ask(), 0)).toBe(true);
    const away = { persons: [{ ...ann, awayUntilMs: 10 }] };
    expect(canBeAnswered(ask({}, away), 9)).toBe(false);
    expect(canBeAnswered(ask({}, away), 10)).toBe(true);
    expect(canBeAnswered(ask({}, { persons: [] }), 0)).toBe(false);
    expect(canBeAnswered(ask(principalAlone, { persons: [] }), 0)).toBe(true);
    expect(canBeAnswered(ask({ soloWaitMs: 1 }, { persons: [] }), 0)).toBe(true);
    expect(canBeAnswered(ask({ count: 3 }), 0)).toBe(false);
  });
});
