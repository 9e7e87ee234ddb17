import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { base, configOf, folderWith, problemsOf } from '../../test/fixtures/config-file.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import { loadConfig } from './load-config.ts';

const hash = (letter: string): string =>
  `scrypt$16$8$2$${letter.repeat(21)}A$${letter.repeat(42)}A`;
/** The first row stands in line 6, its keys from line 8 on. */
const person = (id: string, lines = ''): string => `[[people]]\nid = "${id}"\n${lines}\n`;
const kim = (lines: string): string => base + person('kim', lines);

describe('[[people]]', () => {
  verifies('CFG-22', 'is complete from an id alone', () => {
    expect(configOf(kim('')).people).toEqual([
      {
        id: 'kim',
        name: 'kim',
        email: undefined,
        roles: [],
        passcode: undefined,
        passcodeText: undefined,
        oidcSubject: undefined,
        awayUntilMs: undefined,
      },
    ]);
    expect(configOf(base).people).toEqual([]);
  });

  verifies('CFG-22', 'takes name, address, roles, passcode, subject and absence', () => {
    const lines = `name = "Kim Lee"
email = "Kim.Lee@EXAMPLE.com"
roles = ["approver", "finance-2", "approver"]
passcode = "${hash('k')}"
oidc_subject = "auth0|12"
away_until = 2026-08-01T09:00:00+02:00`;
    expect(configOf(kim(lines)).people[0]).toMatchObject({
      name: 'Kim Lee',
      email: 'Kim.Lee@example.com',
      roles: ['approver', 'finance-2'],
      passcode: { log2N: 16 },
      passcodeText: hash('k'),
      oidcSubject: 'auth0|12',
      awayUntilMs: Date.UTC(2026, 7, 1, 7),
    });
  });

  it('is away until midnight UTC of a day', () => {
    expect(configOf(kim('away_until = 2026-08-01')).people[0]?.awayUntilMs).toBe(
      Date.UTC(2026, 7, 1),
    );
  });

  it.skipIf(process.platform === 'win32')('reads a passcode from a file of its own', () => {
    const text = kim('passcode = "file:kim.txt"');
    const folder = folderWith({
      'gateway.toml': text,
      'policy.cedar': '',
      'kim.txt': `${hash('k')}\n`,
    });
    chmodSync(join(folder, 'kim.txt'), 0o600);
    const environment = { variables: {}, platform: process.platform, home: folder };
    const loaded = loadConfig(join(folder, 'gateway.toml'), { environment });
    expect(loaded.ok && loaded.value.people[0]?.passcodeText).toBe(hash('k'));
    expect(problemsOf(text, { files: { 'kim.txt': hash('k') } })).toEqual([
      '8 people[0].passcode: the secret file `~/kim.txt` can be read by others: run `chmod 600` on it',
    ]);
  });

  verifies('CFG-22', 'refuses values that are none', () => {
    const longRole = `"a${'b'.repeat(64)}"`;
    const roleFault =
      'must be a role such as approver: a-z, 0-9, _ and -, a letter first, at most 64';
    const awayFault =
      'must be a day such as 2026-08-01 or a time with its offset: 2026-08-01T09:00:00Z';
    const nameFault = 'must be 1 to 200 characters without control characters';
    const subjectFault = 'must be 1 to 255 printable ASCII characters';
    const emailFault =
      'is no e-mail address: write one address alone, like name@example.com, without a name, brackets or mailto:';
    const wrong: readonly (readonly [line: string, key: string, message: string])[] = [
      ['name = ""', 'name', nameFault],
      ['name = "a\\nb"', 'name', nameFault],
      [`name = "${'x'.repeat(201)}"`, 'name', nameFault],
      ['email = "kim"', 'email', emailFault],
      ['email = "Kim <kim@example.com>"', 'email', emailFault],
      ['roles = ["Approver"]', 'roles[0]', roleFault],
      ['roles = ["approver", "2"]', 'roles[1]', roleFault],
      [`roles = [${longRole}]`, 'roles[0]', roleFault],
      ['roles = "approver"', 'roles', 'must be a list'],
      [
        'passcode = "hunter2"',
        'passcode',
        'is no passcode string: make one with `intentplane passcode`',
      ],
      ['oidc_subject = ""', 'oidc_subject', subjectFault],
      [`oidc_subject = "${'x'.repeat(256)}"`, 'oidc_subject', subjectFault],
      ['away_until = "2026-08-01"', 'away_until', awayFault],
      ['away_until = 2026-08-01T09:00:00', 'away_until', awayFault],
      ['away_until = 09:00:00', 'away_until', awayFault],
      ['passkey = "x"', 'passkey', 'unknown key `passkey`: remove it'],
    ];
    for (const [line, key, message] of wrong) {
      expect(problemsOf(kim(line)), line).toEqual([`8 people[0].${key}: ${message}`]);
    }
  });

  verifies('CFG-22', 'refuses an id that is none', () => {
    const fault = 'must be 1 to 64 letters, digits, . _ or -';
    for (const id of ['', 'a b', 'é', 'a/b', 'x'.repeat(65)]) {
      expect(problemsOf(base + person(id)), id).toEqual([`7 people[0].id: ${fault}`]);
    }
    expect(problemsOf(base + person('.x-_9'))).toEqual([]);
    expect(problemsOf(base + person('x'.repeat(64)))).toEqual([]);
    expect(problemsOf(`${base}[[people]]\nname = "Kim"`)).toEqual([
      '6 people[0].id: is missing: add it (a text)',
    ]);
  });
});

