import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatPasscodeString } from '../../../src/approvals/passcode-rules.ts';
import { oneApprover } from '../../../src/core/checks/quorum.ts';
import { readPeople } from '../../../src/core/person.ts';
import { codeOf, scriptHeaders } from '../../fixtures/page/answer-form.ts';
import { owner } from '../../fixtures/page/page-requests.ts';
import { type RawAnswer, sendRaw } from '../../fixtures/page/raw-http.ts';
import {
  cookieOf,
  keepPasskey,
  keepPerson,
  send,
  signInAs,
  tokenOn,
} from '../../fixtures/page/sign-in.ts';
import {
  passcode,
  startTestPage,
  type TestPage,
  testPasscode,
} from '../../fixtures/page/start-test-page.ts';
import { createSoftAuthenticator } from '../../fixtures/soft-authenticator.ts';
import { verifies } from '../../requirements/verifies.ts';

const minuteMs = 60_000;

let test: TestPage;
beforeEach(async () => {
  test = await startTestPage();
  const string = formatPasscodeString(await testPasscode());
  await keepPerson(test.records, 'ann', { passcode: string });
  await keepPerson(test.records, 'bob', { passcode: string });
  await keepPerson(test.records, 'eve', { passcode: string, roles: [] });
  test.requests.people = readPeople(await test.records.readRecords({ kind: 'person' }));
});
afterEach(() => test.page.close());

const levelTwo = { level: 2, terms: oneApprover } as const;
const get = (path: string, cookie?: string): Promise<RawAnswer> =>
  sendRaw(test.page.port, { path, headers: { Cookie: cookie } });
const isSignedIn = async (cookie: string): Promise<boolean> =>
  (await get('/', cookie)).body.includes('id="sign-out"');

async function answerOf(
  id: string,
  cookie: string | undefined,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<RawAnswer> {
  const csrf = await tokenOn(test, `/a/${id}`, cookie);
  const body = { verdict: 'reject', op_hash: test.requests.opHashOf(id), csrf, ...changes };
  return send(test, `/a/${id}/answer`, body, cookie);
}

describe('a session', () => {
  verifies('APR-28.9', 'is a cookie that scripts and other sites cannot use', async () => {
    const csrf = await tokenOn(test, '/sign-in');
    const answer = await send(test, '/sign-in', { csrf, person: 'ann', passcode });
    expect(answer.headers.get('set-cookie')).toMatch(
      /^intentplane-session-[0-9a-f]{16}=[\w-]{43}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/,
    );
    expect((await get('/', cookieOf(answer))).body).toContain('ann of the tests');
  });

  verifies(
    'APR-28.9',
    'ends after 15 minutes without use and after 8 hours in any case',
    async () => {
      const idle = await signInAs(test, 'ann');
      test.clock.nowMs += 15 * minuteMs - 1;
      expect(await isSignedIn(idle)).toBe(true);
      test.clock.nowMs += 15 * minuteMs;
      expect(await isSignedIn(idle)).toBe(false);
      const used = await signInAs(test, 'ann');
      const endMs = test.clock.nowMs + 8 * 60 * minuteMs;
      for (; test.clock.nowMs + 10 * minuteMs < endMs; test.clock.nowMs += 10 * minuteMs) {
        expect(await isSignedIn(used)).toBe(true);
      }
      test.clock.nowMs = endMs;
      expect(await isSignedIn(used)).toBe(false);
    },
  );

  verifies('APR-28.9', 'is not kept open by a page that looks for news by itself', async () => {
    const id = test.requests.open();
    const cookie = await signInAs(test, 'ann');
    for (let at = 0; at < 14; at += 1) {
      test.clock.nowMs += minuteMs;
      expect((await get(`/a/${id}/state`, cookie)).status).toBe(200);
    }
    test.clock.nowMs += minuteMs;
    expect(await isSignedIn(cookie)).toBe(false);
  });

  verifies('APR-28.9', 'gets a new id at each sign-in, and the old one is over', async () => {
    const first = await signInAs(test, 'ann');
    const second = await signInAs(test, 'ann', first);
    expect(second).not.toBe(first);
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true]);
    const name = first.split('=')[0] ?? '';
    const planted = `${name}=${'A'.repeat(43)}`;
    const own = await signInAs(test, 'ann', planted);
    expect(own).not.toBe(planted);
    expect(await isSignedIn(planted)).toBe(false);
  });

  verifies('APR-28.9', 'of another gateway on another port counts for nothing', async () => {
    const other = await startTestPage({
      records: test.records,
      secret: new Uint8Array(32).fill(9),
    });
    const cookie = await signInAs(test, 'ann');
    const { body } = await sendRaw(other.page.port, { path: '/', headers: { Cookie: cookie } });
    await other.page.close();
    expect(body).not.toContain('id="sign-out"');
    expect(await isSignedIn(`${cookie}; ${cookie}`)).toBe(false);
  });

  verifies('APR-28.17', 'is no token of an agent: a bearer of one is nobody here', async () => {
    const id = test.requests.open(levelTwo);
    const csrf = await tokenOn(test, `/a/${id}`);
    const cookie = await signInAs(test, 'ann');
    for (const token of ['agent-token', cookie.split('=')[1] ?? '']) {
      const answer = await sendRaw(test.page.port, {
        method: 'POST',
        path: `/a/${id}/answer`,
        body: JSON.stringify({ verdict: 'reject', op_hash: test.requests.opHashOf(id), csrf }),
        headers: { ...scriptHeaders(test), Authorization: `Bearer ${token}` },
      });
      expect([answer.status, codeOf(answer)]).toEqual([400, 'BAD_REQUEST']);
    }
    expect(test.requests.stateOf(id)).toBe('REQUESTED');
  });

  it('is in the store by its hash only, and ends with its person', async () => {
    const cookie = await signInAs(test, 'ann');
    const id = cookie.split('=')[1] ?? '';
    const kept = JSON.stringify(await test.records.readRecords({ kind: 'session' }));
    expect(kept).not.toContain(id);
    await keepPerson(test.records, 'ann', { status: 'removed' });
    expect(await isSignedIn(cookie)).toBe(false);
  });

  it('ends at the sign-out, with its own token only', async () => {
    const cookie = await signInAs(test, 'ann');
    const others = await tokenOn(test, '/', await signInAs(test, 'bob'));
    expect((await send(test, '/sign-out', { csrf: others }, cookie)).status).toBe(403);
    expect(await isSignedIn(cookie)).toBe(true);
    const csrf = await tokenOn(test, '/', cookie);
    const answer = await send(test, '/sign-out', { csrf }, cookie);
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([
      200,
      expect.stringContaining('Max-Age=0'),
    ]);
    expect(await isSignedIn(cookie)).toBe(false);
  });
});

