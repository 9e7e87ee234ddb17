// Cookies and navigations as a real browser handles them: the reason for the design of the routes.
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect } from 'vitest';
import { describeWithChromium } from '../../fixtures/page/describe-with-chromium.ts';
import { approvalId, type OidcPage, startOidcPage } from '../../fixtures/page/start-oidc-page.ts';
import { verifies } from '../../requirements/verifies.ts';

describeWithChromium('sign-in at a provider in a browser', (browser) => {
  let test: OidcPage;
  let page: Page;

  beforeEach(async () => {
    test = await startOidcPage();
    test.provider.rules.hasForm = true;
    page = await (await browser().newContext()).newPage();
  });
  afterEach(async () => {
    await page.context().close();
    await test.close();
  });

  const who = (): Promise<string | null> => page.locator('#who').textContent();

  async function goThrough(link: string, to: string): Promise<void> {
    await page.click(link);
    await page.waitForURL(`${test.provider.issuer}/**`);
    await page.click('button');
    await page.waitForURL(`${test.origin}${to}`);
  }

  const sendAnswer = (): Promise<unknown> =>
    page.evaluate(
      `fetch('/a/${approvalId}/answer', { method: 'POST' }).then((answer) => answer.json())`,
    );

  verifies('APR-14', 'the session starts, and an approval brings its fresh sign-in', async () => {
    await page.goto(`${test.origin}/`);
    expect(await who()).toBe('nobody');
    await goThrough('#sign-in', '/');
    expect(await who()).toBe('somebody');
    await page.goto(`${test.origin}/a/${approvalId}`);
    expect(await sendAnswer()).toEqual({ reason: 'PROOF_MISSING' });
    await goThrough('#prove', `/a/${approvalId}`);
    expect(await who()).toBe('somebody');
    expect(await sendAnswer()).toMatchObject({
      evidence: { kind: 'oidc', issuer: test.provider.issuer, subject: 'person-1' },
    });
  });

  verifies(
    'APR-14',
    'the way back brings the cookie of the sign-in and not the session',
    async () => {
      await page.goto(`${test.origin}/`);
      await goThrough('#sign-in', '/');
      await goThrough('#prove', `/a/${approvalId}`);
      const callbacks = test.seen.filter(({ path }) => path === '/oidc/callback');
      expect(callbacks).toEqual([
        { path: '/oidc/callback', cookies: ['intentplane-signin-test'], site: 'cross-site' },
        { path: '/oidc/callback', cookies: ['intentplane-signin-test'], site: 'cross-site' },
      ]);
      const next = test.seen.filter(({ path }) => path === `/a/${approvalId}`);
      expect(next).toEqual([
        {
          path: `/a/${approvalId}`,
          cookies: expect.arrayContaining(['intentplane-session-test', 'intentplane-proof-test']),
          site: 'same-origin',
        },
      ]);
    },
  );
});
