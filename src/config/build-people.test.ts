import { describe, expect, it } from 'vitest';
import { base, configOf, problemsOf } from '../../test/fixtures/config-file.ts';

const passcode = `scrypt$16$8$2$${'A'.repeat(22)}$${'A'.repeat(43)}`;
const other = `scrypt$16$8$2$${'A'.repeat(22)}$${'E'.repeat(43)}`;
const people = (...tables: readonly string[]): string =>
  `${base}${tables.map((table) => `[[people]]\n${table}\n`).join('')}`;
const approvals = (lines: string, more = ''): string => `${base}[approvals]\n${lines}\n${more}`;

describe('[[people]]', () => {
  it('reads a person, and leaves out what is not said', () => {
    expect(configOf(people('id = "ann"')).people).toEqual([
      {
        id: 'ann',
        name: 'ann',
        email: undefined,
        roles: [],
        passcode: undefined,
        passcodeText: undefined,
        oidcSubject: undefined,
        awayUntilMs: undefined,
      },
    ]);
    const text = [
      'id = "ann"\nname = "Ann Ott"\nemail = "ann@example.com"\nroles = ["approver", "finance"]',
      `passcode = "${passcode}"\noidc_subject = "a|1"\naway_until = 2026-12-24`,
    ].join('\n');
    expect(configOf(people(text)).people).toMatchObject([
      {
        name: 'Ann Ott',
        email: 'ann@example.com',
        roles: ['approver', 'finance'],
        passcode: { log2N: 16 },
        passcodeText: passcode,
        oidcSubject: 'a|1',
        awayUntilMs: Date.UTC(2026, 11, 24),
      },
    ]);
  });

  it.each([
    ['id = "a b"', '7 people[0].id: must be 1 to 64 of the characters A-Z a-z 0-9 . _ -'],
    [
      'id = "a"\nroles = ["Boss"]',
      '8 people[0].roles[0]: must be a name such as approver, admin or finance',
    ],
    ['id = "a"\nemail = "Ann <a@example.com>"', '8 people[0].email: must be an e-mail address'],
    [
      'id = "a"\npasscode = "1234"',
      '8 people[0].passcode: is no passcode string: make one with `intentplane passcode`',
    ],
    [
      'id = "a"\naway_until = "soon"',
      '8 people[0].away_until: must be a day or an instant, written without quotes: 2026-12-24',
    ],
    ['name = "Ann"', '6 people[0].id: is missing: add it (a text)'],
  ])('refuses %j', (lines, problem) => {
    expect(problemsOf(people(lines))).toEqual([problem]);
  });

  it('refuses two people who could be taken for each other', () => {
    expect(problemsOf(people('id = "ann"', 'id = "ann"'))).toEqual([
      '9 people[1].id: `ann` is that of people[0] already',
    ]);
    expect(
      problemsOf(people('id = "a"\noidc_subject = "x"', 'id = "b"\noidc_subject = "x"')),
    ).toEqual(['11 people[1].oidc_subject: `x` is that of people[0] already']);
  });

  it('lets the owner stand in the list, with one passcode', () => {
    const both = (of: string): string =>
      approvals(`passcode = "${passcode}"`, `[[people]]\nid = "user"\npasscode = "${of}"\n`);
    expect(configOf(both(passcode)).people).toMatchObject([{ id: 'user', passcodeText: passcode }]);
    expect(problemsOf(both(other))).toEqual([
      '10 people[0].passcode: is another one than that of [approvals], and both are of `user`: keep one',
    ]);
  });
});

