import { describe, expect, it } from 'vitest';
import { base, configOf, problemsOf } from '../../test/fixtures/config-file.ts';
import { verifies } from '../../test/requirements/verifies.ts';

const secret = '0123456789abcdef';
/** The keys stand in line 7. */
const text = (...notices: readonly string[]): string =>
  `${base}[approvals]\nnotify = [${notices.map((notice) => `{ ${notice} }`).join(', ')}]\n`;
const webhook = `kind = "webhook", url = "https://hooks.example.com/a?t=1", secret = "${secret}"`;
const slack = 'kind = "slack", url = "http://127.0.0.1:9000/services/x"';
const mail =
  'kind = "mail", url = "smtps://bot:pass@mail.example.com:465", from = "Bot@example.com"';

describe('[approvals] notify', () => {
  it('takes a webhook, Slack and mail', () => {
    const file = text(
      webhook,
      `${slack}, detail = "full"`,
      mail,
      `${mail}, to = "kim@example.com"`,
      `${mail}, to = ["kim@example.com", "lee@EXAMPLE.com"]`,
    );
    const ends = { url: 'smtps://bot:pass@mail.example.com:465', from: 'Bot@example.com' };
    expect(configOf(file).approvals.notify).toEqual([
      { kind: 'webhook', url: 'https://hooks.example.com/a?t=1', secret, detail: 'summary' },
      { kind: 'slack', url: 'http://127.0.0.1:9000/services/x', detail: 'full' },
      { kind: 'mail', ...ends, to: undefined, detail: 'summary' },
      { kind: 'mail', ...ends, to: ['kim@example.com'], detail: 'summary' },
      { kind: 'mail', ...ends, to: ['kim@example.com', 'lee@example.com'], detail: 'summary' },
    ]);
  });

  it('is a list of tables in the file as well', () => {
    const file = `${base}[[approvals.notify]]\nkind = "slack"\nurl = "https://hooks.example.com"\n`;
    expect(configOf(file).approvals.notify).toHaveLength(1);
    expect(problemsOf(`${file}secret = "x"`)).toEqual([
      '9 approvals.notify[0].secret: `secret` is for kind = "webhook" only: remove it',
    ]);
  });

  verifies('CFG-23', 'takes secrets and addresses that hold one from the environment', () => {
    const variables = { HOOK: 'https://hooks.example.com/secret', SIGN: secret };
    const file = text(`kind = "webhook", url = "$\{env:HOOK}", secret = "$\{env:SIGN}"`);
    expect(configOf(file, { variables }).approvals.notify).toEqual([
      { kind: 'webhook', url: variables.HOOK, secret, detail: 'summary' },
    ]);
    expect(problemsOf(text('kind = "slack", url = "file:none"'))).toEqual([
      '7 approvals.notify[0].url: the secret file `~/none` cannot be read: create it, or write the value',
    ]);
    expect(problemsOf(text(webhook.replace(secret, 'file:none')))).toEqual([
      '7 approvals.notify[0].secret: the secret file `~/none` cannot be read: create it, or write the value',
    ]);
  });

  it.skipIf(process.platform === 'win32')('refuses secrets that others can read', () => {
    const files = { 'hook.txt': 'https://hooks.example.com/x\n' };
    expect(problemsOf(text('kind = "slack", url = "file:hook.txt"'), { files })).toEqual([
      '7 approvals.notify[0].url: the secret file `~/hook.txt` can be read by others: run `chmod 600` on it',
    ]);
  });

  it('takes secrets from files of their own', () => {
    const files = { 'hook.txt': 'https://hooks.example.com/x\n' };
    const file = text('kind = "slack", url = "file:hook.txt"');
    // The mode of a file says nothing on Windows.
    expect(configOf(file, { files, platform: 'win32' }).approvals.notify[0]?.url).toBe(
      'https://hooks.example.com/x',
    );
  });

  verifies('CFG-23', 'refuses an address that others could read along, and repeats none', () => {
    for (const url of [
      'hooks.example.com',
      'http://hooks.example.com',
      'https://kim:secret@hooks.example.com',
      'https://hooks.example.com/#a',
      'https:hooks.example.com',
      'https://hooks.example.com/a b',
      'smtp://hooks.example.com',
    ]) {
      expect(problemsOf(text(`kind = "slack", url = "${url}"`)), url).toEqual([
        '7 approvals.notify[0].url: must be https://, or http:// on this computer, without user, password and #',
      ]);
    }
    for (const url of [
      'mail.example.com',
      'https://mail.example.com',
      'smtp://',
      'smtp://mail.example.com/x',
      'smtp://mail.example.com?pool=1',
    ]) {
      expect(
        problemsOf(text(`kind = "mail", url = "${url}", from = "a@example.com"`)),
        url,
      ).toEqual([
        '7 approvals.notify[0].url: must be smtp://<host> or smtps://<host>, with user:password@ where needed, without path, ? and #',
      ]);
    }
  });

  verifies('CFG-23', 'says what a kind needs and what it does not have', () => {
    const wrong: readonly (readonly [notice: string, key: string, message: string])[] = [
      ['kind = "sms", url = "x"', 'kind', 'must be one of: webhook, slack, mail'],
      ['kind = "slack"', 'url', 'is missing: add it (a text)'],
      [
        'kind = "webhook", url = "https://a.example"',
        'secret',
        'is missing: add what signs the messages of a webhook',
      ],
      [webhook.replace(secret, secret.slice(1)), 'secret', 'must have at least 16 characters'],
      [`${slack}, from = "a@example.com"`, 'from', '`from` is for kind = "mail" only: remove it'],
      [`${webhook}, to = "a@example.com"`, 'to', '`to` is for kind = "mail" only: remove it'],
      [`${mail}, secret = "x"`, 'secret', '`secret` is for kind = "webhook" only: remove it'],
      [
        'kind = "mail", url = "smtp://mail.example.com"',
        'from',
        'is missing: add the address that mail is sent from',
      ],
      [`${mail}, to = 5`, 'to', 'must be an address or a list of addresses'],
      [`${slack}, detail = "some"`, 'detail', 'must be one of: summary, full'],
    ];
    for (const [notice, key, message] of wrong) {
      expect(problemsOf(text(notice)), notice).toEqual([
        `7 approvals.notify[0].${key}: ${message}`,
      ]);
    }
  });

  it('refuses addresses of mail that are none', () => {
    const fault =
      'is no e-mail address: write one address alone, like name@example.com, without a name, brackets or mailto:';
    expect(problemsOf(text(mail.replace('Bot@example.com', 'Bot')))).toEqual([
      `7 approvals.notify[0].from: ${fault}`,
    ]);
    expect(problemsOf(text(`${mail}, to = ["kim@example.com", "lee"]`))).toEqual([
      `7 approvals.notify[0].to[1]: ${fault}`,
    ]);
  });
});
