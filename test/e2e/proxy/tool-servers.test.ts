// Tool servers as real processes that misbehave: what the client side of the proxy makes of it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { childEnvironment } from '../../../src/connectors/mcp/child-environment.ts';
import { createMcpToolServers } from '../../../src/connectors/mcp/mcp-tool-servers.ts';
import type {
  Cancellation,
  ToolCallOutcome,
  ToolCallRequest,
  ToolServerSettings,
  ToolServers,
} from '../../../src/connectors/tool-servers.ts';
import type { JsonObject } from '../../../src/core/json-value.ts';
import { readEffects } from '../../fixtures/effects-file.ts';
import { listDescendants, stillAlive } from '../../fixtures/process-tree.ts';
import { verifies } from '../../requirements/verifies.ts';

const serverPath = fileURLToPath(
  new URL('../../fixtures/servers/hostile-server.ts', import.meta.url),
);
let folder = '';
let effects = '';
const started: ToolServers[] = [];
const logs: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tool-servers-'));
  effects = join(folder, 'effects.jsonl');
  logs.length = 0;
});

afterEach(async () => {
  const processes = listDescendants(process.pid).filter((info) =>
    info.command.includes('hostile-server'),
  );
  await Promise.all(started.splice(0).map((servers) => servers.close()));
  expect(stillAlive(processes)).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});

function settings(
  behaviours: readonly string[] = [],
  more: Partial<ToolServerSettings> = {},
): ToolServerSettings {
  return {
    name: 'bank',
    command: process.execPath,
    args: [serverPath, '--effects', effects, ...behaviours],
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: folder,
    timeoutMs: 5_000,
    callTimeoutMs: 5_000,
    restart: 'on-crash',
    ...more,
  };
}

function startAll(servers: readonly ToolServerSettings[], secrets: string[] = []): ToolServers {
  const all = createMcpToolServers({
    servers,
    version: '1.0.0',
    secrets,
    log: (_level, line) => logs.push(line),
  });
  started.push(all);
  all.start();
  return all;
}

async function startReady(
  behaviours: readonly string[] = [],
  more: Partial<ToolServerSettings> = {},
): Promise<ToolServers> {
  const servers = startAll([settings(behaviours, more)]);
  await servers.settled(10_000);
  expect(servers.state('bank'), logs.join('\n')).toBe('ready');
  return servers;
}

const payment = '{"recipient":"DE89370400440532013000","amount":5}';
const request = (tool: string, more: Partial<ToolCallRequest> = {}): ToolCallRequest => ({
  server: 'bank',
  tool,
  argumentsText: payment,
  meta: undefined,
  onProgress: undefined,
  cancellation: undefined,
  ...more,
});
const control = (servers: ToolServers, behaviour: string): Promise<ToolCallOutcome> =>
  servers.call(request('control', { argumentsText: JSON.stringify({ behaviour }) }));
const textOf = (outcome: ToolCallOutcome): string => {
  const content = outcome.kind === 'result' ? outcome.result['content'] : undefined;
  return ((content as readonly JsonObject[])[0] as { readonly text: string }).text;
};
const countEffects = (): number => readEffects(effects).length;