describe('two people', () => {
  const lee = (lines: string): string => kim(lines) + person('lee', lines);

  verifies('CFG-22', 'share nothing by which a person is told: both are named', () => {
    expect(problemsOf(kim('') + person('kim'))).toEqual([
      '10 people[1].id: people[0] and people[1] are both `kim`: rename one',
    ]);
    expect(
      problemsOf(kim('email = "k@example.com"') + person('lee', 'email = "K@EXAMPLE.com"')),
    ).toEqual([
      '11 people[1].email: `kim` and `lee` have the same e-mail: each person needs an own one',
    ]);
    expect(problemsOf(lee('oidc_subject = "1"'))).toEqual([
      '11 people[1].oidc_subject: `kim` and `lee` have the same oidc_subject: each person needs an own one',
    ]);
    expect(problemsOf(lee(`passcode = "${hash('k')}"`))).toEqual([
      '11 people[1].passcode: `kim` and `lee` have the same passcode: each person needs an own one',
    ]);
  });

  it('may differ in nothing but the id where nothing is given', () => {
    expect(problemsOf(lee('roles = ["approver"]\nname = "Lee"'))).toEqual([]);
  });
});

describe('the principal among the people', () => {
  const maya = (own: string, approvals: string): string =>
    `${base}[mandate]\nprincipal = "maya"\n[approvals]\n${approvals}\n${person('maya', own)}`;
  const line = (letter: string): string => `passcode = "${hash(letter)}"`;

  verifies('CFG-22', 'has its passcode in either place', () => {
    for (const [own, approvals] of [
      [line('m'), ''],
      ['', line('m')],
      [line('m'), line('m')],
    ] as const) {
      const config = configOf(maya(own, approvals));
      expect(config.approvals.passcodeText).toBe(hash('m'));
      expect(config.approvals.passcode).toEqual(config.people[0]?.passcode);
      expect(config.people[0]?.passcodeText).toBe(hash('m'));
    }
  });

  verifies('CFG-22', 'has one passcode', () => {
    expect(problemsOf(maya(line('m'), line('n')))).toEqual([
      '12 people[0].passcode: `maya` is the principal and has another one in [approvals]: remove one of them',
    ]);
  });

  it('shares its passcode with nobody, also where it has no row', () => {
    const shared = `${base}[mandate]\nprincipal = "maya"\n[approvals]\n${line('m')}\n${person('kim', line('m'))}`;
    expect(problemsOf(shared)).toEqual([
      '12 people[0].passcode: `kim` has the passcode of [approvals], which is that of `maya`: each person needs an own one',
    ]);
  });
});
