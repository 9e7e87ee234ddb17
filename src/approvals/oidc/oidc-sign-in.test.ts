import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  CookieBrowser,
  clientId,
  clientSecret,
  type OpenIdProvider,
  type ProviderOptions,
  startOpenIdProvider,
} from '../../../test/fixtures/openid-provider.ts';
import { verifies } from '../../../test/requirements/verifies.ts';
import type { ApprovePurpose, OidcPurpose, OidcSettings } from './oidc-settings.ts';
import { createOidcSignIn, type OidcSignIn } from './oidc-sign-in.ts';

const redirectUri = 'http://localhost:7391/oidc/callback';
const secret = new Uint8Array(32).fill(3);
const approve: ApprovePurpose = {
  kind: 'approve',
  opHash: 'ab'.repeat(32),
  approvalId: '0c'.repeat(16),
  session: '5e'.repeat(32),
};
const signIn: OidcPurpose = { kind: 'sign-in' };

let provider: OpenIdProvider;
let firstRules: OpenIdProvider['rules'];
/** Added to our clock. */
let aheadMs = 0;

beforeAll(async () => {
  provider = await startOpenIdProvider({ redirectUris: [redirectUri] });
  firstRules = { ...provider.rules };
});
beforeEach(() => {
  Object.assign(provider.rules, firstRules);
  aheadMs = 0;
});
afterAll(() => provider.close());

function makeSignIn(changes: Partial<OidcSettings> = {}): OidcSignIn {
  const used = new Set<string>();
  return createOidcSignIn({
    config: {
      issuer: provider.issuer,
      clientId,
      clientSecret,
      acr: undefined,
      amr: [],
      ...changes,
    },
    redirectUri,
    secret,
    useNonce: (nonce) => {
      const isNew = !used.has(nonce);
      used.add(nonce);
      return Promise.resolve(isNew);
    },
    nowMs: () => Date.now() + aheadMs,
  });
}

async function begin(oidc: OidcSignIn, purpose: OidcPurpose) {
  const started = await oidc.begin({ purpose });
  if (!started.ok) throw new Error(`${started.reason} ${started.detail}`);
  return started;
}

/** Goes through the provider with a browser and comes back. */
async function goThrough(oidc: OidcSignIn, purpose: OidcPurpose, browser = new CookieBrowser()) {
  const { url, state } = await begin(oidc, purpose);
  return { state, currentUrl: (await browser.follow(url, redirectUri)).href };
}

async function signInFor(purpose: OidcPurpose, changes: Partial<OidcSettings> = {}) {
  const oidc = makeSignIn(changes);
  return oidc.finish(await goThrough(oidc, purpose));
}

async function withProvider<T>(
  options: Partial<ProviderOptions>,
  use: (other: OpenIdProvider) => Promise<T>,
): Promise<T> {
  const other = await startOpenIdProvider({ redirectUris: [redirectUri], ...options });
  try {
    return await use(other);
  } finally {
    await other.close();
  }
}

const refused = (reason: string) => expect.objectContaining({ ok: false, reason });

