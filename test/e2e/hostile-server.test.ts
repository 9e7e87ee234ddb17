// The hostile server and the raw client are instruments of other tests: each behaviour is shown
// here to be what it claims, so that a green test elsewhere means something.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countEffects, readEffects } from '../fixtures/effects-file.ts';
import { type RawClient, type RawClientOptions, startNodeClient } from '../fixtures/raw-client.ts';
import { rawMember } from '../fixtures/raw-json.ts';

const serverPath = fileURLToPath(new URL('../fixtures/servers/hostile-server.ts', import.meta.url));
const payment = { recipient: 'DE89370400440532013000', amount: 5 };
let folder = '';
let effects = '';
const clients: RawClient[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hostile-server-'));
  effects = join(folder, 'effects.jsonl');
});

afterEach(async () => {
  for (const client of clients.splice(0)) {
    client.kill('SIGKILL');
    await client.stop();
  }
  rmSync(folder, { recursive: true, force: true });
});

function startServer(
  args: readonly string[],
  options: Omit<RawClientOptions, 'command' | 'args'> = {},
): RawClient {
  const client = startNodeClient([serverPath, '--effects', effects, ...args], options);
  clients.push(client);
  return client;
}

async function startReady(...args: string[]): Promise<RawClient> {
  const client = startServer(args);
  await client.initialize();
  return client;
}

async function textOf(client: RawClient, name: string, args: object): Promise<string> {
  return (await client.callTool(name, args)).result.content[0].text;
}

describe('hostile server without a behaviour', () => {
  it('is a correct server: lists, pays with an effect, ends with its input', async () => {
    const client = await startReady();
    expect((await client.listTools()).map((tool) => tool.name)).toEqual([
      'echo',
      'pay',
      'pay_checked',
      'get_env',
      'odd_result',
      'control',
    ]);
    await client.callTool('pay', payment);
    const { result } = await client.callTool('pay_checked', payment);
    expect(result.structuredContent).toEqual({ paid: true, payment: 1 });
    expect(readEffects(effects)).toEqual([
      { seq: 1, tool: 'pay', arguments: payment },
      { seq: 2, tool: 'pay_checked', arguments: payment },
    ]);
    expect((await client.callTool('nothing')).error?.code).toBe(-32602);
    expect(await client.close()).toMatchObject({ code: 0, isForced: false });
  });

  it('echoes the source text of the arguments, digits and spelling included', async () => {
    const client = await startReady();
    const raw = '{ "z":1.10, "a" : 9007199254740993,"s":"\\u00e4\\"}","n":-0,"e":1E2 }';
    client.sendLine(
      `{"jsonrpc":"2.0","id":50,"method":"tools/call","params":{"arguments":${raw},"name":"echo"}}`,
    );
    expect((await client.answerTo(50)).result.content[0].text).toBe(raw);
  });

  it('shows its environment and sends numbers that a parser would round', async () => {
    const client = startServer([], { env: { PATH: process.env['PATH'], ONLY_THIS: 'yes' } });
    await client.initialize();
    expect(JSON.parse(await textOf(client, 'get_env', {})).ONLY_THIS).toBe('yes');
    await client.callTool('odd_result');
    expect(client.lines.at(-1)).toContain('"above":9007199254740993,');
    expect(client.lines.at(-1)).toContain('"decimal":1.10,');
  });

  it('refuses an unknown behaviour by name', async () => {
    const client = startServer(['be-nice']);
    expect((await client.exited).code).toBe(2);
    expect(client.stderr).toContain('unknown behaviour be-nice');
  });
});

