import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CookieBrowser } from '../../test/fixtures/openid-provider.ts';
import { type RawAnswer, sendRaw } from '../../test/fixtures/page/raw-http.ts';
import {
  approvalId,
  type OidcPage,
  startOidcPage,
} from '../../test/fixtures/page/start-oidc-page.ts';
import { verifies } from '../../test/requirements/verifies.ts';

const own = { 'Sec-Fetch-Site': 'same-origin' };

describe('sign-in routes', () => {
  let page: OidcPage;
  /** Cookies of the browser, by name. */
  let jar: Map<string, string>;

  beforeEach(async () => {
    page = await startOidcPage();
    jar = new Map();
  });
  afterEach(() => page.close());

  async function get(path: string, headers: Readonly<Record<string, string>> = {}) {
    return send('GET', path, headers);
  }

  async function send(method: string, path: string, headers: Readonly<Record<string, string>>) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`http://127.0.0.1:${page.port}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...headers, cookie },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const body = await response.text();
    return { status: response.status, headers: response.headers, body };
  }

  /** Start, provider and the way back, up to the address of the callback. */
  async function goThrough(start: string): Promise<string> {
    const started = await get(start, own);
    expect(started.status).toBe(303);
    const back = await new CookieBrowser().follow(
      started.headers.get('location') ?? '',
      `${page.origin}/oidc/callback`,
    );
    return `${back.pathname}${back.search}`;
  }

  async function signIn(): Promise<void> {
    expect((await get(await goThrough('/oidc/start'))).status).toBe(200);
  }

  const prove = (): Promise<string> => goThrough(`/oidc/start?approval=${approvalId}`);
  const sendAnswer = async (): Promise<unknown> =>
    JSON.parse((await send('POST', `/a/${approvalId}/answer`, own)).body);

  it('sign a person in and go on with a page of their own', async () => {
    const back = await goThrough('/oidc/start');
    const { status, headers, body } = await get(back);
    expect(status).toBe(200);
    expect(headers.get('refresh')).toBe('0; url=/');
    expect(headers.get('location')).toBeNull();
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^intentplane-session-test=.*HttpOnly; SameSite=Strict$/),
      'intentplane-signin-test=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(body).not.toContain('person-1');
  });

  it('go back to the request that somebody looked at', async () => {
    const { headers } = await get(await goThrough(`/oidc/start?return=${approvalId}`));
    expect(headers.get('refresh')).toBe(`0; url=/a/${approvalId}`);
    expect(headers.getSetCookie()[0]).toMatch(/^intentplane-session-test=/);
  });

  it('keep what a sign-in has to remember in a cookie that comes back from the provider', async () => {
    const { headers } = await get('/oidc/start', { 'Sec-Fetch-Site': 'none' });
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^intentplane-signin-test=[\w-]+; Path=\/; Max-Age=300; HttpOnly; SameSite=Lax$/,
      ),
    ]);
  });

  verifies(
    ['APR-14', 'APR-17'],
    'the way back decides nothing; the answer brings the proof',
    async () => {
      await signIn();
      const { status, headers } = await get(await prove());
      expect(status).toBe(200);
      expect(headers.get('refresh')).toBe(`0; url=/a/${approvalId}`);
      expect(headers.getSetCookie()[0]).toMatch(
        /^intentplane-proof-test=[\w-]+; Path=\/; Max-Age=60; HttpOnly; SameSite=Strict$/,
      );
      expect(await sendAnswer()).toEqual({
        evidence: {
          kind: 'oidc',
          issuer: page.provider.issuer,
          subject: 'person-1',
          auth_time: expect.any(Number),
          amr: 'pwd',
          id_token_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      });
      page.provider.rules.accountId = 'person-2';
      await get(await prove());
      expect(await sendAnswer()).toEqual({ reason: 'SUBJECT_WRONG' });
      page.provider.rules.accountId = 'person-1';
      await get(await prove());
      page.rules.aheadMs = 61_000;
      expect(await sendAnswer()).toEqual({ reason: 'PROOF_EXPIRED' });
    },
  );

  verifies(
    'APR-14',
    'a sign-in without a fresh one is no proof, nor is one of another session',
    async () => {
      await signIn();
      expect(await sendAnswer()).toEqual({ reason: 'PROOF_MISSING' });
      await get(await prove());
      await signIn();
      expect(await sendAnswer()).toEqual({ reason: 'PROOF_MISSING' });
      jar.set('intentplane-proof-test', jar.get('intentplane-session-test') ?? '');
      expect(await sendAnswer()).toEqual({ reason: 'PROOF_MISSING' });
    },
  );

  verifies('APR-14', 'an account of nobody opens no session', async () => {
    page.provider.rules.accountId = 'person-2';
    const { status, headers, body } = await get(await goThrough('/oidc/start'));
    expect(status).toBe(403);
    expect(body).toContain('SUBJECT_UNKNOWN');
    expect(headers.getSetCookie()).toHaveLength(1);
    expect(jar.get('intentplane-session-test')).toBeUndefined();
    expect(page.logged.join()).not.toContain('person-2');
  });

  it('are not started by another site, and for an approval by a page of ours only', async () => {
    await signIn();
    const approval = `/oidc/start?approval=${approvalId}`;
    const refused: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      ['/oidc/start', {}],
      ['/oidc/start', { 'Sec-Fetch-Site': 'cross-site' }],
      ['/oidc/start', { 'Sec-Fetch-Site': 'same-site' }],
      [approval, {}],
      [approval, { 'Sec-Fetch-Site': 'none' }],
      [approval, { 'Sec-Fetch-Site': 'cross-site' }],
    ];
    for (const [path, headers] of refused) {
      const { status, headers: answered } = await get(path, headers);
      expect(status, `${path} ${JSON.stringify(headers)}`).toBe(403);
      expect(answered.getSetCookie()).toEqual([]);
    }
    expect((await get(approval, own)).status).toBe(303);
  });

  it('need a session for an approval, and a request that is there', async () => {
    expect((await get(`/oidc/start?approval=${approvalId}`, own)).status).toBe(403);
    await signIn();
    expect((await get(`/oidc/start?approval=${'0d'.repeat(16)}`, own)).status).toBe(404);
    for (const query of [
      '?approval=x',
      '?approval=',
      '?return=/x',
      '?next=/',
      `?approval=${approvalId}&a=b`,
    ]) {
      expect((await get(`/oidc/start${query}`, own)).status, query).toBe(400);
    }
  });

  it('are GET alone: a preview by HEAD starts and uses up nothing', async () => {
    const back = await goThrough('/oidc/start');
    for (const path of ['/oidc/start', back]) {
      for (const method of ['HEAD', 'POST']) {
        const { status, headers } = await send(method, path, own);
        expect(status).toBe(405);
        expect(headers.get('allow')).toBe('GET');
        expect(headers.getSetCookie()).toEqual([]);
      }
    }
    expect((await get(back)).status).toBe(200);
  });

  verifies('APR-14', 'the way back is taken once, in the browser that started', async () => {
    const back = await goThrough('/oidc/start');
    const flow = jar.get('intentplane-signin-test') ?? '';
    const elsewhere = await sendRaw(page.port, { path: back });
    expect(elsewhere).toMatchObject({
      status: 403,
      body: expect.stringContaining('STATE_INVALID'),
    });
    expect((await get(back)).status).toBe(200);
    const again: RawAnswer = await sendRaw(page.port, {
      path: back,
      headers: { Cookie: `intentplane-signin-test=${flow}` },
    });
    expect(again).toMatchObject({ status: 403, body: expect.stringContaining('STATE_USED') });
    expect(again.headers.get('set-cookie')).toMatch(/^intentplane-signin-test=; /);
  });

  it('say so when the provider is down', async () => {
    await page.provider.close();
    const { status, body } = await get('/oidc/start', own);
    expect(status).toBe(503);
    expect(body).toContain('ISSUER_UNAVAILABLE');
    expect(body).not.toContain(page.provider.issuer);
    expect(page.logged.join()).toContain('ISSUER_UNAVAILABLE');
  });

  it('take as many tries as the page has left for everybody', async () => {
    const back = await goThrough('/oidc/start');
    page.rules.triesLeft = 0;
    expect((await get(back)).status).toBe(429);
    page.rules.triesLeft = 1;
    expect((await get(back)).status).toBe(200);
  });

  it('show no text of whoever made the address', async () => {
    const { headers } = await get('/oidc/start', own);
    const state = new URL(headers.get('location') ?? '').searchParams.get('state');
    const query = `state=${state}&error=%3Cscript%3E&error_description=%3Cb%3Ehello&iss=${page.provider.issuer}`;
    const { status, body } = await get(`/oidc/callback?${query}`);
    expect(status).toBe(403);
    expect(body).toContain('PROVIDER_REFUSED');
    expect(body).not.toContain('hello');
    expect(page.logged.join()).not.toMatch(/script|hello/);
  });
});
