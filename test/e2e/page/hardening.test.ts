import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, csrfOf, postAnswer, scriptHeaders } from '../../fixtures/page/answer-form.ts';
import { hostileTexts } from '../../fixtures/page/hostile-texts.ts';
import {
  openSocket,
  type RawAnswer,
  readAll,
  sendBytes,
  sendRaw,
} from '../../fixtures/page/raw-http.ts';
import { passcode, startTestPage, type TestPage } from '../../fixtures/page/start-test-page.ts';
import { verifies } from '../../requirements/verifies.ts';

let test: TestPage;
let id: string;

beforeAll(async () => {
  test = await startTestPage();
  id = test.requests.open();
});
afterAll(() => test.page.close());

const get = (
  path: string,
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<RawAnswer> => sendRaw(test.page.port, { path, headers });

/** One answer of each kind that the page gives. */
async function everyAnswer(): Promise<readonly RawAnswer[]> {
  const { port } = test.page;
  const address = `127.0.0.1:${port}`;
  return [
    await get('/'),
    await get(`/a/${id}`),
    await get('/page.css'),
    await get('/page.js'),
    await get('/nothing'),
    await get('/..'),
    await get('/', { Host: 'evil.example' }),
    await get('/', { Host: address }),
    await sendRaw(port, { method: 'HEAD', path: `/a/${id}` }),
    await sendRaw(port, { method: 'DELETE', path: `/a/${id}` }),
    await sendRaw(port, { method: 'OPTIONS', path: `/a/${id}/answer` }),
    await postAnswer(test, id, { body: { passcode: 'wrong horse' } }),
    await postAnswer(test, id, { rawBody: '{' }),
    await postAnswer(test, test.requests.open()),
    await sendBytes(port, 'GARBAGE\r\n\r\n'),
  ];
}

describe('hardening of the page', () => {
  verifies('APR-28.1', 'listens on the loopback addresses only', async () => {
    const { port } = test.page;
    for (const address of ['127.0.0.1', '::1']) {
      expect((await sendRaw(port, { address })).status, address).toBe(200);
    }
    const outside = Object.values(networkInterfaces()).flatMap((rows = []) =>
      rows.filter((row) => !row.internal && row.family === 'IPv4').map((row) => row.address),
    );
    for (const address of [...outside, '127.0.0.2']) {
      await expect(openSocket(port, address), address).rejects.toThrow('ECONNREFUSED');
    }
  });

  verifies('APR-28.2', 'answers 421 under every other name', async () => {
    const { port } = test.page;
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      'localhost',
      `localhost:${port + 1}`,
      `localhost.:${port}`,
      `localhost:${port}.evil.example`,
      `evil@localhost:${port}`,
      '127.0.0.1',
      `[::]:${port}`,
      `0.0.0.0:${port}`,
      '',
    ]) {
      const answer = await get(`/a/${id}`, { Host: host });
      expect(answer.status, host).toBe(421);
      expect(answer.body).not.toContain('Nordwind');
      const post = await postAnswer(test, id, { request: { headers: { Host: host } } });
      expect(post.status, host).toBe(421);
    }
    expect(test.requests.stateOf(id)).toBe('REQUESTED');
  });

  verifies('APR-28.2', 'answers no request without one host', async () => {
    const { port } = test.page;
    const two = `GET / HTTP/1.1\r\nHost: localhost:${port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`;
    expect((await sendBytes(port, two)).status).toBeGreaterThanOrEqual(400);
    expect((await sendBytes(port, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).status).toBe(400);
    expect((await sendBytes(port, 'GET / HTTP/1.0\r\n\r\n')).status).toBe(421);
    const forwarded = { Host: 'evil.example', 'X-Forwarded-Host': `localhost:${port}` };
    expect((await get('/', forwarded)).status).toBe(421);
  });

  verifies('APR-28.3', 'sends an IP literal to localhost', async () => {
    const { port } = test.page;
    for (const host of [`127.0.0.1:${port}`, `[::1]:${port}`]) {
      const answer = await get(`/a/${id}?next=//evil.example`, { Host: host });
      expect(answer.status).toBe(307);
      expect(answer.headers.get('location')).toBe(`http://localhost:${port}/a/${id}`);
      expect(answer.body).toBe('');
    }
    const twice = await get('//evil.example/x', { Host: `127.0.0.1:${port}` });
    expect(twice.headers.get('location')).toBe(`http://localhost:${port}//evil.example/x`);
  });

  verifies('APR-28.4', 'takes an answer only from a script of the page itself', async () => {
    const { port } = test.page;
    const cases: readonly (readonly [number, Readonly<Record<string, string | undefined>>])[] = [
      [403, { Origin: undefined }],
      [403, { Origin: 'null' }],
      [403, { Origin: 'http://evil.example' }],
      [403, { Origin: `http://127.0.0.1:${port}` }],
      [403, { Origin: `https://localhost:${port}` }],
      [403, { Origin: 'http://localhost' }],
      [403, { 'Sec-Fetch-Site': undefined }],
      [403, { 'Sec-Fetch-Site': 'cross-site' }],
      [403, { 'Sec-Fetch-Site': 'same-site' }],
      [403, { 'Sec-Fetch-Site': 'none' }],
      [415, { 'Content-Type': undefined }],
      [415, { 'Content-Type': 'text/plain' }],
      [415, { 'Content-Type': 'application/x-www-form-urlencoded' }],
      [415, { 'Content-Type': 'application/json; charset=utf-16' }],
    ];
    for (const [status, headers] of cases) {
      const answer = await postAnswer(test, id, { request: { headers } });
      expect(answer.status, JSON.stringify(headers)).toBe(status);
    }
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect((await postAnswer(test, id, { request: { method } })).status, method).toBe(405);
    }
    expect(test.requests.stateOf(id)).toBe('REQUESTED');
  });

  verifies('APR-28.4', 'takes no answer without the token of this page', async () => {
    const other = test.requests.open();
    const tokens = ['', 'x', await csrfOf(test, other)];
    for (const csrf of tokens) {
      const answer = await postAnswer(test, id, { body: { csrf } });
      expect([answer.status, codeOf(answer)], csrf).toEqual([403, 'FORBIDDEN']);
    }
    const own = await csrfOf(test, id);
    test.clock.nowMs += 3_600_000;
    test.requests.open();
    const late = test.requests.open();
    const lateToken = { csrf: own, op_hash: test.requests.opHashOf(late) };
    expect((await postAnswer(test, late, { body: lateToken })).status).toBe(403);
    test.clock.nowMs -= 3_600_000;
    expect(test.requests.answers).toEqual([]);
  });

  verifies('APR-28.5', 'lets no other site read anything', async () => {
    for (const answer of await everyAnswer()) {
      const cross = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
      expect(cross).toEqual([]);
    }
    const preflight = await sendRaw(test.page.port, {
      method: 'OPTIONS',
      path: `/a/${id}/answer`,
      headers: { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.status).toBe(403);
  });

  verifies(
    ['APR-28.6', 'APR-28.7', 'APR-28.9'],
    'puts the same headers on every answer',
    async () => {
      for (const answer of await everyAnswer()) {
        const { headers, status } = answer;
        expect(headers.get('content-security-policy'), String(status)).toBe(
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
        );
        expect(headers.get('x-frame-options')).toBe('DENY');
        expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
        expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
        expect(headers.get('referrer-policy')).toBe('no-referrer');
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.has('set-cookie')).toBe(false);
        expect(headers.has('x-powered-by')).toBe(false);
        expect(headers.has('server')).toBe(false);
      }
    },
  );

  verifies('APR-28.10', 'refuses ambiguous paths before routing', async () => {
    for (const path of [
      `/a%2f${id}`,
      `/a/..%2fa/${id}`,
      `/x/../a/${id}`,
      `/a/%2e%2e/a/${id}`,
      `/a/${id}%00`,
      `/a/%25${id}`,
      `/%2561/${id}`,
      `/a\\${id}`,
      '/%c3%28',
      `http://localhost:${test.page.port}/a/${id}`,
    ]) {
      expect((await get(path)).status, path).toBe(400);
      const post = await sendRaw(test.page.port, {
        method: 'POST',
        path,
        headers: scriptHeaders(test),
      });
      expect(post.status, path).toBe(400);
    }
    expect((await get(`/%61/${id}`)).status).toBe(200);
    expect((await get(`/a/${id}\0`)).status).toBe(400);
  });

  verifies(
    'APR-28.12',
    'knows no difference between an unknown id and one of somebody else',
    async () => {
      const foreign = test.requests.open({ principal: 'somebody@else.example' });
      const unknown = 'f'.repeat(32);
      const [a, b] = [await get(`/a/${foreign}`), await get(`/a/${unknown}`)];
      expect(a.status).toBe(404);
      const withoutDate = ({ headers, ...rest }: RawAnswer) => ({
        ...rest,
        headers: [...headers].filter(([name]) => name !== 'date'),
      });
      expect(withoutDate(a)).toEqual(withoutDate(b));
      const posts = [
        await postAnswer(test, foreign),
        await postAnswer(test, unknown, { body: { op_hash: 'f'.repeat(64) } }),
      ];
      expect(posts.map((post) => [post.status, codeOf(post)])).toEqual([
        [404, 'NOT_FOUND'],
        [404, 'NOT_FOUND'],
      ]);
      for (const path of ['/a/', '/a/x', `/a/${id.toUpperCase()}`, `/a/${id}/`, `/a/${id}/x`]) {
        expect((await get(path)).status, path).toBe(404);
      }
    },
  );

  verifies('APR-28.13', 'lets no text of an agent into a header or the log', async () => {
    for (const text of hostileTexts) {
      const hostile = test.requests.open({ sentence: text, agent: text, rest: text });
      const page = await get(`/a/${hostile}`);
      expect(page.status).toBe(200);
      expect([...page.headers.keys()].join()).not.toMatch(/cookie|pwned/);
      test.requests.move(hostile, 'CANCELLED');
    }
    await postAnswer(test, test.requests.open({ sentence: 'pwned' }), {
      body: { passcode: 'pwned pwned', reason: 'pwned' },
    });
    expect(test.logged.join('\n')).not.toContain('pwned');
  });

  verifies('APR-28.14', 'has nothing but requests behind it', async () => {
    const asked = new Set<string>();
    const gateway = new Proxy(test.requests, {
      get(target, name) {
        asked.add(String(name));
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const other = await startTestPage({ gateway });
    const { port } = other.page;
    for (const path of [
      '/',
      `/a/${id}`,
      '/config',
      '/servers',
      '/policy',
      '/keys',
      '/api',
      '/.env',
      '/page',
      '/page/page.js',
      '/a',
      '/metrics',
    ]) {
      const { status } = await sendRaw(port, { path });
      expect(status, path).toBe(path === '/' || path === `/a/${id}` ? 200 : 404);
      if (path === `/a/${id}`) continue;
      const post = await sendRaw(port, { method: 'POST', path, headers: scriptHeaders(other) });
      expect(post.status, path).toBe(404);
    }
    await other.page.close();
    expect([...asked].sort()).toEqual(['listDrafts', 'listPending', 'readPending', 'status']);
  });

  verifies('APR-28.16', 'shows a code and no stack when something breaks', async () => {
    const secret = `broken at ${import.meta.filename} with pwned`;
    const fail = (): Promise<never> => Promise.reject(new TypeError(secret));
    const broken = await startTestPage({
      gateway: {
        readPending: fail,
        listPending: fail,
        listDrafts: fail,
        answerApproval: fail,
        liftSuspension: fail,
        status: fail,
      },
    });
    const answer = await sendRaw(broken.page.port, { path: `/a/${id}` });
    await broken.page.close();
    expect([answer.status, codeOf(answer)]).toEqual([500, 'INTERNAL']);
    expect(answer.body).not.toMatch(/pwned|TypeError|\.ts|\bat\b/);
    expect(broken.logged.join()).toContain('TypeError');
    expect(broken.logged.join()).not.toContain('pwned');
  });
});

describe('limits of the page', () => {
  verifies('APR-28.11', 'reads 16 KiB of a body and no more', async () => {
    const open = test.requests.open();
    const sized = (sizeBytes: number): string => {
      const frame = JSON.stringify({ reason: '' });
      return frame.replace('""', `"${'x'.repeat(sizeBytes - frame.length)}"`);
    };
    expect((await postAnswer(test, open, { rawBody: sized(16_384) })).status).toBe(400);
    expect((await postAnswer(test, open, { rawBody: sized(16_385) })).status).toBe(413);
    expect((await postAnswer(test, open, { rawBody: sized(500_000) })).status).toBe(413);
  });

  verifies('APR-28.11', 'refuses headers that are too large', async () => {
    expect((await get('/', { 'X-Large': 'x'.repeat(9_000) })).status).toBe(431);
  });

  verifies('APR-28.11', 'waits for headers and bodies only so long', async () => {
    const slow = await startTestPage({ timeouts: { headersMs: 300, bodyMs: 300 } });
    const { port } = slow.page;
    const silent = await openSocket(port);
    const partial = await openSocket(port);
    partial.write('GET / HTTP/1.1\r\nHost: localh');
    const body = await openSocket(port);
    const headers = Object.entries({ Host: `localhost:${port}`, ...scriptHeaders(slow) });
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    body.write(`POST /a/${id}/answer HTTP/1.1\r\n${lines}Content-Length: 100\r\n\r\n{"verdict"`);
    const ends = await Promise.all([silent, partial, body].map(readAll));
    await slow.page.close();
    expect(ends.map((end) => end.split(' ')[1])).toEqual(['408', '408', '408']);
  });

  verifies('APR-28.11', 'holds 64 connections', async () => {
    const busy = await startTestPage();
    const sockets = await Promise.all(
      Array.from({ length: 64 }, (_, at) =>
        openSocket(busy.page.port, at % 2 === 0 ? '127.0.0.1' : '::1'),
      ),
    );
    const extra = await openSocket(busy.page.port);
    extra.on('error', () => {});
    expect(await readAll(extra)).toBe('');
    sockets[0]?.destroy();
    await expect.poll(async () => (await sendRaw(busy.page.port)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await busy.page.close();
  });

  verifies('APR-28.11', 'refuses JSON that could be read in two ways', async () => {
    const open = test.requests.open();
    const csrf = await csrfOf(test, open);
    const body = JSON.stringify({
      verdict: 'reject',
      passcode,
      op_hash: test.requests.opHashOf(open),
      csrf,
    });
    const cases: readonly (string | Uint8Array)[] = [
      body.replace('{', '{"verdict":"approve",'),
      body.replace('{', '{"__proto__":{},'),
      body.replace('{', '{"extra":1,'),
      `\ufeff${body}`,
      `${body} {}`,
      Buffer.from(body.replace('correct', 'corr\u00e9ct'), 'latin1'),
      body.replace('correct', '\\ud800'),
      '[]',
      'null',
      '"x"',
      '',
      '['.repeat(5_000),
    ];
    for (const rawBody of cases) {
      const answer = await postAnswer(test, open, { rawBody });
      expect([answer.status, codeOf(answer)], String(rawBody).slice(0, 60)).toEqual([
        400,
        'BAD_REQUEST',
      ]);
    }
    expect(test.requests.stateOf(open)).toBe('REQUESTED');
    expect((await postAnswer(test, open, { rawBody: body })).status).toBe(200);
  });
});

describe('the port of the page', () => {
  it('is the wanted one, and another when that is taken on either address', async () => {
    for (const host of ['127.0.0.1', '::1']) {
      const holder = createServer();
      const port = await new Promise<number>((resolve) => {
        holder.listen(0, host, () => {
          const address = holder.address();
          resolve(typeof address === 'object' && address !== null ? address.port : 0);
        });
      });
      const other = await startTestPage({ port });
      expect(other.page.port).not.toBe(port);
      expect(other.page.linkOf('x')).toBe(`http://localhost:${other.page.port}/a/x`);
      expect(other.logged.join()).toContain('EADDRINUSE');
      const opened = other.requests.open();
      expect((await sendRaw(other.page.port, { path: `/a/${opened}` })).status).toBe(200);
      await other.page.close();
      await new Promise((resolve) => holder.close(resolve));
      const wanted = await startTestPage({ port });
      expect([wanted.page.port, wanted.logged]).toEqual([port, []]);
      await wanted.page.close();
    }
  });

  it('is free after the page is closed, with connections still open', async () => {
    const first = await startTestPage();
    const socket = await openSocket(first.page.port);
    const ended = readAll(socket);
    await first.page.close();
    await ended;
    const second = await startTestPage({ port: first.page.port });
    expect(second.page.port).toBe(first.page.port);
    await second.page.close();
  });
});
