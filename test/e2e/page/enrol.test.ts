import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enrolmentCodeId } from '../../../src/approvals/enrolment-code.ts';
import type { PersonRow } from '../../../src/core/person.ts';
import { codeOf } from '../../fixtures/page/answer-form.ts';
import type { RawAnswer } from '../../fixtures/page/raw-http.ts';
import { keepCode, keepPerson, send, tokenOn } from '../../fixtures/page/sign-in.ts';
import { passcode, startTestPage, type TestPage } from '../../fixtures/page/start-test-page.ts';
import { createSoftAuthenticator } from '../../fixtures/soft-authenticator.ts';
import { verifies } from '../../requirements/verifies.ts';

const code = 'ABCDE-FGHJK-MNPQR-STVWX';

let test: TestPage;
let ann: PersonRow;
let csrf: string;
beforeEach(async () => {
  test = await startTestPage();
  ann = await keepPerson(test.records, 'ann');
  await keepCode(test.records, ann, { code, expiresMs: test.clock.nowMs + 600_000 });
  csrf = await tokenOn(test, '/enrol');
});
afterEach(() => test.page.close());

interface Asked {
  readonly sealed: string;
  readonly challenge: Uint8Array;
}

async function ask(): Promise<Asked> {
  const { body } = await send(test, '/enrol/passkey', { csrf, code });
  const { sealed, options } = JSON.parse(body) as {
    readonly sealed: string;
    readonly options: { readonly challenge: string };
  };
  return { sealed, challenge: Buffer.from(options.challenge, 'base64url') };
}

const enrol = (body: Readonly<Record<string, unknown>>): Promise<RawAnswer> =>
  send(test, '/enrol', { csrf, code, ...body });

const keys = () => test.records.readRecords({ kind: 'credential', owner: ann.personId });

describe('enrolment with a one-time code', () => {
  verifies('APR-28.15', 'makes a passkey and uses the code up', async () => {
    const { sealed, challenge } = await ask();
    const key = createSoftAuthenticator({ origin: test.origin });
    const passkey = key.register(challenge);
    const answer = await enrol({ sealed, passkey, label: 'phone' });
    expect([answer.status, answer.headers.has('set-cookie')]).toEqual([200, false]);
    const [kept] = await keys();
    expect(JSON.parse(kept?.fields ?? '')).toMatchObject({
      personId: ann.personId,
      rpId: 'localhost',
      label: 'phone',
      status: 'active',
    });
    expect(test.records.leaves).toMatchObject([
      { type: 'person.change', open: { kind: 'credential', change: 'added' } },
    ]);
    const again = await enrol({ passcode });
    expect([again.status, codeOf(again)]).toEqual([403, 'CODE_REFUSED']);
  });

  verifies('APR-28.15', 'takes no other, no old and no half-typed code', async () => {
    for (const typed of ['ABCDE-FGHJK-MNPQR-STVWY', 'ABCDE', ' ', code.slice(1)]) {
      const answer = await enrol({ passcode, code: typed });
      expect([answer.status, codeOf(answer)]).toEqual([403, 'CODE_REFUSED']);
    }
    test.clock.nowMs += 600_000;
    expect(codeOf(await enrol({ passcode }))).toBe('CODE_REFUSED');
    expect(await keys()).toEqual([]);
  });

  verifies('APR-28.15', 'tries codes 20 times a minute', async () => {
    for (let tries = 1; tries <= 20; tries += 1) {
      expect((await enrol({ passcode, code: String(tries) })).status).toBe(403);
    }
    expect((await enrol({ passcode })).status).toBe(429);
  });

  it('reads a code as people type it', () => {
    expect(enrolmentCodeId(' abcde fghjk mnpqr-stvwx ')).toBe(enrolmentCodeId(code));
  });

  it('sets a passcode that signs in, and refuses one that cannot be one', async () => {
    const short = await enrol({ passcode: 'short' });
    expect([short.status, codeOf(short)]).toEqual([400, 'PASSCODE_UNFIT']);
    expect((await enrol({ passcode: 'a long passcode' })).status).toBe(200);
    const body = { csrf: await tokenOn(test, '/sign-in'), person: 'ann' };
    expect((await send(test, '/sign-in', { ...body, passcode })).status).toBe(403);
    expect((await send(test, '/sign-in', { ...body, passcode: 'a long passcode' })).status).toBe(
      200,
    );
  });

  it('keeps the code when the passkey is of another site or of another challenge', async () => {
    const { sealed, challenge } = await ask();
    const elsewhere = createSoftAuthenticator({ origin: 'http://localhost:1' });
    const other = await enrol({ sealed, passkey: elsewhere.register(challenge) });
    expect([other.status, codeOf(other)]).toEqual([403, 'PASSKEY_REFUSED']);
    const key = createSoftAuthenticator({ origin: test.origin });
    const used = await enrol({ sealed, passkey: key.register(challenge) });
    expect(codeOf(used)).toBe('PASSKEY_REFUSED');
    const fresh = await ask();
    const crossed = await enrol({ sealed: fresh.sealed, passkey: key.register(challenge) });
    expect(codeOf(crossed)).toBe('PASSKEY_REFUSED');
    expect(await keys()).toEqual([]);
    const last = await ask();
    const right = await enrol({ sealed: last.sealed, passkey: key.register(last.challenge) });
    expect(right.status).toBe(200);
  });

  it('enrols nobody who was removed, and nothing that was not asked for', async () => {
    expect((await enrol({})).status).toBe(400);
    await keepPerson(test.records, 'ann', { status: 'removed' });
    expect(codeOf(await enrol({ passcode }))).toBe('CODE_REFUSED');
  });
});