describe('start', () => {
  it('lists a correct server, its identity and its tools whole', async () => {
    const servers = await startReady();
    const listing = servers.listing('bank');
    expect(listing?.tools.map((tool) => tool.name)).toContain('pay_checked');
    expect(listing?.identity).toMatch(/^[0-9a-f]{64}$/);
    const checked = listing?.tools.find((tool) => tool.name === 'pay_checked');
    expect(checked?.definition['x-unknown']).toEqual({ nested: [false, null, 0] });
  });

  verifies(
    ['MCP-L4', 'MCP-L5', 'MCP-R14'],
    'bad servers beside a good one hold up nothing',
    async () => {
      const short = { timeoutMs: 600, restart: 'never' as const };
      const servers = startAll([
        settings([], { name: 'good' }),
        settings(['hang-before-initialize', 'noise-on-stderr'], { ...short, name: 'hangs' }),
        settings(['hang-after-initialize'], { ...short, name: 'hangs-later' }),
        settings(['exit-at-start', '--code', '3'], { name: 'exits', restart: 'never' }),
        settings(['rubbish-on-stdout'], { name: 'noisy' }),
        settings([], { ...short, name: 'missing', command: '/nowhere/at/all' }),
        settings([], { ...short, name: 'odd', args: ['\0'] }),
      ]);
      while (servers.state('good') !== 'ready') await servers.settled(20);
      expect((await servers.call(request('pay', { server: 'good' }))).kind).toBe('result');
      await servers.settled(10_000);
      for (const name of ['hangs', 'hangs-later', 'exits', 'missing', 'odd']) {
        expect(servers.state(name)).toBe('down');
        expect(logs.filter((line) => line.startsWith(`[${name}] down:`))).toHaveLength(1);
      }
      expect(servers.state('noisy')).toBe('ready');
      const exits = logs.find((line) => line.startsWith('[exits] down:'));
      expect(exits).toContain('ended with exit code 3; its last line: cannot open the ledger');
    },
  );

  verifies(
    'MCP-L6',
    'a call waits for a starting server, and fails unsent when it stays down',
    async () => {
      const servers = startAll([settings()]);
      expect(servers.state('bank')).toBe('starting');
      expect((await servers.call(request('pay'))).kind).toBe('result');
      const down = startAll([
        settings(['hang-before-initialize'], { timeoutMs: 300, restart: 'never' }),
      ]);
      const outcome = await down.call(request('pay'));
      expect(outcome).toMatchObject({ kind: 'not_sent' });
      expect(outcome.kind === 'not_sent' && outcome.reason).toContain(
        'not running, nothing was sent',
      );
    },
  );

  verifies('MCP-T3', 'pages are followed, a loop and endless pages end', async () => {
    const pages = await startReady(['two-pages']);
    expect(pages.listing('bank')?.tools).toHaveLength(6);
    const looping = await startReady(['looping-pages']);
    expect(looping.listing('bank')?.tools.length).toBeLessThan(4);
    const endless = await startReady(['endless-pages']);
    expect(endless.listing('bank')?.tools).toHaveLength(64);
  });
});

describe('environment and output of a server', () => {
  verifies(['MCP-H1', 'MCP-H2'], 'it runs without a shell and sees what it may see', async () => {
    const parent = { ...process.env, GATEWAY_SECRET: 'hidden' };
    const env = childEnvironment({ parent, server: { OWN: 'a b"&' }, inherit: [] }, 'linux');
    const servers = await startReady(['--name', 'a b"&$(x)'], { env });
    const seen = JSON.parse(textOf(await servers.call(request('get_env')))) as JsonObject;
    expect(seen['OWN']).toBe('a b"&');
    expect(seen['GATEWAY_SECRET']).toBeUndefined();
    const names = Object.keys(seen).filter((name) => name !== 'OWN' && !name.startsWith('LC_'));
    for (const name of names) expect(Object.keys(env)).toContain(name);
  });

  verifies(['MCP-H4', 'MCP-H5'], 'noise is skipped, bounded and masked', async () => {
    const servers = startAll([settings(['rubbish-on-stdout', 'noise-on-stderr'])], ['hunter2']);
    await servers.settled(10_000);
    expect((await servers.call(request('pay'))).kind).toBe('result');
    expect(logs.filter((line) => line.includes('a line on stdout is not protocol'))).toHaveLength(
      1,
    );
    const lines = logs.filter((line) => line.startsWith('[bank] | '));
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.length).toBeLessThanOrEqual(205);
    expect(logs.join('')).not.toContain('hunter2');
    expect(logs.join('')).not.toContain('\u001b');
  });
});

