import { describe, expect, it } from 'vitest';
import { type Frame, startHarness } from '../../test/fixtures/proxy/proxy-harness.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import type { JsonObject } from '../core/json-value.ts';

describe('passthrough call', () => {
  verifies(
    ['MCP-P2', 'MCP-M4', 'MCP-R29', 'MCP-R06'],
    'params are forwarded with every digit and unknown member, but for hop keys',
    async () => {
      const client = await startHarness();
      await client.initialize();
      client.sendLine(
        '{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"read","arguments":' +
          '{"big":12345678901234567890,"f":1.50,"e":1E3,"z":-0,"n":null,"b":false,"l":[]},' +
          '"_meta":{"progressToken":7,"traceparent":"00-a","io.intentplane/x":1,"own":[1]},"task":{"ttl":1}}}',
      );
      await client.answerTo('x');
      const [call] = client.servers.calls;
      expect(call?.argumentsText).toBe(
        '{"big":12345678901234567890,"f":1.50,"e":1E3,"z":-0,"n":null,"b":false,"l":[]}',
      );
      expect(call?.meta).toEqual({ traceparent: '00-a', own: [1] });
      expect(call?.otherParams).toEqual({ task: { ttl: 1 } });
      await client.end();
    },
  );

  it('leaves absent arguments absent and relays odd ones', async () => {
    const client = await startHarness();
    await client.initialize();
    await client.request('tools/call', { name: 'read' });
    await client.request('tools/call', { name: 'read', arguments: null });
    await client.request('tools/call', { name: 'read', arguments: [1] });
    const texts = client.servers.calls.map((call) => call.argumentsText);
    expect(texts).toEqual([undefined, 'null', '[1]']);
    expect(client.servers.calls[0]?.meta).toBeUndefined();
    await client.end();
  });

  verifies(['MCP-R03', 'MCP-R04'], 'odd results arrive untouched', async () => {
    const client = await startHarness();
    await client.initialize();
    const results: JsonObject[] = [
      { content: [] },
      { content: [{ type: 'hologram', data: 1 }], structuredContent: [1, 2], isError: true },
      { content: [], structuredContent: null, isError: false, _meta: { a: { b: [] } }, extra: 0 },
      { resultType: 'odd', content: [] },
      {},
    ];
    for (const result of results) {
      client.servers.handler = () => ({ kind: 'result', result });
      expect((await client.callTool('read')).result).toEqual(result);
    }
    await client.end();
  });

  verifies(['MCP-P3', 'MCP-B1'], 'errors are relayed, failures say what was sent', async () => {
    const client = await startHarness();
    await client.initialize();
    const error = { code: -32050, message: 'no', data: { why: [1] } };
    client.servers.handler = () => ({ kind: 'error', error });
    expect((await client.callTool('read')).error).toEqual(error);
    client.servers.handler = () => ({ kind: 'not_sent', reason: 'not running' });
    const notSent = (await client.callTool('read')).result;
    expect(notSent).toEqual({
      content: [{ type: 'text', text: 'bank: not running. Nothing was sent.' }],
      isError: true,
    });
    client.servers.handler = () => ({ kind: 'lost', reason: 'ended with exit code 3' });
    const lost = (await client.callTool('read')).result;
    expect(lost.isError).toBe(true);
    expect(lost.content[0].text).toContain('bank: ended with exit code 3. The call was sent;');
    await client.end();
  });

  verifies('MCP-P1', 'each call is noted once, and never proposed to the gateway', async () => {
    const client = await startHarness();
    await client.initialize();
    await client.callTool('read');
    client.servers.handler = () => ({ kind: 'lost', reason: 'x' });
    await client.callTool('read');
    client.servers.handler = () => ({ kind: 'result', result: { content: [], isError: true } });
    await client.callTool('read');
    expect(client.notes.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['passthrough', 'result'],
      ['passthrough', 'lost'],
      ['passthrough', 'tool_error'],
    ]);
    expect(client.gateway.callers).toEqual([]);
    await client.end();
  });

  verifies(
    ['MCP-X4', 'MCP-R11'],
    'a cancelled call is cancelled downstream, unanswered',
    async () => {
      const client = await startHarness();
      await client.initialize();
      client.servers.handler = () => undefined;
      const id = client.post('tools/call', { name: 'read', arguments: {} });
      await client.settle();
      client.notify('notifications/cancelled', { requestId: id });
      await client.settle();
      expect(client.servers.cancelled).toBe(1);
      expect(client.frames.filter((frame: Frame) => frame.id === id)).toEqual([]);
      await client.end();
    },
  );

  verifies(
    'MCP-G5',
    'an id that is in use is refused, and the first call is answered',
    async () => {
      const client = await startHarness();
      await client.initialize();
      let finish: (() => void) | undefined;
      client.servers.handler = () =>
        new Promise((resolve) => {
          finish = (): void => resolve({ kind: 'result', result: { content: [] } });
        });
      const call = { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'read' } };
      client.frames.length = 0;
      client.send(call);
      client.send(call);
      expect((await client.answerTo(5)).error.code).toBe(-32600);
      client.frames.length = 0;
      finish?.();
      expect((await client.answerTo(5)).result).toEqual({ content: [] });
      expect(client.servers.calls).toHaveLength(1);
      await client.end();
    },
  );

  verifies(
    ['MCP-O1', 'MCP-R22'],
    'progress passes under the token of the client, rising',
    async () => {
      const client = await startHarness();
      await client.initialize();
      for (const token of ['t', 0, 9_007_199_254_740_991]) {
        client.frames.length = 0;
        client.servers.handler = ({ onProgress }) => {
          for (const progress of [1, 2, 2, 1, 3])
            onProgress?.({ progress, total: 9, message: 'm' });
          setTimeout(() => onProgress?.({ progress: 4 }), 20);
          return { kind: 'result', result: {} };
        };
        const params = { name: 'read', _meta: { progressToken: token } };
        await client.request('tools/call', params);
        await new Promise((resolve) => setTimeout(resolve, 40));
        const sent = client.frames.filter((frame) => frame.method === 'notifications/progress');
        expect(sent.map((frame) => frame.params)).toEqual(
          [1, 2, 3].map((progress) => ({ progress, total: 9, message: 'm', progressToken: token })),
        );
      }
      await client.end();
    },
  );

  it('asks for nothing to be sent when the client gave no token', async () => {
    const client = await startHarness();
    await client.initialize();
    await client.callTool('read');
    expect(client.servers.calls[0]?.onProgress).toBeUndefined();
    await client.end();
  });

  it('relays log messages at the level that was asked for', async () => {
    const client = await startHarness();
    await client.initialize();
    client.servers.log('bank', { level: 'error', data: 'unasked' });
    expect((await client.request('logging/setLevel', { level: 'loud' })).error.code).toBe(-32602);
    await client.request('logging/setLevel', { level: 'warning' });
    expect(client.servers.logLevels).toEqual(['warning']);
    client.servers.log('bank', { level: 'info', data: 'too quiet' });
    client.servers.log('bank', { level: 'error', data: 'heard', logger: 'x' });
    await client.settle();
    const sent = client.frames.filter((frame) => frame.method === 'notifications/message');
    expect(sent.map((frame) => frame.params.data)).toEqual(['heard']);
    await client.end();
  });

  it('relays log messages of the newer era while such a request is open', async () => {
    const client = await startHarness();
    const level = { 'io.modelcontextprotocol/logLevel': 'info' };
    client.servers.handler = () => {
      client.servers.log('bank', { level: 'notice', data: 'during' });
      return { kind: 'result', result: {} };
    };
    await client.modern('tools/call', { name: 'read', _meta: level });
    client.servers.log('bank', { level: 'notice', data: 'after' });
    await client.settle();
    const sent = client.frames.filter((frame) => frame.method === 'notifications/message');
    expect(sent.map((frame) => frame.params.data)).toEqual(['during']);
    await client.end();
  });
});
