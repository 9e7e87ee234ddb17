import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PersonRow } from '../../src/core/person.ts';
import type { PendingApproval } from '../../src/gateway/gateway.ts';
import { findBarriers } from '../fixtures/page/axe.ts';
import { describeWithChromium } from '../fixtures/page/describe-with-chromium.ts';
import { keepCode, keepPerson } from '../fixtures/page/sign-in.ts';
import { type GatewayPage, startGatewayPage } from '../fixtures/page/start-gateway-page.ts';
import { passcode } from '../fixtures/page/start-test-page.ts';
import { addAuthenticator } from '../fixtures/page/virtual-authenticator.ts';
import { verifies } from '../requirements/verifies.ts';

const to = 'DE89370400440532013000';

describeWithChromium('people on the page, in a browser', (browser) => {
  let world: GatewayPage;
  let skippedMs: number;
  let contexts: BrowserContext[];
  let ann: PersonRow;
  let bob: PersonRow;
  let terms: { count: number };

  beforeEach(async () => {
    skippedMs = 0;
    contexts = [];
    terms = { count: 1 };
    world = await startGatewayPage(() => Date.now() + skippedMs, terms);
    ann = await keepPerson(world.store, 'ann');
    bob = await keepPerson(world.store, 'bob');
  });
  afterEach(async () => {
    for (const context of contexts) await context.close();
    await world.page.close();
    await world.store.close();
  });

  const urlOf = (path: string): string => `http://localhost:${world.page.port}${path}`;

  /** A computer of its own, with an authenticator of its own. */
  async function computer(): Promise<Page> {
    const context = await browser().newContext({ locale: 'en-GB' });
    contexts.push(context);
    const page = await context.newPage();
    await addAuthenticator(page);
    return page;
  }

  /** Enrols a passkey on a new computer and signs in with it. */
  async function personAt(person: PersonRow): Promise<Page> {
    const page = await computer();
    const code = `CODE-${person.handle}`;
    await keepCode(world.store, person, { code, expiresMs: Date.now() + skippedMs + 600_000 });
    await page.goto(urlOf('/enrol'));
    await page.fill('#code', code);
    await page.click('#make-passkey');
    await page.waitForURL(urlOf('/sign-in'));
    await page.click('#with-passkey');
    await page.waitForURL(urlOf('/'));
    expect(await page.locator('.viewer').textContent()).toBe(person.name);
    return page;
  }

  async function ask(amount: number): Promise<PendingApproval> {
    const answer = await world.pay({ to, amount });
    const pending = answer.kind === 'report' ? answer.report.approval : undefined;
    if (pending === undefined) throw new Error(`not pending: ${JSON.stringify(answer)}`);
    return pending;
  }

  const show = (page: Page, { approvalId }: PendingApproval): Promise<unknown> =>
    page.goto(urlOf(`/a/${approvalId}`));
  const message = (page: Page): Promise<string | null> => page.locator('#message').textContent();
  const state = (page: Page): Promise<string | null> => page.locator('#state').textContent();

  async function readAndType(page: Page): Promise<void> {
    skippedMs += 3_000;
    await page.fill('#typed', '30 00');
  }

  verifies(
    ['APR-11', 'APR-23'],
    'a second person approves with a passkey, and sees what came of it',
    async () => {
      const page = await personAt(ann);
      const pending = await ask(5_000);
      await show(page, pending);
      expect(await page.textContent('main')).toContain('One other person with the role approver.');
      await page.fill('#typed', '3000');
      await page.click('#approve');
      await expect.poll(() => message(page)).toContain('quicker than anybody reads');
      skippedMs += 3_000;
      await page.fill('#typed', '3001');
      await page.click('#approve');
      await expect.poll(() => message(page)).toContain('not the last characters');
      await page.fill('#typed', '3000');
      await page.click('#approve');
      await expect.poll(() => state(page)).toContain('Approved.');
      expect((await world.pay({ to, amount: 5_000 })).kind).toBe('executed');
      await expect.poll(() => state(page), { timeout: 10_000 }).toContain('Executed.');
      expect(await page.textContent('.votes')).toContain('ann of the tests');
      expect(world.effects).toHaveLength(1);
    },
  );

  it('a click on approve twice approves once', async () => {
    const page = await personAt(ann);
    await show(page, await ask(5_000));
    await readAndType(page);
    await page.dblclick('#approve');
    await expect.poll(() => state(page)).toContain('Approved.');
    const leaves = await world.store.readLeaves({ from: 0, count: 200 });
    expect(leaves.filter(({ type }) => type === 'approval.answer')).toHaveLength(1);
  });

  it('rejects with a reason and no passkey; a second tab says that it has ended', async () => {
    const page = await personAt(ann);
    const pending = await ask(5_000);
    await show(page, pending);
    const tab = await page.context().newPage();
    await show(tab, pending);
    await page.fill('#reason', 'not our supplier');
    await page.click('#reject');
    await expect.poll(() => state(page)).toContain('Rejected.');
    await expect.poll(() => state(tab), { timeout: 10_000 }).toContain('Rejected.');
    expect(await tab.locator('#answer').count()).toBe(0);
  });

  it('going back shows the request as it is now and not as it was', async () => {
    const page = await personAt(ann);
    await page.goto(urlOf('/'));
    await show(page, await ask(5_000));
    await page.click('#reject');
    await expect.poll(() => state(page)).toContain('Rejected.');
    await page.goBack();
    await page.goForward();
    expect(await state(page)).toContain('Rejected.');
    expect(await page.locator('#approve').count()).toBe(0);
  });

  it('tells when the request expires while it is read', async () => {
    const page = await personAt(ann);
    const pending = await ask(5_000);
    // Signed in late, so that the session outlives the request.
    skippedMs += pending.expiresMs - Date.now() - skippedMs - 5_000;
    await page.goto(urlOf(`/sign-in/a/${pending.approvalId}`));
    await page.click('#with-passkey');
    await page.waitForURL(urlOf(`/a/${pending.approvalId}`));
    skippedMs += 5_000;
    await page.fill('#typed', '3000');
    await page.click('#approve');
    await expect.poll(() => state(page), { timeout: 10_000 }).toContain('Expired.');
    expect(world.effects).toEqual([]);
  });

  verifies('APR-07', 'shows the user no way to approve what another person has to', async () => {
    const page = await computer();
    await page.goto(urlOf('/sign-in'));
    await page.fill('#person', 'maya');
    await page.fill('#passcode', passcode);
    await page.click('#with-passcode');
    await page.waitForURL(urlOf('/'));
    await show(page, await ask(5_000));
    expect(await page.locator('#approve').count()).toBe(0);
    expect(await page.textContent('#answer')).toContain('Somebody else has to approve this');
    await page.click('#reject');
    await expect.poll(() => state(page)).toContain('Rejected.');
  });

  verifies('APR-11', 'takes no passkey over another operation than the one shown', async () => {
    const page = await personAt(ann);
    const [shown, other] = [await ask(5_000), await ask(5_001)];
    await show(page, shown);
    const challenge = Buffer.from(other.opHash, 'hex').toString('base64url');
    await readAndType(page);
    // What a page that somebody took over would do: show one operation, have another signed.
    await page.evaluate(
      `(() => { const parse = PublicKeyCredential.parseRequestOptionsFromJSON; PublicKeyCredential.parseRequestOptionsFromJSON = (options) => parse.call(PublicKeyCredential, { ...options, challenge: '${challenge}' }); })()`,
    );
    await page.click('#approve');
    await expect.poll(() => message(page)).toContain('This passkey was not accepted.');
    expect(await world.gateway.listPending()).toHaveLength(2);
  });

  verifies('APR-08', 'two approvers answer at two computers, and both are needed', async () => {
    terms.count = 2;
    const annPage = await personAt(ann);
    const bobPage = await personAt(bob);
    const pending = await ask(5_000);
    for (const page of [annPage, bobPage]) await show(page, pending);
    await readAndType(annPage);
    await annPage.click('#approve');
    await expect.poll(() => state(annPage)).toContain('Approved in part.');
    expect(await annPage.locator('#approve').count()).toBe(0);
    // The other page tells it by itself, and keeps what was typed there.
    await bobPage.fill('#typed', '3000');
    await expect.poll(() => state(bobPage), { timeout: 10_000 }).toContain('Approved in part.');
    expect((await world.pay({ to, amount: 5_000 })).kind).toBe('report');
    await bobPage.click('#approve');
    await expect.poll(() => state(bobPage)).toContain('Approved.');
    expect((await world.pay({ to, amount: 5_000 })).kind).toBe('executed');
  });

  verifies('APR-32', 'the user lifts a suspension, with a passcode typed for it', async () => {
    for (const amount of [200, 201, 202]) {
      const { approvalId, opHash } = await ask(amount);
      const given = { approvalId, opHash, verdict: 'reject', person: 'maya' } as const;
      const how = { assurance: 'passcode', channel: 'cli', reason: undefined } as const;
      await world.gateway.answerApproval({ ...given, ...how });
    }
    const page = await computer();
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(urlOf('/'));
    expect(await findBarriers(page, 'suspended-360')).toEqual([]);
    await page.fill('#passcode', 'wrong horse');
    await page.click('#lift-passcode');
    await expect.poll(() => message(page)).toBe('Wrong passcode. Nothing was changed.');
    await page.fill('#passcode', passcode);
    await page.click('#lift-passcode');
    await page.locator('#lift').waitFor({ state: 'detached' });
    expect((await world.pay({ to, amount: 50 })).kind).toBe('executed');
  });

  it('has no barrier on any page, in the light and in the dark, on a phone and on a desk', async () => {
    const page = await personAt(ann);
    const open = await ask(5_000);
    const paths = {
      list: '/',
      'sign-in': '/sign-in',
      enrol: '/enrol',
      request: `/a/${open.approvalId}`,
      fault: '/nothing',
    };
    const barriers: string[] = [];
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const [name, path] of Object.entries(paths)) {
        await page.goto(urlOf(path));
        barriers.push(...(await findBarriers(page, `${name}-${width}`)));
        expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBe(width);
      }
    }
    expect(barriers).toEqual([]);
  });
});
