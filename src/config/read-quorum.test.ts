import { describe, expect, it } from 'vitest';
import { base, configOf, problemsOf } from '../../test/fixtures/config-file.ts';
import { verifies } from '../../test/requirements/verifies.ts';

/** The quorum stands in line 9. */
const text = (quorum: string): string =>
  `${base}[mandate]\nprincipal = "maya"\n[approvals]\nquorum = { ${quorum} }\n[[people]]\nid = "kim"\n`;

describe('[approvals] quorum', () => {
  it('has a count, roles, exclusions and the user', () => {
    const quorum = 'count = 3, roles = ["approver", "finance"], exclude = ["kim", "maya"]';
    expect(configOf(text(quorum)).approvals.quorum).toEqual({
      count: 3,
      roles: ['approver', 'finance'],
      exclude: ['kim', 'maya'],
      includeUser: false,
    });
    expect(configOf(text('include_user = true')).approvals.quorum).toEqual({
      count: 1,
      roles: ['approver'],
      exclude: [],
      includeUser: true,
    });
  });

  verifies('CFG-23', 'counts one to five persons', () => {
    for (const count of ['0', '6', '1.5', '"2"']) {
      expect(problemsOf(text(`count = ${count}`)), count).toEqual([
        '9 approvals.quorum.count: must be a whole number from 1 to 5',
      ]);
    }
  });

  verifies('CFG-23', 'has a person for each role', () => {
    expect(problemsOf(text('roles = ["approver", "finance"]'))).toEqual([
      '9 approvals.quorum.roles: names 2 roles and `count` is 1: each needs a person of its own, set count = 2',
    ]);
    expect(problemsOf(text('count = 2, roles = ["approver", "finance"]'))).toEqual([]);
    expect(problemsOf(text('roles = []'))).toEqual([
      '9 approvals.quorum.roles: must have at least 1 items',
    ]);
    expect(problemsOf(text('roles = ["Finance"]'))).toEqual([
      '9 approvals.quorum.roles[0]: must be a role such as approver: a-z, 0-9, _ and -, a letter first, at most 64',
    ]);
  });

  verifies('CFG-23', 'excludes only people of the file', () => {
    expect(problemsOf(text('exclude = ["kim", "kin"]'))).toEqual([
      '9 approvals.quorum.exclude[1]: `kin` is nobody: add [[people]] with this id; did you mean `kim`?',
    ]);
    expect(problemsOf(text('exclude = ["a b"]'))).toEqual([
      '9 approvals.quorum.exclude[0]: must be 1 to 64 letters, digits, . _ or -',
    ]);
  });

  verifies('CFG-23', 'does not exclude the user whose approval it needs', () => {
    expect(problemsOf(text('exclude = ["maya"], include_user = true'))).toEqual([
      '9 approvals.quorum.exclude[0]: `maya` is the principal, whose approval `include_user` needs: remove one',
    ]);
  });
});