describe('behaviours of the process', () => {
  it.each([['hang-before-initialize'], ['never-read-stdin']])(
    '%s: no answer',
    async (behaviour) => {
      const client = startServer([behaviour]);
      await expect(client.request('initialize', {}, 700)).rejects.toThrow('no such frame');
      expect(client.isRunning).toBe(true);
    },
  );

  it('hang-after-initialize: one answer only', async () => {
    const client = await startReady('hang-after-initialize');
    await expect(client.request('tools/list', {}, 500)).rejects.toThrow('no such frame');
  });

  it('exit-at-start: the code and a line on stderr', async () => {
    const client = startServer(['exit-at-start', '--code', '7']);
    expect((await client.exited).code).toBe(7);
    expect(client.stderr).toBe('cannot open the ledger\n');
  });

  it.each([
    ['exit-before-answer', 0],
    ['exit-after-effect', 1],
  ])('%s: no answer and %d effects', async (behaviour, count) => {
    const client = await startReady(behaviour);
    await expect(client.callTool('pay', payment)).rejects.toThrow('ended with 1');
    expect(countEffects(effects)).toBe(count);
  });

  it('ignore-signals: outlives its input and SIGTERM', async () => {
    const client = await startReady('ignore-signals');
    client.endInput();
    client.kill('SIGTERM');
    const early = new Promise((resolve) => setTimeout(() => resolve('alive'), 500));
    expect(await Promise.race([client.exited, early])).toBe('alive');
  });

  it('spawn-grandchild: the client finds it after the server has gone', async () => {
    const pidFile = join(folder, 'pids');
    const client = await startReady('spawn-grandchild', '--pid-file', pidFile);
    const [, grandchild] = readFileSync(pidFile, 'utf8').trim().split('\n');
    const pid = Number(grandchild?.split(' ')[1]);
    expect(client.trackProcesses().map((info) => info.pid)).toEqual([pid]);
    client.kill('SIGKILL');
    const report = await client.stop(500);
    expect(report.leftOver.map((info) => info.pid)).toEqual([pid]);
    expect(existsSync(`/proc/${pid}/fd/0`)).toBe(false);
  });

  it('rubbish-on-stdout: the client reports each line that is no JSON-RPC', async () => {
    const client = await startReady('rubbish-on-stdout');
    expect((await client.request('ping')).result).toEqual({});
    expect(client.problems).toHaveLength(8);
    await expect(client.close()).rejects.toThrow('every line of stdout is JSON-RPC');
  });

  it('noise-on-stderr: stdout stays clean', async () => {
    const client = startServer(['noise-on-stderr'], {
      env: { PATH: process.env['PATH'], HOSTILE_SECRET: 's3cret' },
    });
    await client.initialize();
    await client.close();
    expect(client.stderr.split('\n').length).toBeGreaterThan(1_000);
    expect(client.stderr).toContain('token s3cret');
  });
});

describe('behaviours of the listing', () => {
  it('two-pages: complete with the cursor only', async () => {
    const client = await startReady('two-pages');
    expect((await client.request('tools/list')).result.tools).toHaveLength(2);
    expect(await client.listTools()).toHaveLength(6);
  });

  it.each([
    ['endless-pages', ['page-1', 'page-2']],
    ['looping-pages', ['again', 'again']],
  ])('%s: always another cursor', async (behaviour, expected) => {
    const client = await startReady(behaviour);
    const cursors = [];
    for (let page = 0; page < 2; page += 1) {
      cursors.push((await client.request('tools/list')).result.nextCursor);
    }
    expect(cursors).toEqual(expected);
  });

  it.each([
    ['change-definition', true],
    ['change-silently', false],
  ])('%s: `pay` differs after a number of calls; announced: %s', async (behaviour, isAnnounced) => {
    const client = await startReady(behaviour, '--after', '1');
    const before = (await client.listTools()).find((tool) => tool.name === 'pay');
    await client.callTool('pay', payment);
    const after = (await client.listTools()).find((tool) => tool.name === 'pay');
    expect(after.description).not.toBe(before.description);
    const announced = client.frames.filter((frame) => frame.method?.endsWith('list_changed'));
    expect(announced).toHaveLength(isAnnounced ? 1 : 0);
  });

  it('add-tool: by `control`, while it runs, announced', async () => {
    const client = await startReady();
    await client.callTool('control', { behaviour: 'add-tool' });
    await client.waitFor((frame) => frame.method === 'notifications/tools/list_changed');
    expect((await client.listTools()).at(-1).name).toBe('pay_more');
    await client.callTool('pay_more', payment);
    expect(countEffects(effects)).toBe(1);
  });

  it('deep-schema, large-schema, network-reference: one more tool each', async () => {
    const deep = await startReady('deep-schema', '--depth', '900');
    expect(JSON.stringify((await deep.listTools()).at(-1)).split('"a":')).toHaveLength(901);
    const large = await startReady('large-schema', '--bytes', '300000');
    expect(JSON.stringify((await large.listTools()).at(-1)).length).toBeGreaterThan(300_000);
    const url = 'http://127.0.0.1:9/x.json';
    const remote = await startReady('network-reference', '--url', url);
    expect((await remote.listTools()).at(-1).inputSchema.properties.value.$ref).toBe(url);
  });
});

