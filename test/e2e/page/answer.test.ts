import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, csrfOf, postAnswer } from '../../fixtures/page/answer-form.ts';
import { owner } from '../../fixtures/page/page-requests.ts';
import { sendRaw } from '../../fixtures/page/raw-http.ts';
import { startTestPage, type TestPage } from '../../fixtures/page/start-test-page.ts';
import { verifies } from '../../requirements/verifies.ts';

let test: TestPage;
beforeEach(async () => {
  test = await startTestPage();
});
afterEach(() => test.page.close());

const read = async (id: string): Promise<string> =>
  (await sendRaw(test.page.port, { path: `/a/${id}` })).body;

describe('an answer on the page', () => {
  it('approves as the owner, by passcode, on the page', async () => {
    const id = test.requests.open();
    const answer = await postAnswer(test, id, { body: { reason: 'agreed on the phone' } });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { ok: true, state: 'GRANTED' }]);
    expect(test.requests.answers).toEqual([
      {
        approvalId: id,
        opHash: test.requests.opHashOf(id),
        verdict: 'approve',
        person: owner,
        assurance: 'passcode',
        channel: 'page',
        reason: 'agreed on the phone',
      },
    ]);
    expect(await read(id)).toContain('agent&#39;s next identical call executes it');
  });

  it('rejects an open request, and a granted one before it is used', async () => {
    const id = test.requests.open();
    expect((await postAnswer(test, id, { body: { verdict: 'reject' } })).status).toBe(200);
    expect(test.requests.stateOf(id)).toBe('REJECTED');
    const granted = test.requests.open();
    await postAnswer(test, granted);
    expect((await postAnswer(test, granted, { body: { verdict: 'reject' } })).status).toBe(200);
    expect(test.requests.stateOf(granted)).toBe('REJECTED');
  });

  it('changes nothing with a wrong passcode, and says no more than that', async () => {
    const id = test.requests.open();
    for (const verdict of ['approve', 'reject']) {
      const answer = await postAnswer(test, id, { body: { verdict, passcode: 'wrong horse' } });
      expect([answer.status, codeOf(answer)]).toEqual([403, 'PASSCODE_WRONG']);
    }
    expect(test.requests.answers).toEqual([]);
    expect(test.requests.stateOf(id)).toBe('REQUESTED');
  });

  verifies('APR-13', 'is refused for a while after 5 wrong passcodes', async () => {
    const id = test.requests.open();
    for (let failure = 1; failure <= 5; failure += 1) {
      expect((await postAnswer(test, id, { body: { passcode: 'wrong horse' } })).status).toBe(403);
    }
    const locked = await postAnswer(test, id);
    expect([locked.status, codeOf(locked)]).toEqual([429, 'PASSCODE_LOCKED']);
    expect(locked.headers.get('retry-after')).toBe('60');
    test.clock.nowMs += 60_000;
    expect((await postAnswer(test, id)).status).toBe(200);
  });

  verifies('APR-13', 'is told to wait when two others are being checked', async () => {
    const id = test.requests.open();
    const wrong = { body: { passcode: 'wrong horse' } };
    const tries = await Promise.all([1, 2, 3, 4, 5, 6].map(() => postAnswer(test, id, wrong)));
    const statuses = new Set(tries.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([403, 429]);
  });

  it('is refused with the state when the request has ended', async () => {
    const id = test.requests.open();
    const csrf = await csrfOf(test, id);
    for (const state of ['REJECTED', 'CANCELLED', 'VOIDED', 'CONSUMED', 'EXPIRED'] as const) {
      test.requests.move(id, state);
      for (const verdict of ['approve', 'reject']) {
        const answer = await postAnswer(test, id, { body: { verdict, csrf } });
        expect(answer.status, state).toBe(409);
        expect(JSON.parse(answer.body)).toMatchObject({ code: 'ENDED', state });
      }
    }
    test.requests.move(id, 'GRANTED');
    const again = await postAnswer(test, id);
    expect(JSON.parse(again.body)).toMatchObject({ code: 'ENDED', state: 'GRANTED' });
    expect(test.requests.answers).toEqual([]);
  });

  it('is refused from the expiry instant on', async () => {
    const expiresMs = test.clock.nowMs + 60_000;
    const id = test.requests.open({ expiresMs });
    const csrf = await csrfOf(test, id);
    test.clock.nowMs = expiresMs;
    const answer = await postAnswer(test, id, { body: { csrf } });
    expect(JSON.parse(answer.body)).toMatchObject({ status: 409, code: 'ENDED', state: 'EXPIRED' });
    expect(await read(id)).toContain('Nobody answered in time');
    test.clock.nowMs = expiresMs - 1;
    expect((await postAnswer(test, id, { body: { csrf } })).status).toBe(200);
  });

  it('is refused for another operation than the stored one', async () => {
    const id = test.requests.open();
    const answer = await postAnswer(test, id, { body: { op_hash: 'f'.repeat(64) } });
    expect([answer.status, codeOf(answer)]).toEqual([409, 'EXECUTION_CHANGED']);
    expect(test.requests.stateOf(id)).toBe('REQUESTED');
  });

  it('is refused when the gateway finds that this person may not answer', async () => {
    const id = test.requests.open();
    const refusing = await startTestPage({
      gateway: {
        readPending: (approvalId) => test.requests.readPending(approvalId),
        listPending: () => test.requests.listPending(),
        listDrafts: () => test.requests.listDrafts(),
        liftSuspension: (person) => test.requests.liftSuspension(person),
        status: () => test.requests.status(),
        answerApproval: () =>
          Promise.resolve({ ok: false, code: 'APPROVAL_NOT_ELIGIBLE', state: 'REQUESTED' }),
      },
    });
    const body = { op_hash: test.requests.opHashOf(id) };
    const answer = await postAnswer(refusing, id, { body });
    await refusing.page.close();
    expect([answer.status, codeOf(answer)]).toEqual([403, 'APPROVAL_NOT_ELIGIBLE']);
  });

  it('is refused in every other shape', async () => {
    const id = test.requests.open();
    const shapes: readonly Readonly<Record<string, unknown>>[] = [
      { verdict: 'yes' },
      { verdict: undefined },
      { verdict: ['approve'] },
      { passcode: undefined },
      { passcode: 12_345_678 },
      { op_hash: undefined },
      { op_hash: 'F'.repeat(64) },
      { csrf: undefined },
      { reason: 'x'.repeat(501) },
      { reason: 'two\nlines' },
      { reason: null },
      { opened: 'all' },
      { opened: ['x'] },
      { level: 1 },
    ];
    for (const body of shapes) {
      const answer = await postAnswer(test, id, { body });
      expect([answer.status, codeOf(answer)], JSON.stringify(body)).toEqual([400, 'BAD_REQUEST']);
    }
    expect(test.requests.stateOf(id)).toBe('REQUESTED');
    expect((await postAnswer(test, id, { body: { reason: 'x'.repeat(500) } })).status).toBe(200);
  });

  verifies('APR-21', 'approves a long text only when it was opened', async () => {
    const display = 'The whole text. '.repeat(200);
    const value = { label: 'Body', path: 'body', display, source: '', warnings: [] };
    const id = test.requests.open({ values: [value], rest: JSON.stringify(display) });
    const texts = [...(await read(id)).matchAll(/data-text="(\w+)"/g)].map(([, text]) => text);
    expect(texts).toHaveLength(2);
    for (const opened of [undefined, [], texts.slice(1), ['0'.repeat(16), '1'.repeat(16)]]) {
      const answer = await postAnswer(test, id, { body: { opened } });
      expect([answer.status, codeOf(answer)]).toEqual([409, 'PREVIEW_INCOMPLETE']);
    }
    expect(test.requests.stateOf(id)).toBe('REQUESTED');
    expect((await postAnswer(test, id, { body: { opened: texts } })).status).toBe(200);
    const other = test.requests.open({ values: [value] });
    expect((await postAnswer(test, other, { body: { verdict: 'reject' } })).status).toBe(200);
  });

  verifies('APR-17', 'is never given by opening a link', async () => {
    const id = test.requests.open();
    const query = 'verdict=approve&passcode=correct%20horse';
    for (const method of ['GET', 'HEAD']) {
      for (const path of ['/', `/a/${id}`, `/a/${id}?${query}`]) {
        const { status, body } = await sendRaw(test.page.port, { method, path });
        expect([status, body === ''], path).toEqual([200, method === 'HEAD']);
      }
      const answer = await sendRaw(test.page.port, { method, path: `/a/${id}/answer?${query}` });
      expect(answer.status).toBe(405);
    }
    expect(test.requests.answers).toEqual([]);
    expect(test.requests.stateOf(id)).toBe('REQUESTED');
  });
});