describe('signing in', () => {
  it('says the same to an unknown name, a wrong passcode and a locked person', async () => {
    const csrf = await tokenOn(test, '/sign-in');
    const wrong = { csrf, person: 'ann', passcode: 'wrong horse' };
    const answers = [await send(test, '/sign-in', { ...wrong, person: 'nobody' })];
    for (let failure = 1; failure <= 5; failure += 1)
      answers.push(await send(test, '/sign-in', wrong));
    answers.push(await send(test, '/sign-in', { ...wrong, passcode }));
    const { body } = answers[0] ?? { body: '' };
    for (const answer of answers) expect([answer.status, answer.body]).toEqual([403, body]);
    test.clock.nowMs += minuteMs;
    expect((await send(test, '/sign-in', { ...wrong, passcode })).status).toBe(200);
  });

  verifies('APR-28.11', 'is tried 20 times a minute by everybody together', async () => {
    const csrf = await tokenOn(test, '/sign-in');
    const assertion = createSoftAuthenticator().assert(new Uint8Array(32));
    for (let tries = 1; tries <= 20; tries += 1) {
      const answer = await send(test, '/sign-in', { csrf, sealed: 'x', assertion });
      expect(answer.status).toBe(403);
    }
    const more = await send(test, '/sign-in', { csrf, person: 'ann', passcode });
    expect([more.status, codeOf(more), more.headers.get('retry-after')]).toEqual([
      429,
      'TOO_MANY_TRIES',
      '60',
    ]);
  });

  it('takes a passkey over a challenge that works once', async () => {
    const { origin } = test;
    const key = createSoftAuthenticator({ origin });
    await keepPasskey(test.records, await keepPerson(test.records, 'ann'), key);
    const csrf = await tokenOn(test, '/sign-in');
    const asked = await send(test, '/sign-in/passkey', { csrf });
    const { sealed, options } = JSON.parse(asked.body) as {
      readonly sealed: string;
      readonly options: { readonly challenge: string };
    };
    expect(options).toEqual({
      challenge: expect.any(String),
      rpId: 'localhost',
      timeout: 120_000,
      userVerification: 'required',
    });
    const assertion = key.assert(Buffer.from(options.challenge, 'base64url'));
    const body = { csrf, sealed, assertion };
    const answer = await send(test, '/sign-in', body);
    expect(answer.status).toBe(200);
    expect(await isSignedIn(cookieOf(answer))).toBe(true);
    expect((await send(test, '/sign-in', body)).status).toBe(403);
  });

  verifies('APR-28.4', 'takes nothing that a script of the page did not send', async () => {
    const csrf = await tokenOn(test, '/sign-in');
    for (const path of ['/sign-in', '/sign-in/passkey', '/sign-out', '/enrol', '/enrol/passkey']) {
      for (const [status, headers] of [
        [403, { Origin: 'http://evil.example' }],
        [403, { 'Sec-Fetch-Site': 'same-site' }],
        [415, { 'Content-Type': 'text/plain' }],
      ] as const) {
        const answer = await sendRaw(test.page.port, {
          method: 'POST',
          path,
          body: JSON.stringify({ csrf, person: 'ann', passcode }),
          headers: { ...scriptHeaders(test), ...headers },
        });
        expect(answer.status, path).toBe(status);
        expect(answer.headers.has('set-cookie')).toBe(false);
      }
    }
    const form = await send(test, '/sign-in', { csrf: '1.x', person: 'ann', passcode });
    expect([form.status, codeOf(form)]).toEqual([403, 'FORBIDDEN']);
  });
});

