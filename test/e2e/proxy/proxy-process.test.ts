// The proxy as a process between a client on raw bytes and real servers: its life, its streams and
// its processes. The gateway behind it is a small one in memory.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ToolServerSettings } from '../../../src/connectors/tool-servers.ts';
import type { ExposedTool } from '../../../src/proxy/exposed-tool.ts';
import { readEffects } from '../../fixtures/effects-file.ts';
import { listDescendants, stillAlive } from '../../fixtures/process-tree.ts';
import type { ProxyProcessSettings } from '../../fixtures/proxy/proxy-process.ts';
import { type RawClient, startNodeClient, startRawClient } from '../../fixtures/raw-client.ts';
import { verifies } from '../../requirements/verifies.ts';

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const serverPath = pathOf('../../fixtures/servers/hostile-server.ts');
const proxyPath = pathOf('../../fixtures/proxy/proxy-process.ts');
const payment = { recipient: 'DE89370400440532013000', amount: 5 };
let folder = '';
let effects = '';
const clients: RawClient[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proxy-process-'));
  effects = join(folder, 'effects.jsonl');
});

afterEach(async () => {
  for (const client of clients.splice(0)) {
    const report = await client.stop();
    expect(report.problems).toEqual([]);
    expect(report.leftOver).toEqual([]);
  }
  rmSync(folder, { recursive: true, force: true });
});

const tool = (name: string, kind: ExposedTool['kind'], server = 'bank'): ExposedTool => ({
  name,
  server,
  tool: name,
  kind,
  contracts: [],
});

const server = (
  behaviours: readonly string[],
  more: Partial<ToolServerSettings> = {},
): Partial<ToolServerSettings> => ({
  name: 'bank',
  args: [serverPath, '--effects', effects, ...behaviours],
  ...more,
});

const defaultTools = [
  tool('pay', 'guarded'),
  tool('echo', 'passthrough'),
  tool('control', 'passthrough'),
  tool('pay_checked', 'passthrough'),
  tool('odd_result', 'passthrough'),
];

function writeSettings(more: Partial<ProxyProcessSettings>): string {
  const settings: ProxyProcessSettings = { servers: [server([])], tools: defaultTools, ...more };
  const path = join(folder, 'settings.json');
  writeFileSync(path, JSON.stringify(settings));
  return path;
}

function startProxy(more: Partial<ProxyProcessSettings> = {}): RawClient {
  const client = startNodeClient([proxyPath, writeSettings(more)]);
  clients.push(client);
  return client;
}

async function startReady(more: Partial<ProxyProcessSettings> = {}): Promise<RawClient> {
  const client = startProxy(more);
  await client.initialize();
  await client.listTools();
  client.trackProcesses();
  return client;
}

const decisionOf = (answer: { readonly result?: unknown }): Record<string, unknown> => {
  const { _meta: meta } = answer.result as { readonly _meta: Record<string, unknown> };
  return meta['io.intentplane/decision'] as Record<string, unknown>;
};

