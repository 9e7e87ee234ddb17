import { describe, expect, it } from 'vitest';
import { startHarness, withEnvelope } from '../../test/fixtures/proxy/proxy-harness.ts';
import { verifies } from '../../test/requirements/verifies.ts';

const envelopeKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
};

describe('session, older revisions', () => {
  it('answers each known revision with itself and an unknown one with the newest', async () => {
    for (const [asked, agreed] of [
      ['2024-11-05', '2024-11-05'],
      ['2025-03-26', '2025-03-26'],
      ['2025-06-18', '2025-06-18'],
      ['2025-11-25', '2025-11-25'],
      ['2023-01-01', '2025-11-25'],
    ] as const) {
      const client = await startHarness();
      const { result } = await client.initialize({}, asked);
      expect(result.protocolVersion).toBe(agreed);
      await client.end();
    }
  });

  verifies('MCP-L2', 'capabilities come from the configuration, not from servers', async () => {
    const client = await startHarness({ isSilent: true });
    const { result } = await client.initialize();
    expect(result.capabilities).toEqual({ tools: { listChanged: true }, logging: {} });
    expect(result.serverInfo).toEqual({
      name: 'intentplane',
      title: 'intentplane',
      version: '1.2.3',
    });
    await client.end();
  });

  verifies(
    'MCP-L3',
    'nothing but initialize and ping before initialize, and only once',
    async () => {
      const client = await startHarness();
      expect((await client.request('ping')).result).toEqual({});
      expect((await client.request('tools/list')).error.code).toBe(-32600);
      await client.initialize();
      expect((await client.request('initialize', {})).error.code).toBe(-32600);
      expect((await client.request('tools/list')).result.tools).toHaveLength(5);
      await client.end();
    },
  );

  verifies('MCP-M1', 'ids keep their type; impossible ones are refused with id null', async () => {
    const client = await startHarness();
    await client.initialize();
    for (const id of ['', 'a"b', 0, -5, 9_007_199_254_740_991, '7']) {
      client.send({ jsonrpc: '2.0', id, method: 'ping' });
      expect((await client.answerTo(id)).result).toEqual({});
    }
    for (const id of ['1.5', 'null', '{}', 'true', '9007199254740993', '[1]']) {
      client.frames.length = 0;
      client.sendLine(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
      expect((await client.answerTo(null)).error.code).toBe(-32600);
    }
    await client.end();
  });

  verifies('MCP-M2', 'a batch is refused as one bad message', async () => {
    const client = await startHarness();
    client.sendLine('[{"jsonrpc":"2.0","id":1,"method":"ping"}]');
    expect((await client.answerTo(null)).error.code).toBe(-32600);
    await client.end();
  });

  verifies('MCP-M3', 'bad frames are answered and the connection stays usable', async () => {
    const client = await startHarness();
    await client.initialize();
    for (const line of [
      'rubbish',
      '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":01}}',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(70)}${']'.repeat(70)}}}`,
      '{"jsonrpc":"2.0","id":1,"method":"ping"} {}',
    ]) {
      client.frames.length = 0;
      client.sendLine(line);
      expect((await client.answerTo(null)).error.code).toBe(-32700);
    }
    client.frames.length = 0;
    client.input.write(Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]));
    expect((await client.answerTo(null)).error.message).toContain('UTF-8');
    client.frames.length = 0;
    client.input.write(Buffer.alloc(16 * 1024 * 1024 + 1, 0x61));
    client.sendLine('');
    expect((await client.answerTo(null)).error.message).toContain('above 16 MiB');
    expect((await client.request('ping')).result).toEqual({});
    await client.end();
  });

  it('refuses params that are no object, with the id of the request', async () => {
    const client = await startHarness();
    await client.initialize();
    client.sendLine('{"jsonrpc":"2.0","id":77,"method":"tools/list","params":[1]}');
    expect((await client.answerTo(77)).error.code).toBe(-32602);
    await client.end();
  });

  it('refuses an unknown method and ignores unknown notifications and answers', async () => {
    const client = await startHarness();
    await client.initialize();
    client.notify('notifications/unknown');
    client.send({ jsonrpc: '2.0', id: 99, result: {} });
    client.send({ jsonrpc: '2.0', id: null, error: { code: -1, message: 'x' } });
    client.notify('notifications/cancelled', { requestId: 12345 });
    client.notify('notifications/progress', { progressToken: 'x', progress: 1 });
    for (const method of ['resources/list', 'tasks/get', 'server/discover', 'made/up']) {
      expect((await client.request(method)).error.code).toBe(-32601);
    }
    expect(client.frames.filter((frame) => frame.id === 99)).toEqual([]);
    await client.end();
  });
});

describe('session, revision 2026-07-28', () => {
  verifies('MCP-E6', 'discovers and lists with result type and cache fields', async () => {
    const client = await startHarness();
    const { result } = await client.modern('server/discover');
    expect(result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true } },
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
    });
    expect(result.instructions).toContain('guarded');
    const list = (await client.modern('tools/list')).result;
    expect(list).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    const called = (await client.modern('tools/call', { name: 'read', arguments: {} })).result;
    expect(called.resultType).toBe('complete');
    await client.end();
  });

  it('says which part of the envelope is wrong', async () => {
    const client = await startHarness();
    const wrong = [
      [{ _meta: { [envelopeKeys.version]: '2026-07-28' } }, -32602],
      [withEnvelope({ _meta: { [envelopeKeys.version]: '2031-01-01' } }), -32022],
      [withEnvelope({ _meta: { [envelopeKeys.capabilities]: 3 } }), -32602],
      [withEnvelope({ _meta: { [envelopeKeys.version]: 7 } }), -32602],
      [withEnvelope({ _meta: { 'io.modelcontextprotocol/clientInfo': 'x' } }), -32602],
    ] as const;
    for (const [params, code] of wrong) {
      expect((await client.request('server/discover', params)).error.code).toBe(code);
    }
    const unsupported = await client.request(
      'tools/list',
      withEnvelope({ _meta: { [envelopeKeys.version]: '2031-01-01' } }),
    );
    expect(unsupported.error.data).toEqual({
      supported: ['2026-07-28'],
      requested: '2031-01-01',
    });
    await client.end();
  });

  it('lets a client look first and then choose the older handshake', async () => {
    const client = await startHarness();
    expect((await client.modern('server/discover')).result.resultType).toBe('complete');
    expect((await client.initialize()).result.protocolVersion).toBe('2025-11-25');
    expect((await client.modern('tools/list')).result.resultType).toBeUndefined();
    await client.end();
  });

  it('has no handshake once a request was answered', async () => {
    const client = await startHarness();
    await client.modern('tools/list');
    const { error } = await client.request('initialize', { protocolVersion: '2025-11-25' });
    expect(error).toMatchObject({ code: -32022, data: { requested: '2025-11-25' } });
    expect((await client.request('tools/list')).error.code).toBe(-32602);
    await client.end();
  });

  verifies('MCP-E5', 'ping is answered here, listening is acknowledged and tagged', async () => {
    const client = await startHarness();
    expect((await client.modern('ping')).result).toEqual({ resultType: 'complete' });
    const listening = client.post(
      'subscriptions/listen',
      withEnvelope({ notifications: { toolsListChanged: true, promptsListChanged: true } }),
    );
    const tag = { 'io.modelcontextprotocol/subscriptionId': listening };
    const ack = await client.waitFor((frame) => frame.method?.endsWith('acknowledged') === true);
    expect(ack.params).toEqual({ notifications: { toolsListChanged: true }, _meta: tag });
    client.servers.announce('bank', []);
    const note = await client.waitFor((frame) => frame.method?.endsWith('list_changed') === true);
    expect(note.params).toEqual({ _meta: tag });
    client.notify('notifications/cancelled', { requestId: listening });
    client.frames.length = 0;
    client.servers.announce('bank', [{ name: 'pay', inputSchema: { type: 'object' } }]);
    await client.settle();
    expect(client.frames).toEqual([]);
    await client.end();
  });

  it('ends its subscriptions with a result, and refuses a bad or a second one', async () => {
    const client = await startHarness();
    const bad = await client.modern('subscriptions/listen');
    expect(bad.error.code).toBe(-32602);
    const params = withEnvelope({ notifications: {} });
    client.send({ jsonrpc: '2.0', id: 'sub', method: 'subscriptions/listen', params });
    client.send({ jsonrpc: '2.0', id: 'sub', method: 'subscriptions/listen', params });
    expect((await client.answerTo('sub')).error.code).toBe(-32600);
    await client.end();
    const ended = client.frames.findLast((frame) => frame.id === 'sub');
    expect(ended.result).toMatchObject({ resultType: 'complete' });
  });
});