describe('answers', () => {
  verifies('MCP-M4', 'digits survive in both directions', async () => {
    const servers = await startReady();
    const argumentsText = '{"a":12345678901234567890,"b":1.50,"c":-0,"d":1e400}';
    expect(textOf(await servers.call(request('echo', { argumentsText })))).toBe(argumentsText);
    const odd = await servers.call(request('odd_result'));
    expect(JSON.stringify(odd.kind === 'result' ? odd.result : odd)).toMatch(/\d{17,}/);
  });

  it('takes the first of two answers and ignores foreign ones and stray progress', async () => {
    const servers = await startReady(['answer-twice', 'late-progress', 'unknown-progress'], {
      callTimeoutMs: 500,
    });
    const progress: JsonObject[] = [];
    const onProgress = (params: JsonObject): void => void progress.push(params);
    expect(textOf(await servers.call(request('pay', { onProgress })))).toContain('paid');
    expect(textOf(await servers.call(request('echo', { onProgress })))).toBe(payment);
    expect(progress).toEqual([]);
    await control(servers, 'foreign-id');
    expect((await servers.call(request('pay'))).kind).toBe('lost');
  });

  verifies(
    ['MCP-M5', 'MCP-R23'],
    '13.5 MB arrive whole; 65 MiB fail alone with their size',
    async () => {
      const servers = await startReady(['big-result', '--bytes', '13500000']);
      expect(textOf(await servers.call(request('pay')))).toHaveLength(13_500_000);
      const huge = await startReady(['big-result', '--bytes', String(65 * 1024 * 1024)]);
      const [outcome, other] = await Promise.all([
        huge.call(request('pay')),
        huge.call(request('control', { argumentsText: '{"behaviour":"tool-error"}' })),
      ]);
      expect(outcome.kind).toBe('lost');
      expect(outcome.kind === 'lost' && outcome.reason).toMatch(/is 6815\d{4} bytes long/);
      expect(other.kind).toBe('result');
      expect(textOf(await huge.call(request('pay')))).toBe('the ledger is closed');
    },
  );

  verifies('MCP-M5', 'an answer that cannot be read ends its own call', async () => {
    const servers = await startReady();
    await control(servers, 'unparsable-answer');
    const startMs = performance.now();
    const outcome = await servers.call(request('pay'));
    expect(outcome).toEqual({ kind: 'lost', reason: 'its answer cannot be read' });
    expect(performance.now() - startMs).toBeLessThan(2_000);
    expect(servers.state('bank')).toBe('ready');
  });

  it('answers requests of the server at once with an error', async () => {
    for (const behaviour of ['ask-elicitation', 'ask-sampling', 'ask-roots']) {
      const servers = await startReady([behaviour]);
      expect(textOf(await servers.call(request('pay')))).toContain('-32601');
    }
  });
});

describe('time limits and cancellation', () => {
  verifies(
    ['MCP-O3', 'MCP-O2'],
    'a limit restarts with progress, which is always asked for',
    async () => {
      const servers = await startReady(['slow', 'progress', '--delay', '1600'], {
        callTimeoutMs: 1_000,
      });
      expect((await servers.call(request('pay'))).kind).toBe('result');
      const silent = await startReady(['slow', '--delay', '3000'], { callTimeoutMs: 300 });
      expect(await silent.call(request('pay'))).toEqual({
        kind: 'lost',
        reason: 'it did not answer within 0.3 s',
      });
    },
  );

  verifies(
    ['MCP-O4', 'MCP-X4'],
    'a passthrough call that expires or is cancelled tells its server',
    async () => {
      const log = join(folder, 'received.jsonl');
      const servers = await startReady(['slow', '--delay', '3000', '--log', log], {
        callTimeoutMs: 300,
      });
      const cancellation: Cancellation = { isCancelled: false, onCancel: undefined };
      expect((await servers.call(request('echo', { cancellation }))).kind).toBe('lost');
      const open = servers.call(request('echo', { cancellation }));
      await new Promise((resolve) => setTimeout(resolve, 50));
      cancellation.onCancel?.();
      expect(await open).toEqual({ kind: 'cancelled' });
      expect((await servers.call(request('pay'))).kind).toBe('lost');
      const cancelled = (): readonly string[] =>
        readFileSync(log, 'utf8')
          .split('\n')
          .filter((line) => line.includes('notifications/cancelled'));
      await waitUntil(() => cancelled().length >= 2);
      // The guarded one is not taken back: its outcome is still wanted.
      expect(cancelled()).toHaveLength(2);
    },
  );

  it('does not send what was cancelled before', async () => {
    const servers = await startReady();
    const cancellation: Cancellation = { isCancelled: true, onCancel: undefined };
    expect(await servers.call(request('pay', { cancellation }))).toEqual({ kind: 'cancelled' });
    expect(countEffects()).toBe(0);
  });

  it('says that nothing was sent to a server that does not read', async () => {
    const servers = startAll([
      settings(['never-read-stdin'], { timeoutMs: 400, restart: 'never' }),
    ]);
    expect((await servers.call(request('pay'))).kind).toBe('not_sent');
  });
});

