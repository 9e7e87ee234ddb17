import { describe, expect, it } from 'vitest';
import { base, configOf, problemsOf } from '../../test/fixtures/config-file.ts';
import { verifies } from '../../test/requirements/verifies.ts';

const text = (lines: string): string => `${base}[approvals]\n${lines}\n`;
const strong = `scrypt$16$8$2$${'A'.repeat(22)}$${'A'.repeat(43)}`;
const weak = strong.replace('$16$', '$15$');

describe('[approvals]', () => {
  it('asks by forms and by the page at its usual place', () => {
    expect(configOf(base).approvals).toEqual({
      passcode: undefined,
      passcodeText: undefined,
      listen: { host: '127.0.0.1', port: 8_765 },
      pageUrl: undefined,
      waitMs: 0,
      formAllowed: true,
      require: { 1: ['elicitation', 'passcode', 'oidc', 'passkey'], 2: ['passkey'] },
      expiresMs: { 1: 900_000, 2: 14_400_000 },
      dwellMs: 3_000,
      notify: [],
      channel: undefined,
      quorum: { count: 1, roles: ['approver'], exclude: [], includeUser: false },
      solo: undefined,
      oidc: undefined,
    });
  });

  verifies('CFG-08', 'takes a passcode string, and no other text', () => {
    expect(configOf(text(`passcode = "${strong}"`)).approvals).toMatchObject({
      passcode: { log2N: 16, p: 2 },
      passcodeText: strong,
    });
    for (const wrong of ['hunter2', '', strong.slice(1), `${strong}$`]) {
      expect(problemsOf(text(`passcode = "${wrong}"`)), wrong).toEqual([
        '7 approvals.passcode: is no passcode string: make one with `intentplane passcode`',
      ]);
    }
    expect(problemsOf(text('passcode = "file:none"'))).toEqual([
      '7 approvals.passcode: the secret file `~/none` cannot be read: create it, or write the value',
    ]);
  });

  it('says that a passcode is hashed weakly', () => {
    const warning =
      '[approvals] passcode is hashed weakly: make a new one with `intentplane passcode`';
    expect(configOf(text(`passcode = "${weak}"`)).warnings).toContain(warning);
    expect(configOf(text(`passcode = "${strong}"`)).warnings).not.toContain(warning);
  });

  it('listens on this computer only', () => {
    const listen = (address: string): unknown =>
      configOf(text(`listen = "${address}"`)).approvals.listen;
    expect(listen('127.0.0.1:0')).toEqual({ host: '127.0.0.1', port: 0 });
    expect(listen('localhost:65535')).toEqual({ host: 'localhost', port: 65_535 });
    expect(listen('[::1]:80')).toEqual({ host: '::1', port: 80 });
    for (const host of ['0.0.0.0', '192.168.1.5', 'example.com', '[::]']) {
      expect(problemsOf(text(`listen = "${host}:80"`)), host).toEqual([
        `7 approvals.listen: \`${host.replace(/[[\]]/g, '')}\` is not this computer: the page listens on 127.0.0.1 only`,
      ]);
    }
    for (const address of ['8765', '127.0.0.1', '127.0.0.1:65536', '::1:80', '127.0.0.1:x', '']) {
      expect(problemsOf(text(`listen = "${address}"`)), address).toEqual([
        `7 approvals.listen: \`${address}\` is no address: write 127.0.0.1:8765`,
      ]);
    }
  });

  it('listens on this computer only, also behind a TLS proxy', () => {
    expect(
      problemsOf(text('listen = "0.0.0.0:80"\npage_url = "https://approve.example.com"')),
    ).toEqual([
      '7 approvals.listen: `0.0.0.0` is not this computer: the page listens on 127.0.0.1 only; let the TLS proxy of `page_url` run here too',
    ]);
  });

  it('lets a level 2 page be open for up to a minute before it takes an approval', () => {
    const dwell = (value: string): unknown => configOf(text(`dwell = ${value}`)).approvals.dwellMs;
    expect([dwell('0'), dwell('"60s"')]).toEqual([0, 60_000]);
    expect(problemsOf(text('dwell = "61s"'))).toEqual(['7 approvals.dwell: must be at most 60s']);
    expect(problemsOf(text('dwell = "soon"'))).toEqual([
      '7 approvals.dwell: must be a time such as 30s, 15m or 12h',
    ]);
  });

  it('holds a call for 45 s at most, and says so', () => {
    expect(configOf(text('wait = 45')).approvals.waitMs).toBe(45_000);
    const config = configOf(text('wait = 300'));
    expect(config.approvals.waitMs).toBe(45_000);
    expect(config.warnings).toContain(
      '[approvals] wait is longer than hosts hold a call: 45 s are used',
    );
    expect(problemsOf(text('wait = 1.5'))).toEqual([
      '7 approvals.wait: must be a whole number from 0 to 2^53-1',
    ]);
  });

  it('lets a request wait from a second to three days', () => {
    const expires = (value: string): unknown =>
      configOf(text(`expires_in = ${value}`)).approvals.expiresMs;
    expect(expires('"1s"')).toEqual({ 1: 1_000, 2: 1_000 });
    expect(expires('{ 1 = "5m" }')).toEqual({ 1: 300_000, 2: 14_400_000 });
    expect(expires('{ 2 = "72h" }')).toEqual({ 1: 900_000, 2: 259_200_000 });
    for (const value of ['"999ms"', '"73h"', '{ 1 = 0 }', '{ 2 = "4d" }']) {
      expect(problemsOf(text(`expires_in = ${value}`)), value).toEqual([
        '7 approvals.expires_in: must be from 1s to 72h',
      ]);
    }
    expect(problemsOf(text('expires_in = "soon"'))).toEqual([
      '7 approvals.expires_in: must be a time such as 15m, or a table of times by level',
    ]);
  });
});