describe('an answer in a session', () => {
  it('rejects without anything more, as the person who is signed in', async () => {
    const id = test.requests.open(levelTwo);
    const answer = await answerOf(id, await signInAs(test, 'ann'), { reason: 'not ours' });
    expect(JSON.parse(answer.body)).toEqual({ ok: true, state: 'REJECTED' });
    expect(test.requests.answers).toMatchObject([
      { person: 'ann', verdict: 'reject', assurance: 'passcode', reason: 'not ours' },
    ]);
  });

  it('approves with the passcode of that person, typed for this operation', async () => {
    const id = test.requests.open();
    const cookie = await signInAs(test, owner);
    const bare = await answerOf(id, cookie, { verdict: 'approve' });
    expect([bare.status, codeOf(bare)]).toEqual([400, 'BAD_REQUEST']);
    const wrong = await answerOf(id, cookie, { verdict: 'approve', passcode: 'wrong horse' });
    expect(codeOf(wrong)).toBe('PASSCODE_WRONG');
    const right = await answerOf(id, cookie, { verdict: 'approve', passcode });
    expect(JSON.parse(right.body)).toEqual({ ok: true, state: 'GRANTED' });
  });

  verifies('APR-28.4', 'needs the token of that session', async () => {
    const id = test.requests.open(levelTwo);
    const ann = await signInAs(test, 'ann');
    const bob = await signInAs(test, 'bob');
    for (const csrf of [await tokenOn(test, `/a/${id}`, bob), await tokenOn(test, `/a/${id}`)]) {
      const answer = await answerOf(id, ann, { csrf });
      expect([answer.status, codeOf(answer)]).toEqual([403, 'FORBIDDEN']);
    }
    expect(test.requests.stateOf(id)).toBe('REQUESTED');
  });

  verifies('APR-07', 'is only taken from a person who is asked', async () => {
    const id = test.requests.open(levelTwo);
    const eve = await signInAs(test, 'eve');
    expect((await get(`/a/${id}`, eve)).body).not.toContain('<button type="button" id="reject"');
    const answer = await answerOf(id, eve, { csrf: await tokenOn(test, `/a/${id}`, eve) });
    expect(answer.status).toBe(403);
    expect(test.requests.stateOf(id)).toBe('REQUESTED');
  });

  it('at level 2 is never given without one', async () => {
    const id = test.requests.open(levelTwo);
    const answer = await answerOf(id, undefined, { verdict: 'approve', passcode });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'SIGN_IN_NEEDED']);
  });
});