describe('end and restart', () => {
  verifies(
    ['MCP-B1', 'MCP-B2', 'MCP-R13'],
    'a crash ends every open call, and nothing is sent again',
    async () => {
      const servers = await startReady(['slow', '--delay', '2000']);
      const open = [1, 2, 3].map(() => servers.call(request('pay')));
      await new Promise((resolve) => setTimeout(resolve, 100));
      const startMs = performance.now();
      const exit = servers.call(request('control', { argumentsText: '{"behaviour":"exit"}' }));
      for (const outcome of await Promise.all([...open, exit])) {
        expect(outcome.kind).toBe('lost');
        expect(outcome.kind === 'lost' && outcome.reason).toContain('ended with exit code 1');
      }
      expect(performance.now() - startMs).toBeLessThan(1_000);
      await waitUntil(() => servers.state('bank') === 'ready');
      expect(countEffects()).toBe(0);
    },
  );

  it('knows an effect that happened before the crash only as lost', async () => {
    const servers = await startReady(['exit-after-effect'], { restart: 'never' });
    expect((await servers.call(request('pay'))).kind).toBe('lost');
    expect(countEffects()).toBe(1);
    expect((await servers.call(request('pay'))).kind).toBe('not_sent');
    expect(countEffects()).toBe(1);
  });

  verifies(
    'MCP-B4',
    'a server that ended comes back by itself, and at once for a call',
    async () => {
      const servers = await startReady();
      await servers.call(request('control', { argumentsText: '{"behaviour":"exit"}' }));
      await waitUntil(() => servers.state('bank') === 'down');
      expect((await servers.call(request('pay'))).kind).toBe('result');
      await servers.call(request('control', { argumentsText: '{"behaviour":"exit"}' }));
      await waitUntil(() => servers.state('bank') === 'down');
      await waitUntil(() => servers.state('bank') === 'ready', 5_000);
    },
  );

  verifies('MCP-H6', 'stubborn servers and their children are ended', async () => {
    const servers = await startReady(['spawn-grandchild', 'ignore-signals']);
    const before = listDescendants(process.pid).filter((info) => !info.command.includes('vitest'));
    expect(before.length).toBeGreaterThanOrEqual(2);
    const startMs = performance.now();
    await servers.close();
    expect(performance.now() - startMs).toBeLessThan(8_000);
    expect(stillAlive(before)).toEqual([]);
  });

  it('leaves no grandchild behind when the server itself ends', async () => {
    const servers = await startReady(['spawn-grandchild'], { restart: 'never' });
    const before = listDescendants(process.pid).filter((info) => !info.command.includes('vitest'));
    await servers.call(request('control', { argumentsText: '{"behaviour":"exit"}' }));
    await waitUntil(() => stillAlive(before).length === 0, 8_000);
  });
});

describe('changes of a list', () => {
  verifies('MCP-D6', 'an announced change is read again, and told once', async () => {
    const servers = await startReady(['change-definition', '--after', '1']);
    let changes = 0;
    servers.onChange(() => {
      changes += 1;
    });
    const before = servers.listing('bank');
    await servers.call(request('pay'));
    await waitUntil(() => servers.isListing('bank'));
    await servers.listed('bank');
    const described = (listing = servers.listing('bank')): unknown =>
      listing?.tools.find((tool) => tool.name === 'pay')?.definition['description'];
    expect(described()).not.toBe(described(before));
    expect(changes).toBe(1);
  });
});

async function waitUntil(isDue: () => boolean, timeoutMs = 5_000): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  while (!isDue()) {
    if (performance.now() > endMs)
      throw new Error(`not within ${timeoutMs} ms\n${logs.join('\n')}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