describe('[approvals] of several people', () => {
  const approver = '[[people]]\nid = "ann"\nroles = ["approver"]\n';

  it('takes the public address of the page, and nothing after the host', () => {
    const pageUrl = (text: string) => configOf(approvals(`page_url = "${text}"`)).approvals.pageUrl;
    expect(pageUrl('https://ok.example.com')).toBe('https://ok.example.com');
    expect(pageUrl('https://ok.example.com:8443/')).toBe('https://ok.example.com:8443');
    expect(pageUrl('http://localhost:9000')).toBe('http://localhost:9000');
    const wrong = [
      ...['http://ok.example.com', 'https://ok.example.com/page', 'https://u@ok.example.com'],
      ...['https://ok.example.com?x', 'ok.example.com', 'https://'],
    ];
    for (const text of wrong) {
      expect(problemsOf(approvals(`page_url = "${text}"`)), text).toEqual([
        '7 approvals.page_url: must be https:// and a host, nothing after it; http:// only for localhost',
      ]);
    }
  });

  it('leaves the passcode out on a public page unless it is named', () => {
    const remote = `passcode = "${passcode}"\npage_url = "https://ok.example.com"`;
    expect(configOf(approvals(remote)).approvals).toMatchObject({
      passcode: undefined,
      require: { 1: ['elicitation', 'oidc', 'passkey', 'passkey-bound'], 2: ['passkey'] },
    });
    const named = `${remote}\nrequire = { 1 = ["passcode"] }`;
    expect(configOf(approvals(named)).approvals.passcode).toMatchObject({ log2N: 16 });
  });

  it('never lets the client of the agent answer level 2, and warns of a passcode there', () => {
    expect(problemsOf(approvals('require = { 2 = ["elicitation"] }'))).toEqual([
      '7 approvals.require.2: a form in the client of the agent never answers level 2',
    ]);
    const config = configOf(approvals('require = { 2 = ["passkey", "passcode"] }', approver));
    expect(config.warnings.join()).toContain('level 2 takes a passcode');
    expect(problemsOf(approvals('require = { 2 = ["oidc"] }'))).toEqual([
      '7 approvals.require.2: asks for a sign-in and there is no provider: add [http] oidc',
    ]);
    expect(problemsOf(approvals('require = { 1 = ["face"] }'))).toEqual([
      '7 approvals.require.1[0]: must be one of elicitation, passcode, oidc, passkey, passkey-bound',
    ]);
  });

  it('reads who is told, with secrets in files', () => {
    const notify = (text: string): string => approvals(`notify = [${text}]`);
    expect(
      configOf(
        notify(
          '{ webhook = { url = "https://x.example.com/hook", secret = "0123456789abcdef" }, detail = "full" }, { mail = { url = "smtps://u:p@mail.example.com", from = "gate@example.com" } }',
        ),
      ).approvals.notify,
    ).toEqual([
      {
        ...{ kind: 'webhook', detail: 'full', url: 'https://x.example.com/hook' },
        secret: '0123456789abcdef',
      },
      {
        ...{ kind: 'mail', detail: 'summary', url: 'smtps://u:p@mail.example.com' },
        ...{ from: 'gate@example.com', to: undefined },
      },
    ]);
    const problems: readonly (readonly [text: string, problem: string])[] = [
      ['{ detail = "full" }', 'notify[0]: names one of webhook, slack or mail'],
      [
        '{ webhook = { url = "http://x.example.com", secret = "0123456789abcdef" } }',
        'notify[0].webhook.url: must be https://, or http:// on this computer',
      ],
      [
        '{ webhook = { url = "https://x.example.com", secret = "short" } }',
        'notify[0].webhook.secret: must be at least 16 characters long',
      ],
      [
        '{ slack = { url = "file:none" } }',
        'notify[0].slack.url: the secret file `~/none` cannot be read: create it, or write the value',
      ],
      [
        '{ mail = { url = "mail.example.com", from = "gate@example.com" } }',
        'notify[0].mail.url: must be smtp://host or smtps://host, with user:password@ where the server wants it',
      ],
    ];
    for (const [text, problem] of problems) {
      expect(problemsOf(notify(text)), text).toContain(`7 approvals.${problem}`);
    }
  });

  it('reads the quorum, and refuses one that cannot be', () => {
    const quorum = (text: string): string => approvals(`quorum = { ${text} }`, approver);
    expect(
      configOf(quorum('count = 2, roles = ["approver"], exclude = ["ann"], include_user = true'))
        .approvals.quorum,
    ).toEqual({ count: 2, roles: ['approver'], exclude: ['ann'], includeUser: true });
    expect(problemsOf(quorum('roles = ["approver", "finance"]'))).toEqual([
      '7 approvals.quorum.roles: names 2 roles for 1 of count: each role is one person',
    ]);
    expect(problemsOf(quorum('exclude = ["bob"]'))).toEqual([
      '7 approvals.quorum.exclude[0]: `bob` is nobody in [[people]]',
    ]);
    expect(problemsOf(quorum('count = 0'))).toEqual([
      '7 approvals.quorum.count: must be a whole number from 1 to 5',
    ]);
  });

  it('lets one person alone answer twice when it is said so', () => {
    const solo = (text: string) => configOf(approvals(`self_approval = ${text}`)).approvals.solo;
    expect(solo('"never"')).toBeUndefined();
    expect(solo('"solo"')).toEqual({ waitMs: 86_400_000 });
    expect(solo('{ mode = "solo", wait = "1h" }')).toEqual({ waitMs: 3_600_000 });
    expect(problemsOf(approvals('self_approval = { mode = "solo", wait = "59m" }'))).toEqual([
      '7 approvals.self_approval: the waiting time must be from 1h to 71h',
    ]);
  });

  it('takes a channel of JavaScript, and says what to do with one of Python', () => {
    const channel = configOf(approvals('channel = "./ask.mjs:createChannel"')).approvals.channel;
    expect(channel).toMatchObject({ factory: 'createChannel' });
    expect(channel?.file).toMatch(/ask\.mjs$/);
    expect(problemsOf(approvals('channel = "my.module:factory"'))).toEqual([
      '7 approvals.channel: names a Python module: write the channel as a JavaScript module, "./file.mjs:factory"',
    ]);
    expect(problemsOf(approvals('channel = "ask.mjs"'))).toEqual([
      '7 approvals.channel: must be a JavaScript file and what it exports: "./file.mjs:factory"',
    ]);
  });

  it('reads the dwell time and the provider', () => {
    expect(configOf(approvals('dwell = "10s"')).approvals.dwellMs).toBe(10_000);
    expect(problemsOf(approvals('dwell = "61s"'))).toEqual([
      '7 approvals.dwell: must be at most 60s',
    ]);
    const oidc = (text: string): string => `${base}[http.oidc]\n${text}\n`;
    expect(
      configOf(oidc('issuer = "https://id.example.com"\nclient_id = "gate"')).approvals.oidc,
    ).toEqual({
      ...{ issuer: 'https://id.example.com', clientId: 'gate', clientSecret: undefined },
      ...{ acr: undefined, amr: [] },
    });
    expect(problemsOf(oidc('issuer = "http://id.example.com"\nclient_id = "gate"'))).toEqual([
      '7 http.oidc.issuer: must be https://, or http:// on this computer',
    ]);
    expect(problemsOf(`${base}[http]\nlisten = "127.0.0.1:80"\n`).join()).toContain(
      'not available in this version',
    );
  });
});
