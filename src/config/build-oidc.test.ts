import { describe, expect, it } from 'vitest';
import { base, configOf, problemsOf } from '../../test/fixtures/config-file.ts';
import { verifies } from '../../test/requirements/verifies.ts';

/** The issuer stands in line 7, other keys from line 9 on. */
const text = (lines = '', issuer = 'https://id.example.com/realm'): string =>
  `${base}[http.oidc]\nissuer = "${issuer}"\nclient_id = "gateway"\n${lines}\n`;

describe('[http] oidc', () => {
  it('names a provider and what is asked of it', () => {
    expect(configOf(text()).approvals.oidc).toEqual({
      issuer: 'https://id.example.com/realm',
      clientId: 'gateway',
      clientSecret: undefined,
      acr: undefined,
      amr: [],
    });
    const variables = { OIDC_SECRET: 'hush' };
    const more = `client_secret = "$\{env:OIDC_SECRET}"\nacr = "phr"\namr = ["hwk", "mfa"]`;
    expect(configOf(text(more), { variables }).approvals.oidc).toMatchObject({
      clientSecret: 'hush',
      acr: 'phr',
      amr: ['hwk', 'mfa'],
    });
    expect(configOf(base).approvals.oidc).toBeUndefined();
  });

  verifies('CFG-23', 'has an issuer that nobody on the way can speak for', () => {
    for (const issuer of ['http://127.0.0.1:3000', 'http://[::1]:3000', 'http://localhost/']) {
      expect(configOf(text('', issuer)).approvals.oidc?.issuer).toBe(issuer);
    }
    for (const issuer of [
      '',
      'id.example.com',
      'http://id.example.com',
      'https://a:b@id.example.com',
      'https://id.example.com/?',
      'https://id.example.com#',
    ]) {
      expect(problemsOf(text('', issuer)), issuer).toEqual([
        '7 http.oidc.issuer: must be https://, or http:// on this computer, without user, password, ? and #',
      ]);
    }
  });

  verifies('CFG-23', 'says what is missing or of the wrong form', () => {
    expect(problemsOf(`${base}[http.oidc]\nclient_id = ""`)).toEqual([
      '6 http.oidc.issuer: is missing: add it (a text)',
      '7 http.oidc.client_id: must have at least 1 characters',
    ]);
    expect(problemsOf(text('client_secret = "file:none"'))).toEqual([
      '9 http.oidc.client_secret: the secret file `~/none` cannot be read: create it, or write the value',
    ]);
    expect(problemsOf(text('amr = "mfa"'))).toEqual(['9 http.oidc.amr: must be a list']);
    expect(problemsOf(text('amr = []'))).toEqual(['9 http.oidc.amr: must have at least 1 items']);
    expect(problemsOf(text('acr = ["phr"]'))).toEqual(['9 http.oidc.acr: must be a text']);
    expect(problemsOf(text('scope = "openid"'))).toEqual([
      '9 http.oidc.scope: unknown key `scope`: remove it',
    ]);
  });

  verifies('CFG-03', 'is the only key of [http] that this version has', () => {
    for (const key of ['listen', 'public_url', 'auth', 'tls_cert', 'allowed_hosts']) {
      expect(problemsOf(`${base}[http]\n${key} = "x"`), key).toEqual([
        `7 http.${key}: \`${key}\` is not available in this version: remove it`,
      ]);
    }
  });
});