describe('behaviours of the answers', () => {
  it('answer-twice: two answers, one effect', async () => {
    const client = await startReady('answer-twice');
    const id = client.post('tools/call', { name: 'pay', arguments: payment });
    await client.request('ping');
    expect(client.answersTo(id)).toHaveLength(2);
    expect(countEffects(effects)).toBe(1);
  });

  it('foreign-id and unparsable-answer: no answer with the id, one effect each', async () => {
    const foreign = await startReady('foreign-id');
    const id = foreign.post('tools/call', { name: 'pay', arguments: payment });
    await foreign.answerTo(987_654_321);
    expect(foreign.answersTo(id)).toEqual([]);
    const broken = await startReady('unparsable-answer');
    broken.post('tools/call', { name: 'pay', arguments: payment });
    await broken.request('ping');
    expect(broken.problems).toHaveLength(1);
    expect(countEffects(effects)).toBe(2);
  });

  it('late-progress, unknown-progress: progress that nobody waits for', async () => {
    const client = await startReady('late-progress', 'unknown-progress');
    const _meta = { progressToken: 'mine' };
    await client.request('tools/call', { name: 'pay', arguments: payment, _meta });
    await client.waitFor((frame) => frame.params?.progressToken === 'nobody-gave-this');
    const methods = client.frames.slice(-3).map((frame) => frame.params?.progressToken);
    expect(methods).toEqual([undefined, 'mine', 'nobody-gave-this']);
  });

  it('slow with progress: three messages, then the answer', async () => {
    const client = await startReady('slow', 'progress', '--delay', '200');
    const _meta = { progressToken: 0 };
    await client.request('tools/call', { name: 'pay', arguments: payment, _meta });
    const sent = client.frames.filter((frame) => frame.method === 'notifications/progress');
    expect(sent.map((frame) => frame.params.progress)).toEqual([0.25, 0.5, 0.75]);
  });

  it('slow: a cancelled call has no effect and no answer', async () => {
    const log = join(folder, 'log.jsonl');
    const client = await startReady('slow', '--delay', '300', '--log', log);
    const id = client.post('tools/call', { name: 'pay', arguments: payment });
    client.notify('notifications/cancelled', { requestId: id });
    await client.callTool('pay', payment);
    expect(client.answersTo(id)).toEqual([]);
    expect(countEffects(effects)).toBe(1);
    expect(readFileSync(log, 'utf8')).toContain('notifications/cancelled');
  });

  it('big-result, tool-error, rpc-error: as large, as wrong as told', async () => {
    const big = await startReady('big-result', '--bytes', '5000000');
    expect(await textOf(big, 'pay', payment)).toHaveLength(5_000_000);
    const failing = await startReady('tool-error');
    expect((await failing.callTool('pay', payment)).result.isError).toBe(true);
    const closed = await startReady('rpc-error');
    expect((await closed.callTool('pay', payment)).error).toEqual({
      code: -32050,
      message: 'the ledger is closed',
      data: { retry: false },
    });
  });

  it.each([
    ['ask-elicitation', 'elicitation/create'],
    ['ask-sampling', 'sampling/createMessage'],
    ['ask-roots', 'roots/list'],
  ])('%s: asks, and pays after any answer', async (behaviour, method) => {
    const asked: string[] = [];
    const client = startServer([behaviour], {
      onRequest: (frame) => {
        asked.push(frame.method ?? '');
        return { action: 'decline' };
      },
    });
    await client.initialize({ elicitation: {} });
    expect(await textOf(client, 'pay', payment)).toContain('"action":"decline"');
    expect(asked).toEqual([method]);
    expect(countEffects(effects)).toBe(1);
  });
});

describe('rawMember', () => {
  it.each([
    ['{"a":{"b":[1,{"c":"}\\""}]},"d":1}', ['a', 'b'], '[1,{"c":"}\\""}]'],
    ['{ "\\u0061" : 1e5 , "b":2}', ['a'], '1e5'],
    ['{"a":"x\\\\"}', ['a'], '"x\\\\"'],
    ['{"a":{}}', ['a', 'b'], undefined],
    ['{"a":1}', ['a', 'b'], undefined],
    ['{"x":[{"a":0}],"a":true}', ['a'], 'true'],
  ])('reads from %s at %j', (json, path, expected) => {
    expect(rawMember(json, path)).toBe(expected);
  });
});
