import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeWithChromium } from '../../fixtures/page/describe-with-chromium.ts';
import { hostileTexts } from '../../fixtures/page/hostile-texts.ts';
import { passcode, startTestPage, type TestPage } from '../../fixtures/page/start-test-page.ts';
import { verifies } from '../../requirements/verifies.ts';

const longText = 'Please pay to the account below. '.repeat(100);
const bodyValue = { label: 'Body', path: 'body', display: longText, source: '', warnings: ['IDN'] };

describeWithChromium('the page in a browser', (browser) => {
  let test: TestPage;
  let page: Page;
  /** Everything the browser asked for, and everything it complained about. */
  let asked: string[];
  let complaints: string[];

  async function open(options: BrowserContextOptions = {}): Promise<void> {
    const context = await browser().newContext({ locale: 'en-GB', ...options });
    page = await context.newPage();
    asked = [];
    complaints = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (line) => {
      if (line.type() === 'error' || line.type() === 'warning') complaints.push(line.text());
    });
    page.on('dialog', (dialog) => {
      complaints.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
  }

  const show = (id: string): Promise<unknown> => page.goto(test.page.linkOf(id));
  const stateText = (): Promise<string | null> => page.locator('.state').textContent();
  const message = (): Promise<string | null> => page.locator('#message').textContent();

  beforeEach(async () => {
    test = await startTestPage();
    await open();
  });
  afterEach(async () => {
    await page.context().close();
    await test.page.close();
  });

  it('takes an approval and shows what follows', async () => {
    const id = test.requests.open();
    await show(id);
    expect(await page.title()).toBe('Approval request · intentplane');
    await page.fill('#passcode', passcode);
    await page.fill('#reason', 'agreed on the phone');
    await page.click('#approve');
    await page.locator('.state.good').waitFor();
    expect(await stateText()).toContain("The agent's next identical call executes it, once.");
    expect(test.requests.answers).toMatchObject([
      { approvalId: id, verdict: 'approve', assurance: 'passcode', reason: 'agreed on the phone' },
    ]);
    expect(complaints).toEqual([]);
  });

  it('is used by keyboard alone; nothing has the focus and Enter answers nothing', async () => {
    const id = test.requests.open();
    await show(id);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY');
    await page.keyboard.press('Enter');
    const focused = (): Promise<unknown> => page.evaluate('document.activeElement.id');
    for (let tabs = 0; (await focused()) !== 'passcode'; tabs += 1) {
      expect(tabs).toBeLessThan(10);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type(passcode);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('reason');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('approve');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('reject');
    await page.keyboard.press('Enter');
    expect(test.requests.stateOf(id)).toBe('REQUESTED');
    await page.keyboard.press('Space');
    await page.locator('.state.ended').waitFor();
    expect(test.requests.answers).toMatchObject([{ verdict: 'reject' }]);
  });

  it('gives both answers the same size, and fits a phone', async () => {
    const id = test.requests.open({ values: [bodyValue], rest: `{"x":"${'y'.repeat(300)}"}` });
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await show(id);
      const [approve, reject] = [
        await page.locator('#approve').boundingBox(),
        await page.locator('#reject').boundingBox(),
      ];
      expect([approve?.width, approve?.height]).toEqual([reject?.width, reject?.height]);
      expect(approve?.height).toBeGreaterThanOrEqual(44);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
  });

  it('keeps the answers off until a passcode is typed, and tells when it is wrong', async () => {
    const id = test.requests.open();
    await show(id);
    expect(await page.isDisabled('#approve')).toBe(true);
    expect(await page.isDisabled('#reject')).toBe(true);
    for (let failure = 1; failure <= 5; failure += 1) {
      await page.fill('#passcode', 'wrong horse');
      await page.click('#approve');
      await expect.poll(message).toBe('Wrong passcode. Nothing was changed.');
      expect(await page.inputValue('#passcode')).toBe('');
    }
    await page.fill('#passcode', passcode);
    await page.click('#approve');
    await expect.poll(message).toContain('Try again in 60 seconds.');
    expect(test.requests.stateOf(id)).toBe('REQUESTED');
  });

  it('tells when the request has ended meanwhile', async () => {
    const id = test.requests.open();
    await show(id);
    test.requests.move(id, 'CANCELLED');
    await page.fill('#passcode', passcode);
    await page.click('#approve');
    await expect.poll(message).toBe('This request has ended. Nothing was changed.');
    await page.reload();
    expect(await stateText()).toContain('Cancelled.');
    expect(await page.locator('button').count()).toBe(0);
  });

  it('tells when the gateway is gone', async () => {
    await show(test.requests.open());
    await test.page.close();
    await page.fill('#passcode', passcode);
    await page.click('#reject');
    await expect.poll(message).toContain('cannot be reached');
  });

  verifies('APR-21', 'keeps approve off until every long text was opened', async () => {
    const id = test.requests.open({ values: [bodyValue], rest: JSON.stringify(longText) });
    await show(id);
    await page.fill('#passcode', passcode);
    expect(await page.isDisabled('#approve')).toBe(true);
    expect(await page.isDisabled('#reject')).toBe(false);
    expect(await message()).toBe('Open every long text before you approve.');
    const [first, second] = await page.locator('details.long > summary').all();
    await first?.click();
    expect(await page.isDisabled('#approve')).toBe(true);
    await second?.click();
    await expect.poll(() => page.isDisabled('#approve')).toBe(false);
    expect(await page.locator('details.long .text').first().textContent()).toBe(longText);
    await page.click('#approve');
    await page.locator('.state.good').waitFor();
    expect(test.requests.stateOf(id)).toBe('GRANTED');
  });

  it('can be read without script, and says that answering needs it', async () => {
    await page.context().close();
    await open({ javaScriptEnabled: false });
    await show(test.requests.open({ values: [bodyValue] }));
    await page.locator('details.long > summary').click();
    expect(await page.locator('details.long .text').textContent()).toBe(longText);
    expect(await page.isDisabled('#approve')).toBe(true);
    expect(await page.locator('noscript').textContent()).toContain('Answering needs JavaScript');
  });

  it('can be read in the light and in the dark', async () => {
    const id = test.requests.open({
      values: [bodyValue, { ...bodyValue, display: 'a\u200bb' }],
      rest: '{}',
    });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await show(id);
      await page.fill('#passcode', passcode);
      const ratios = await page.evaluate<Record<string, number>>(contrastScript);
      for (const [selector, ratio] of Object.entries(ratios)) {
        expect(ratio, `${colorScheme} ${selector}`).toBeGreaterThanOrEqual(4.5);
      }
      expect(Object.keys(ratios).length).toBeGreaterThan(8);
    }
  });

  verifies('APR-28.8', 'has nothing inline and asks nobody else', async () => {
    const id = test.requests.open({ values: [bodyValue], rest: '{}' });
    await page.goto(test.origin);
    await page.click('ul.requests a');
    await page.locator('#answer').waitFor();
    await page.fill('#passcode', passcode);
    await page.click('#reject');
    await page.locator('.state.ended').waitFor();
    const inline = 'style, [style], script:not([src]), img, iframe, link:not([href^="/"])';
    expect(await page.locator(inline).count()).toBe(0);
    const handlers = `[...document.querySelectorAll('*')].flatMap((node) => node.getAttributeNames()).filter((name) => name.startsWith('on'))`;
    expect(await page.evaluate(handlers)).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(`${test.origin}/`))).toEqual([]);
    const files = [
      'page.css',
      'page.js',
      'answer.js',
      'sign-in.js',
      'enrol.js',
      'lift.js',
      'send.js',
    ];
    const own = ['/', `/a/${id}`, `/a/${id}/answer`, ...files.map((name) => `/${name}`)];
    const paths = asked.map((url) => new URL(url).pathname);
    // Whether the page has looked for news yet is a matter of time.
    expect(new Set(paths.filter((path) => !path.endsWith('/state')))).toEqual(new Set(own));
    expect(complaints).toEqual([]);
  });

  verifies('APR-28.13', 'shows hostile texts as the texts they are', async () => {
    const values = hostileTexts.map((text, at) => ({
      label: text,
      path: `p[${at}]`,
      display: text,
      source: text,
      warnings: [text],
    }));
    const [first = ''] = hostileTexts;
    await show(
      test.requests.open({ values, sentence: first, agent: first, rest: hostileTexts.join() }),
    );
    const foreign = `document.querySelectorAll('main :is(img, svg, iframe, style, base, meta, form, script, title), script:not([src]), #approve ~ #approve').length`;
    expect(await page.evaluate(foreign)).toBe(0);
    expect(await page.locator('button').count()).toBe(2);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    const shown = await page.locator('.value .text').allInnerTexts();
    expect(shown).toHaveLength(hostileTexts.length);
    const plain = (text: string): boolean => !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(text);
    const expected = hostileTexts.map((text, at) => (plain(text) ? text : shown[at]));
    expect(shown).toEqual(expected);
    expect(hostileTexts.filter(plain).length).toBeGreaterThan(100);
    expect(complaints).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(`${test.origin}/`))).toEqual([]);
  });

  verifies('APR-28.3', 'leads from an IP literal to localhost', async () => {
    const id = test.requests.open();
    for (const host of ['127.0.0.1', '[::1]']) {
      await page.goto(`http://${host}:${test.page.port}/a/${id}`);
      expect(page.url()).toBe(test.page.linkOf(id));
    }
  });

  verifies('APR-28.2', 'shows nothing to a name that was pointed at it', async () => {
    const id = test.requests.open();
    const answer = await page.goto(`http://evil.example:${test.page.port}/a/${id}`);
    expect(answer?.status()).toBe(421);
    expect(await page.content()).not.toContain('Nordwind');
    expect(await page.locator('button').count()).toBe(0);
  });

  verifies(
    ['APR-28.4', 'APR-28.5', 'APR-28.7'],
    'gives another site nothing to read, frame or send',
    async () => {
      const id = test.requests.open();
      const link = test.page.linkOf(id);
      const attacker = await startAttacker(link);
      await page.goto(attacker.url);
      const read = `fetch('${link}').then((answer) => answer.text()).catch(() => 'blocked')`;
      expect(await page.evaluate(read)).toBe('blocked');
      for (const type of ['application/json', 'text/plain']) {
        const init = `{ method: 'POST', mode: 'no-cors', headers: { 'Content-Type': '${type}' }, body: '{}' }`;
        await page.evaluate(`fetch('${link}/answer', ${init}).catch(() => undefined)`);
      }
      const frame = page.frames().find((each) => each !== page.mainFrame());
      expect(await frame?.locator('#approve').count()).toBe(0);
      const sent = page.waitForResponse((answer) => answer.url().endsWith('/answer'));
      await page.click('button');
      expect((await sent).status()).toBe(403);
      await attacker.close();
      expect(test.requests.answers).toEqual([]);
      expect(test.requests.stateOf(id)).toBe('REQUESTED');
    },
  );
});

/** A page of another site on this computer that frames ours and posts a form to it. */
async function startAttacker(
  link: string,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const markup = `<!doctype html><title>x</title><iframe src="${link}"></iframe>
<form method="post" enctype="text/plain" action="${link}/answer"><input name='{"verdict":"approve","x":"' value='"}'><button>Go</button></form>`;
  const server: Server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(markup);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Contrast of text to its ground, by selector (WCAG 2 relative luminance). */
const contrastScript = `(() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (color) => {
    const [r, g, b] = rgb(color).map((part) => {
      const share = part / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (node) => {
    for (let at = node; at !== null; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (rgb(color)[3] !== 0) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  const selectors = ['h1', '.hint', '.source', '.source.agent', '.note', '.text', '.hidden', '.digest',
    '.warnings li', '.facts dt', '.long > summary', 'nav a', '.name', '#reject', '#approve', 'input'];
  const rows = selectors.map((selector) => {
    const node = document.querySelector(selector);
    if (node === null) throw new Error(selector);
    const [a, b] = [light(getComputedStyle(node).color), light(ground(node))];
    return [selector, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
  });
  return Object.fromEntries(rows);
})()`;