describe('measures at level 2', () => {
  const approve = { verdict: 'approve', passcode, typed: '3000' };

  verifies('APR-23', 'take no approval before the page was open for 3 s', async () => {
    const id = test.requests.open(levelTwo);
    const cookie = await signInAs(test, 'ann');
    const csrf = await tokenOn(test, `/a/${id}`, cookie);
    test.clock.nowMs += 2_999;
    const hasty = await answerOf(id, cookie, { ...approve, csrf });
    expect([hasty.status, codeOf(hasty)]).toEqual([409, 'TOO_FAST']);
    test.clock.nowMs += 1;
    expect(JSON.parse((await answerOf(id, cookie, { ...approve, csrf })).body)).toMatchObject({
      state: 'GRANTED',
    });
  });

  verifies('APR-23', 'end the session, not the request, after three wrong ends', async () => {
    const id = test.requests.open(levelTwo);
    const cookie = await signInAs(test, 'ann');
    const csrf = await tokenOn(test, `/a/${id}`, cookie);
    test.clock.nowMs += 3_000;
    const codes: unknown[] = [];
    for (const typed of ['300', '', '3001']) {
      codes.push(codeOf(await answerOf(id, cookie, { ...approve, csrf, typed })));
    }
    expect(codes).toEqual(['TYPED_WRONG', 'TYPED_WRONG', 'SESSION_ENDED']);
    expect(await isSignedIn(cookie)).toBe(false);
    expect(test.requests.stateOf(id)).toBe('REQUESTED');
  });
});

describe('a suspended mandate', () => {
  const lift = (csrf: string, cookie?: string): Promise<RawAnswer> =>
    send(test, '/mandate/resume', { csrf, passcode }, cookie);

  verifies('APR-32', 'is lifted by its principal, with a passcode of this moment', async () => {
    expect((await get('/')).body).not.toContain('Suspended');
    test.requests.mandate = 'suspended';
    const cookie = await signInAs(test, owner);
    const csrf = await tokenOn(test, '/', cookie);
    const wrong = await send(test, '/mandate/resume', { csrf, passcode: 'wrong horse' }, cookie);
    expect(codeOf(wrong)).toBe('PASSCODE_WRONG');
    expect((await send(test, '/mandate/resume', { csrf }, cookie)).status).toBe(400);
    expect((await lift(csrf)).status).toBe(403);
    expect((await lift(csrf, cookie)).status).toBe(200);
    expect(test.requests.lifted).toEqual([owner]);
    expect((await lift(csrf, cookie)).status).toBe(409);
  });

  verifies('APR-32', 'is lifted by nobody else', async () => {
    test.requests.mandate = 'suspended';
    const ann = await signInAs(test, 'ann');
    expect((await get('/', ann)).body).toContain('until the principal lifts it');
    const own = await tokenOn(test, '/', await signInAs(test, owner));
    for (const csrf of [await tokenOn(test, '/', ann), own]) {
      expect((await lift(csrf, ann)).status).toBe(403);
    }
    expect(test.requests.lifted).toEqual([]);
  });
});

describe('the page for other computers', () => {
  const host = 'approvals.example';
  const remote = { Host: host, Origin: `https://${host}` };

  verifies('APR-30', 'shows nothing to whoever is not signed in, whatever the id', async () => {
    const page = await startTestPage({ pageUrl: `https://${host}`, records: test.records });
    const { port } = page.page;
    const id = page.requests.open();
    const bodies: string[] = [];
    for (const path of ['/', `/a/${id}`, `/a/${'f'.repeat(32)}`]) {
      const { status, body } = await sendRaw(port, { path, headers: remote });
      expect([status, body.includes('id="sign-in"'), body.includes('Nordwind')]).toEqual([
        200,
        true,
        false,
      ]);
      bodies.push(body);
    }
    for (const at of [id, 'f'.repeat(32)]) {
      const state = await sendRaw(port, { path: `/a/${at}/state`, headers: remote });
      expect([state.status, codeOf(state)]).toEqual([403, 'SIGN_IN_NEEDED']);
    }
    const csrf = /data-csrf="([^"]+)"/.exec(bodies[0] ?? '')?.[1];
    const signedIn = await sendRaw(port, {
      method: 'POST',
      path: '/sign-in',
      body: JSON.stringify({ csrf, person: 'ann', passcode }),
      headers: { ...scriptHeaders(page), ...remote },
    });
    expect(signedIn.headers.get('set-cookie')).toMatch(/^__Host-intentplane-session-.*; Secure$/);
    expect(signedIn.headers.get('strict-transport-security')).toBe('max-age=31536000');
    // Level 1 is for its principal alone: to Ann it does not exist.
    const cookie = cookieOf(signedIn);
    const found = await sendRaw(port, { path: `/a/${id}`, headers: { ...remote, Cookie: cookie } });
    expect(found.status).toBe(404);
    await page.page.close();
  });
});