describe('life of the process', () => {
  verifies(['MCP-L1', 'MCP-R15'], 'initialize is answered although no server ever is', async () => {
    const servers = ['a', 'b', 'c'].map((name) => server(['hang-before-initialize'], { name }));
    const client = startProxy({ servers });
    const startMs = performance.now();
    await client.initialize();
    // The limit is one second on a quiet machine; the servers would take five.
    expect(performance.now() - startMs).toBeLessThan(4_000);
  });

  verifies(['MCP-B5', 'MCP-L9', 'MCP-R17'], 'the end of the input ends everything', async () => {
    const client = await startReady({ servers: [server(['spawn-grandchild', 'ignore-signals'])] });
    const below = listDescendants(client.pid);
    expect(below.length).toBeGreaterThanOrEqual(2);
    const report = await client.close();
    expect(report).toMatchObject({ code: 0, isForced: false });
    expect(stillAlive(below)).toEqual([]);
  });

  verifies(
    ['MCP-H6', 'MCP-R17'],
    'nothing is left when a host behind a shell is killed',
    async () => {
      const script = `${process.execPath} ${proxyPath} ${writeSettings({})}; true`;
      const client = startRawClient({ command: 'sh', args: ['-c', script] });
      clients.push(client);
      await client.initialize();
      await client.listTools();
      const below = client.trackProcesses();
      expect(below.length).toBeGreaterThanOrEqual(2);
      client.kill('SIGKILL');
      client.endInput();
      const endMs = performance.now() + 8_000;
      while (stillAlive(below).length > 0 && performance.now() < endMs) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      expect(stillAlive(below)).toEqual([]);
    },
  );

  verifies('MCP-L9', 'a stop lets an open guarded call end, and refuses new ones', async () => {
    const client = await startReady({ servers: [server(['slow', '--delay', '1000'])] });
    const open = client.post('tools/call', { name: 'pay', arguments: payment });
    await new Promise((resolve) => setTimeout(resolve, 200));
    client.kill('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 100));
    const refused = client.post('tools/call', { name: 'pay', arguments: payment });
    const { result } = await client.answerTo(open);
    expect(result.content[0].text).toContain('paid');
    await client.exited;
    expect(client.answersTo(refused).map((answer) => answer.error?.code)).not.toContain(undefined);
    expect(readEffects(effects)).toHaveLength(1);
  });

  it('stays up when every server is down, and says so in the answers', async () => {
    const servers = [server(['exit-at-start', '--code', '4'], { restart: 'never' })];
    const client = await startReady({ servers });
    const { result } = await client.callTool('echo', {});
    expect(result.content[0].text).toContain('Failed, nothing took effect');
    expect(decisionOf({ result })).toMatchObject({
      status: 'failed',
      codes: ['EXECUTION_FAILED'],
    });
    expect((await client.request('ping')).result).toEqual({});
  });
});

describe('calls over two real hops', () => {
  verifies(
    ['MCP-C1', 'MCP-C2', 'MCP-R19'],
    '64 parallel calls, mixed results, each its own',
    async () => {
      const client = await startReady({ servers: [server(['slow', '--delay', '30'])] });
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, n) => {
          if (n % 4 === 0) return client.callTool('pay', { ...payment, amount: n });
          if (n % 4 === 1) return client.callTool('echo', { n });
          if (n % 4 === 2) return client.callTool('pay', { verdict: 'BUDGET_AMOUNT', n });
          return client.callTool('nosuch', { n });
        }),
      );
      answers.forEach((answer, n) => {
        if (n % 4 === 0) expect(answer.result.content[0].text).toContain(`"amount":${n}}`);
        if (n % 4 === 1) expect(answer.result.content[0].text).toBe(`{"n":${n}}`);
        if (n % 4 === 2) expect(decisionOf(answer)).toMatchObject({ codes: ['BUDGET_AMOUNT'] });
        if (n % 4 === 3) expect(answer.error?.code).toBe(-32602);
      });
      expect(readEffects(effects)).toHaveLength(16);
    },
  );

  verifies(['MCP-P2', 'MCP-R03', 'MCP-R29'], 'odd results keep every byte of meaning', async () => {
    const client = await startReady();
    const direct = startNodeClient([serverPath]);
    clients.push(direct);
    await direct.initialize();
    for (const name of ['odd_result', 'echo']) {
      const params = `{"name":"${name}","arguments":{"n":9007199254740993,"x":1.0}}`;
      const frame = `{"jsonrpc":"2.0","id":"${name}","method":"tools/call","params":${params}}`;
      client.sendLine(frame);
      direct.sendLine(frame);
      await client.answerTo(name);
      await direct.answerTo(name);
      const resultOf = (lines: readonly string[]): string =>
        (lines.findLast((line) => line.includes(`"${name}"`)) ?? '').replace(/^.*?"result":/, '');
      expect(resultOf(client.lines)).toBe(resultOf(direct.lines));
    }
  });

  verifies(
    ['MCP-B1', 'MCP-A5', 'MCP-R13'],
    'a crash in mid-call: unknown, then back at work',
    async () => {
      const client = await startReady({ servers: [server(['slow', '--delay', '2000'])] });
      const guarded = client.post('tools/call', { name: 'pay', arguments: payment });
      const passed = client.post('tools/call', { name: 'echo', arguments: {} });
      await new Promise((resolve) => setTimeout(resolve, 200));
      client.post('tools/call', { name: 'control', arguments: { behaviour: 'exit' } });
      expect(decisionOf(await client.answerTo(guarded))).toMatchObject({ status: 'unknown' });
      const { result } = await client.answerTo(passed);
      expect(result.content[0].text).toContain('bank: ended with exit code 1');
      expect((await client.callTool('echo', { back: 1 })).result.content[0].text).toBe(
        '{"back":1}',
      );
      client.trackProcesses();
      expect(readEffects(effects)).toEqual([]);
    },
  );

  verifies(
    'MCP-D2',
    'a definition that changes in mid-session is refused and announced',
    async () => {
      const client = await startReady({ servers: [server(['change-definition', '--after', '1'])] });
      await client.callTool('echo', {});
      await client.waitFor((frame) => frame.method === 'notifications/tools/list_changed');
      const names = (await client.listTools()).map(({ name }) => name);
      expect(names).not.toContain('pay');
      expect(names).toContain('echo');
    },
  );

  verifies(['MCP-X4', 'MCP-R11'], 'cancelling reaches the server that runs the call', async () => {
    const client = await startReady({ servers: [server(['slow', '--delay', '5000'])] });
    const id = client.post('tools/call', { name: 'echo', arguments: {} });
    await new Promise((resolve) => setTimeout(resolve, 100));
    client.notify('notifications/cancelled', { requestId: id });
    expect((await client.request('ping')).result).toEqual({});
    expect(client.answersTo(id)).toEqual([]);
  });

  verifies(
    ['MCP-O1', 'MCP-R22'],
    'progress of the server, and nothing after the answer',
    async () => {
      const behaviours = [
        'slow',
        'progress',
        'late-progress',
        'unknown-progress',
        '--delay',
        '400',
      ];
      const client = await startReady({ servers: [server(behaviours)] });
      const params = { name: 'echo', arguments: {}, _meta: { progressToken: 'mine' } };
      const { id } = await client.request('tools/call', params);
      await client.callTool('echo', {});
      const sent = client.frames.filter((frame) => frame.method === 'notifications/progress');
      expect(sent.map((frame) => frame.params.progress)).toEqual([0.25, 0.5, 0.75]);
      expect(new Set(sent.map((frame) => frame.params.progressToken))).toEqual(new Set(['mine']));
      const answeredAt = client.frames.findIndex((frame) => frame.id === id && 'result' in frame);
      expect(client.frames.indexOf(sent.at(-1) as never)).toBeLessThan(answeredAt);
    },
  );

  verifies('MCP-R23', 'a result of 13.5 MB arrives whole', async () => {
    const client = await startReady({ servers: [server(['big-result', '--bytes', '13500000'])] });
    const { result } = await client.callTool('echo', {}, 30_000);
    expect(result.content[0].text).toHaveLength(13_500_000);
  });
});