describe('sign-in at an OpenID provider', () => {
  verifies('APR-14', 'names the person by issuer and subject', async () => {
    provider.rules.alter = (claims) => ({ ...claims, email: 'boss@example.com' });
    expect(await signInFor(signIn)).toEqual({
      ok: true,
      issuer: provider.issuer,
      subject: 'person-1',
      purpose: signIn,
      authTimeS: undefined,
      acr: undefined,
      amr: ['pwd'],
      idTokenSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('asks for a code with PKCE, state and nonce, and shows nothing of what it keeps', async () => {
    const { url, state } = await begin(makeSignIn({ acr: 'urn:two-factor' }), signIn);
    const asked = Object.fromEntries(new URL(url).searchParams);
    expect(asked).toEqual({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      acr_values: 'urn:two-factor',
    });
    expect(state).toMatch(/^[\w-]{200,2000}$/);
    expect(Buffer.from(state, 'base64url').toString('latin1')).not.toContain(asked['state']);
  });

  it('signs in a client without a secret and one whose secret goes in the body', async () => {
    for (const authMethod of ['none', 'client_secret_post'] as const) {
      const result = await withProvider({ authMethod }, async ({ issuer }) => {
        const key = authMethod === 'none' ? undefined : clientSecret;
        return signInFor(signIn, { issuer, clientSecret: key });
      });
      expect(result).toMatchObject({ ok: true, subject: 'person-1' });
    }
  });

  it('gives the issuer as the provider writes it, with or without a slash in the file', async () => {
    const result = await signInFor(signIn, { issuer: `${provider.issuer}/` });
    expect(result).toMatchObject({ ok: true, issuer: provider.issuer });
  });

  it('reads what the provider says of itself once for many sign-ins', async () => {
    await withProvider({}, async ({ issuer, requests }) => {
      const oidc = makeSignIn({ issuer });
      await Promise.all([begin(oidc, signIn), begin(oidc, signIn)]);
      await begin(oidc, signIn);
      expect(requests).toEqual(['/.well-known/openid-configuration']);
      aheadMs = 3_600_000;
      await begin(oidc, signIn);
      expect(requests).toHaveLength(2);
    });
  });
});

describe('an approval by sign-in', () => {
  verifies('APR-14', 'asks for a new sign-in and takes a fresh one', async () => {
    const oidc = makeSignIn();
    const started = await begin(oidc, approve);
    const asked = new URL(started.url).searchParams;
    expect(asked.get('max_age')).toBe('0');
    expect(asked.get('prompt')).toBe('login');
    const result = await oidc.finish(await goThrough(oidc, approve));
    expect(result).toMatchObject({ ok: true, subject: 'person-1', purpose: approve });
    const { authTimeS = 0 } = result as { authTimeS?: number };
    expect(Math.abs(authTimeS - Date.now() / 1_000)).toBeLessThan(30);
  });

  verifies('APR-14', 'the session at the provider is not enough', async () => {
    const oidc = makeSignIn();
    const browser = new CookieBrowser();
    provider.rules.ageS = 3_000;
    await goThrough(oidc, signIn, browser);
    provider.rules.ageS = 0;
    const result = await oidc.finish(await goThrough(oidc, approve, browser));
    expect(result).toMatchObject({ ok: true, purpose: approve });
    // The same browser asked again, as a provider would that ignores both parameters.
    provider.rules.ageS = 120;
    expect(await oidc.finish(await goThrough(oidc, approve, browser))).toEqual(
      refused('AUTH_TIME_STALE'),
    );
  });

  verifies('APR-14', 'a sign-in older than 60 s by our clock is refused', async () => {
    const oidc = makeSignIn();
    provider.rules.alter = (claims) => ({ ...claims, auth_time: 1_000_000 });
    expect(await oidc.finish(await goThrough(oidc, approve))).toEqual(refused('AUTH_TIME_STALE'));
    provider.rules.alter = undefined;
    const back = await goThrough(oidc, approve);
    aheadMs = 70_000;
    expect(await oidc.finish(back)).toEqual(refused('AUTH_TIME_STALE'));
  });

  verifies('APR-14', 'a time that is missing, of another type or to come is refused', async () => {
    const authTimes: readonly (readonly [unknown, string])[] = [
      [undefined, 'AUTH_TIME_MISSING'],
      ['now', 'TOKEN_INVALID'],
      [-1, 'TOKEN_INVALID'],
      [Date.now() / 1_000 + 0.5, 'TOKEN_INVALID'],
      [Math.floor(Date.now() / 1_000) + 600, 'AUTH_TIME_AHEAD'],
    ];
    for (const [authTime, reason] of authTimes) {
      provider.rules.alter = (claims) => ({ ...claims, auth_time: authTime });
      expect(await signInFor(approve), String(authTime)).toEqual(refused(reason));
    }
  });

  verifies('APR-14', 'the configured acr is demanded', async () => {
    const changes = { acr: 'urn:two-factor' };
    for (const acr of [undefined, 'urn:one-factor']) {
      provider.rules.acr = acr;
      expect(await signInFor(approve, changes)).toEqual(refused('ACR_WRONG'));
      expect(await signInFor(signIn, changes)).toEqual(refused('ACR_WRONG'));
    }
    provider.rules.acr = 'urn:two-factor';
    expect(await signInFor(approve, changes)).toMatchObject({ ok: true, acr: 'urn:two-factor' });
  });

  verifies('APR-14', 'one of the configured methods is demanded', async () => {
    const changes = { amr: ['hwk', 'otp'] };
    expect(await signInFor(approve, changes)).toEqual(refused('AMR_WRONG'));
    provider.rules.alter = (claims) => ({ ...claims, amr: 'otp' });
    expect(await signInFor(approve, changes)).toEqual(refused('AMR_WRONG'));
    provider.rules.alter = undefined;
    provider.rules.amr = ['pwd', 'otp'];
    expect(await signInFor(approve, changes)).toMatchObject({ ok: true, amr: ['pwd', 'otp'] });
  });
});

describe('what comes back', () => {
  verifies('APR-14', 'is taken once', async () => {
    const oidc = makeSignIn();
    const back = await goThrough(oidc, approve);
    expect(await oidc.finish(back)).toMatchObject({ ok: true });
    expect(await oidc.finish(back)).toEqual(refused('STATE_USED'));
    const raced = await goThrough(oidc, approve);
    const results = await Promise.all([oidc.finish(raced), oidc.finish(raced)]);
    expect(results.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
  });

  it('is refused by the provider when the code was used elsewhere', async () => {
    const oidc = makeSignIn();
    const back = await goThrough(oidc, approve);
    expect(await oidc.finish(back)).toMatchObject({ ok: true });
    // Another store, which has not seen the state, meets a code that is used up.
    expect(await makeSignIn().finish(back)).toEqual(refused('CODE_REFUSED'));
  });

  it('belongs to the browser that started', async () => {
    const oidc = makeSignIn();
    const mine = await goThrough(oidc, approve);
    const other = await begin(oidc, approve);
    const foreign = { ...mine, state: other.state };
    expect(await oidc.finish(foreign)).toEqual(refused('STATE_INVALID'));
    for (const state of ['', 'x', `${mine.state}A`, mine.state.slice(2)]) {
      expect(await oidc.finish({ ...mine, state })).toEqual(refused('STATE_INVALID'));
    }
    for (const query of ['', '?code=1', '?state=1&code=1', '?state=&code=1']) {
      const currentUrl = `${redirectUri}${query}`;
      expect(await oidc.finish({ ...mine, currentUrl })).toEqual(refused('STATE_INVALID'));
    }
    const twice = `${mine.currentUrl}&state=${new URL(mine.currentUrl).searchParams.get('state')}`;
    expect(await oidc.finish({ ...mine, currentUrl: twice })).toEqual(refused('STATE_INVALID'));
    expect(await oidc.finish(mine)).toMatchObject({ ok: true });
  });

  it('has to come within 5 minutes', async () => {
    const oidc = makeSignIn();
    const back = await goThrough(oidc, signIn);
    aheadMs = 5 * 60_000;
    expect(await oidc.finish(back)).toEqual(refused('STATE_EXPIRED'));
  });

  it('counts by its query only', async () => {
    const oidc = makeSignIn();
    const back = await goThrough(oidc, signIn);
    const { search } = new URL(back.currentUrl);
    const currentUrl = `https://elsewhere.example/other/path${search}`;
    expect(await oidc.finish({ ...back, currentUrl })).toMatchObject({ ok: true });
  });

  it('is refused when the provider signed nobody in', async () => {
    provider.rules.isDenied = true;
    expect(await signInFor(signIn)).toEqual(refused('PROVIDER_REFUSED'));
  });

  it('is refused when another provider answers', async () => {
    const oidc = makeSignIn();
    const back = await goThrough(oidc, signIn);
    const asked = provider.requests.length;
    for (const issuers of [[], ['http://127.0.0.1:1'], [provider.issuer, provider.issuer]]) {
      const url = new URL(back.currentUrl);
      url.searchParams.delete('iss');
      for (const issuer of issuers) url.searchParams.append('iss', issuer);
      const result = await oidc.finish({ ...back, currentUrl: url.href });
      expect(result).toEqual(refused('ISSUER_MISMATCH'));
    }
    expect(provider.requests).toHaveLength(asked);
  });
});

describe('an ID token', () => {
  it('of another audience, issuer or sign-in is refused', async () => {
    const changes: readonly (readonly [Record<string, unknown>, string])[] = [
      [{ aud: 'somebody-else' }, 'AUDIENCE_WRONG'],
      [{ aud: [clientId, 'somebody-else'] }, 'AUDIENCE_WRONG'],
      [{ azp: 'somebody-else', aud: [clientId, 'x'] }, 'AUDIENCE_WRONG'],
      [{ iss: 'https://elsewhere.example' }, 'ISSUER_MISMATCH'],
      [{ nonce: 'of-another-sign-in' }, 'NONCE_WRONG'],
      [{ nonce: undefined }, 'TOKEN_INVALID'],
      [{ sub: '' }, 'TOKEN_INVALID'],
      [{ sub: 'x'.repeat(256) }, 'TOKEN_INVALID'],
      [{ sub: 7 }, 'TOKEN_INVALID'],
      [{ exp: undefined }, 'TOKEN_INVALID'],
      [{ amr: Array(20).fill('x'.repeat(60)) }, 'TOKEN_INVALID'],
      [{ acr: 'x'.repeat(1_000) }, 'TOKEN_INVALID'],
    ];
    for (const [change, reason] of changes) {
      provider.rules.alter = (claims) => ({ ...claims, ...change });
      expect(await signInFor(signIn), JSON.stringify(change)).toEqual(refused(reason));
    }
  });

  it('that ended is refused, with 30 s for clocks that differ', async () => {
    const nowS = Math.floor(Date.now() / 1_000);
    provider.rules.alter = (claims) => ({ ...claims, exp: nowS - 300 });
    expect(await signInFor(signIn)).toEqual(refused('TOKEN_EXPIRED'));
    provider.rules.alter = (claims) => ({ ...claims, exp: nowS - 5 });
    expect(await signInFor(signIn)).toMatchObject({ ok: true });
    // The clock that the rest of the gateway goes by counts as well.
    aheadMs = 60_000;
    expect(await signInFor(signIn)).toEqual(refused('TOKEN_EXPIRED'));
  });

  it('is refused with a signature of another key and without one', async () => {
    provider.rules.isForged = true;
    expect(await signInFor(signIn)).toEqual(refused('TOKEN_INVALID'));
    Object.assign(provider.rules, { isForged: false, isUnsigned: true });
    expect(await signInFor(signIn)).toEqual(refused('TOKEN_INVALID'));
  });
});

describe('a provider', () => {
  it('that is down refuses everybody, and is asked again at the next sign-in', async () => {
    const other = await startOpenIdProvider({ redirectUris: [redirectUri] });
    const { issuer } = other;
    await other.close();
    const oidc = makeSignIn({ issuer });
    expect(await oidc.begin({ purpose: signIn })).toEqual(refused('ISSUER_UNAVAILABLE'));
    await withProvider({ port: Number(new URL(issuer).port) }, async () => {
      expect(await oidc.finish(await goThrough(oidc, signIn))).toMatchObject({ ok: true });
    });
  });

  it('that goes down in between refuses as well', async () => {
    const other = await startOpenIdProvider({ redirectUris: [redirectUri] });
    const oidc = makeSignIn({ issuer: other.issuer });
    const back = await goThrough(oidc, approve);
    await other.close();
    expect(await oidc.finish(back)).toEqual(refused('ISSUER_UNAVAILABLE'));
  });

  it('that names itself otherwise than it was called is not believed', async () => {
    const issuer = provider.issuer.replace('127.0.0.1', 'localhost');
    const result = await makeSignIn({ issuer }).begin({ purpose: signIn });
    expect(result).toEqual(refused('ISSUER_UNAVAILABLE'));
  });

  it('is not asked over plain HTTP elsewhere, nor by what is no address', async () => {
    for (const issuer of [
      'http://login.example',
      'http://127.0.0.1.example',
      'ftp://x',
      'nothing',
    ]) {
      const result = await makeSignIn({ issuer }).begin({ purpose: signIn });
      expect(result, issuer).toEqual(refused('ISSUER_UNAVAILABLE'));
    }
  });

  it('that does not accept the client refuses with words, which hold no secret', async () => {
    const result = await signInFor(signIn, { clientSecret: 'wrong-secret' });
    expect(result).toEqual(refused('CLIENT_REFUSED'));
    expect(JSON.stringify(result)).not.toContain('wrong-secret');
  });
});