describe('streams', () => {
  it('reads frames however the bytes are split and joined', async () => {
    const client = await startReady();
    const frame =
      '{"jsonrpc":"2.0","id":"ü","method":"tools/call","params":{"name":"echo","arguments":{"t":"ü€😀"}}}\n';
    for (const byte of Buffer.from(frame)) client.sendBytes(Buffer.from([byte]));
    expect((await client.answerTo('ü')).result.content[0].text).toBe('{"t":"ü€😀"}');
    client.sendBytes(`${frame.replace('"ü"', '1001')}\r\n\n${frame.replace('"ü"', '1002')}`);
    await client.answerTo(1001);
    await client.answerTo(1002);
  });

  verifies('MCP-M6', 'a client that does not read stops its servers, not the gateway', async () => {
    const client = await startReady({ servers: [server(['big-result', '--bytes', '3000000'])] });
    client.pauseReading();
    const ids = Array.from({ length: 8 }, () =>
      client.post('tools/call', { name: 'echo', arguments: {} }),
    );
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(client.isRunning).toBe(true);
    expect(client.frames.filter((frame) => ids.includes(frame.id as number))).toEqual([]);
    client.resumeReading();
    for (const id of ids) {
      expect((await client.answerTo(id, 20_000)).result.content[0].text).toHaveLength(3_000_000);
    }
    expect((await client.request('ping')).result).toEqual({});
  });

  verifies('MCP-R18', 'noise of servers stays off stdout', async () => {
    const client = await startReady({
      servers: [server(['rubbish-on-stdout', 'noise-on-stderr'])],
    });
    await client.callTool('echo', {});
    expect(client.problems).toEqual([]);
    expect(client.stderr).toContain('[bank] | ');
  });
});
