import { describe, expect, it } from 'vitest';
import { definitionOf, type Frame, startHarness } from '../../test/fixtures/proxy/proxy-harness.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import type { JsonObject } from '../core/json-value.ts';

const decisionOf = (frame: Frame): Frame => frame.result._meta['io.intentplane/decision'];

describe('guarded call', () => {
  verifies(['MCP-G3', 'MCP-G4'], 'the result of an executed operation is untouched', async () => {
    const client = await startHarness();
    await client.initialize();
    const result = {
      content: [{ type: 'odd' }],
      structuredContent: [null],
      _meta: { traceparent: '00-b' },
      isError: false,
      more: {},
    };
    client.servers.handler = () => ({ kind: 'result', result });
    const params = { name: 'pay', arguments: { iban: 'X' }, _meta: { traceparent: '00-a' } };
    expect((await client.request('tools/call', params)).result).toEqual(result);
    expect(client.servers.calls[0]?.meta).toEqual({ traceparent: '00-a' });
    await client.end();
  });

  verifies(
    'MCP-G2',
    'the gateway gets the parsed arguments and their text, digits kept',
    async () => {
      const seen: unknown[] = [];
      const client = await startHarness({
        decide: ({ args, rawText }) => {
          seen.push(JSON.stringify(args), rawText);
          return 'allow';
        },
      });
      await client.initialize();
      client.sendLine(
        '{"jsonrpc":"2.0","id":"g","method":"tools/call","params":{"name":"pay","arguments":' +
          '{"amount":10.50,"n":null},"_meta":{"io.intentplane/approval":"x","progressToken":1}}}',
      );
      await client.answerTo('g');
      expect(seen).toEqual(['{"amount":10.50,"n":null}', '{"amount":10.50,"n":null}']);
      expect(client.gateway.callers[0]?.meta).toBeUndefined();
      expect(client.gateway.callers[0]).toMatchObject({ channel: 'mcp', client: 'harness/1.0.0' });
      await client.end();
    },
  );

  verifies('MCP-G6', 'surrogates and prototype keys reach the decision, not the wire', async () => {
    const seen: string[] = [];
    const client = await startHarness({
      decide: ({ rawText }) => {
        seen.push(rawText);
        return 'CONTRACT_INVALID';
      },
    });
    await client.initialize();
    const send = (id: number, args: string): void =>
      client.sendLine(
        `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"pay","arguments":${args}}}`,
      );
    send(101, '{"a":"\\ud800"}');
    expect(decisionOf(await client.answerTo(101)).codes).toEqual(['CONTRACT_INVALID']);
    send(102, '{"__proto__":{"x":1e400}}');
    expect(decisionOf(await client.answerTo(102)).status).toBe('denied');
    send(103, '{"a":"\\ud800","b":1,"b":2}');
    expect((await client.answerTo(null)).error.code).toBe(-32700);
    expect(seen).toEqual(['{"a":"\\ud800"}', '{"__proto__":{"x":1e400}}']);
    expect(client.servers.calls).toEqual([]);
    await client.end();
  });

  verifies('MCP-A3', 'the same refusal reads the same but for ids', async () => {
    const client = await startHarness({ decide: () => 'PROVENANCE_UNTRUSTED' });
    await client.initialize();
    const texts: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      const { result } = await client.callTool('pay', { iban: 'DE00' });
      const { decision_id: id } = result._meta['io.intentplane/decision'];
      texts.push(JSON.stringify(result).replaceAll(id, 'ID'));
    }
    expect(texts[1]).toBe(texts[0]);
    await client.end();
  });

  it('leaves structuredContent out when the tool has an output schema, and only then', async () => {
    const outputSchema = { type: 'object', required: ['ok'] };
    for (const definition of [definitionOf('pay', { outputSchema }), definitionOf('pay')]) {
      const client = await startHarness({
        definitions: [definition],
        decide: () => 'BUDGET_AMOUNT',
      });
      await client.initialize();
      const { result } = await client.callTool('pay');
      expect('structuredContent' in result).toBe(definition['outputSchema'] === undefined);
      expect(result._meta['io.intentplane/decision'].stage).toBe('budget');
      await client.end();
    }
  });

  verifies(
    'MCP-A5',
    'unknown and failed are told apart, and an unknown tool error is marked',
    async () => {
      const client = await startHarness();
      await client.initialize();
      client.servers.handler = () => ({ kind: 'lost', reason: 'ended' });
      const unknown = (await client.callTool('pay')).result;
      expect(unknown.content[0].text).toMatch(/^It is not known whether the effect happened/);
      expect(unknown._meta['io.intentplane/decision'].outcome.may_repeat).toBe(false);
      client.servers.handler = () => ({ kind: 'not_sent', reason: 'not running' });
      const failed = (await client.callTool('pay')).result;
      expect(failed.content[0].text).toMatch(/^Failed, nothing took effect .*: not running\./);
      const result: JsonObject = { content: [], isError: true, _meta: { own: 1 } };
      client.servers.handler = () => ({ kind: 'result', result });
      const toolError = (await client.callTool('pay')).result;
      expect(toolError).toMatchObject({ content: [], isError: true, _meta: { own: 1 } });
      expect(toolError._meta['io.intentplane/decision'].status).toBe('unknown');
      await client.end();
    },
  );

  it('tells an untold success with the operation that it was', async () => {
    const client = await startHarness();
    await client.initialize();
    const result = { content: [{ type: 'text', text: 'paid' }], structuredContent: { ok: 1 } };
    const told = { kind: 'executed', decisionId: 'd', opId: 'o', report: undefined } as const;
    const earlier = { opId: 'o', atMs: 0 };
    client.gateway.submit = () => Promise.resolve({ ...told, result, earlier });
    const answer = (await client.callTool('pay')).result;
    expect(answer.content[0]).toEqual(result.content[0]);
    expect(answer.content[1].text).toBe(
      'This is the answer of operation o, which ended at 1970-01-01T00:00:00.000Z. Nothing was sent now.',
    );
    expect(answer.structuredContent).toEqual({ ok: 1 });
    expect(answer._meta).toEqual({
      'io.intentplane/earlier': { op_id: 'o', at: '1970-01-01T00:00:00.000Z' },
    });
    await client.end();
  });

  it('answers a mistake of ours with an internal error, and logs it', async () => {
    const client = await startHarness();
    await client.initialize();
    client.gateway.submit = () => Promise.reject(new Error('broken'));
    expect((await client.callTool('pay')).error).toEqual({
      code: -32603,
      message: 'Internal error',
    });
    expect(client.logs.at(-1)).toContain('tools/call failed: Error: broken');
    await client.end();
  });

  it('fails a call of a tool that was never seen on a server that is down', async () => {
    const client = await startHarness({ isSilent: true });
    client.servers.setState('bank', 'down');
    await client.initialize();
    const { result } = await client.callTool('pay');
    expect(result.content[0].text).toContain('bank is not running, nothing was sent');
    client.servers.announce('bank', [definitionOf('read')]);
    expect((await client.callTool('pay')).error.message).toBe('Unknown tool: pay');
    await client.end();
  });

  verifies('MCP-G5', 'the id of an earlier guarded call is no second proposal', async () => {
    const client = await startHarness();
    await client.initialize();
    const call = { jsonrpc: '2.0', id: 'once', method: 'tools/call', params: { name: 'pay' } };
    client.send(call);
    await client.answerTo('once');
    client.frames.length = 0;
    client.send(call);
    expect((await client.answerTo('once')).error.code).toBe(-32600);
    expect(client.servers.calls).toHaveLength(1);
    await client.end();
  });

  verifies('MCP-X1', 'cancelled before the decision: no effect and no answer', async () => {
    let decide: (() => void) | undefined;
    const client = await startHarness({
      decide: () =>
        new Promise((resolve) => {
          decide = (): void => resolve('allow');
        }),
    });
    await client.initialize();
    const id = client.post('tools/call', { name: 'pay', arguments: {} });
    await client.settle();
    client.notify('notifications/cancelled', { requestId: id });
    await client.settle();
    decide?.();
    await client.settle();
    expect(client.servers.calls).toEqual([]);
    expect(client.frames.some((frame) => frame.id === id)).toBe(false);
    await client.end();
  });

  verifies('MCP-X3', 'cancelled after dispatch: the attempt goes on, unanswered', async () => {
    const client = await startHarness();
    await client.initialize();
    let finish: (() => void) | undefined;
    client.servers.handler = () =>
      new Promise((resolve) => {
        finish = (): void => resolve({ kind: 'result', result: { content: [] } });
      });
    const id = client.post('tools/call', { name: 'pay', arguments: {} });
    await client.settle();
    client.notify('notifications/cancelled', { requestId: id });
    await client.settle();
    expect(client.servers.calls[0]?.cancellation).toBeUndefined();
    finish?.();
    await client.settle();
    expect(client.frames.some((frame) => frame.id === id)).toBe(false);
    expect(client.notes[0]?.outcome).toBe('executed');
    await client.end();
  });

  verifies('MCP-X5', 'a cancellation of an answered call changes nothing', async () => {
    const client = await startHarness();
    await client.initialize();
    const { id } = await client.callTool('pay');
    client.notify('notifications/cancelled', { requestId: id });
    expect((await client.callTool('pay', { again: 1 })).result.content).toHaveLength(1);
    await client.end();
  });

  it('passes progress of a guarded call on', async () => {
    const client = await startHarness();
    await client.initialize();
    client.servers.handler = ({ onProgress }) => {
      onProgress?.({ progress: 0.5 });
      return { kind: 'result', result: {} };
    };
    await client.request('tools/call', { name: 'pay', _meta: { progressToken: 'p' } });
    const note = await client.waitFor((frame) => frame.method === 'notifications/progress');
    expect(note.params).toEqual({ progress: 0.5, progressToken: 'p' });
    await client.end();
  });

  verifies('MCP-C1', '64 parallel calls give 64 answers, at most 32 of them at once', async () => {
    const client = await startHarness();
    await client.initialize();
    let running = 0;
    let most = 0;
    client.servers.handler = async ({ argumentsText }) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return { kind: 'result', result: { content: [], args: argumentsText ?? '' } };
    };
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, n) => client.callTool(n % 2 === 0 ? 'pay' : 'read', { n })),
    );
    expect(answers.map(({ result }) => result.args)).toEqual(answers.map((_, n) => `{"n":${n}}`));
    expect(most).toBe(32);
    await client.end();
  });

  it('refuses what neither runs nor fits into the queue, and says when to come back', async () => {
    const client = await startHarness();
    await client.initialize();
    client.servers.handler = () => undefined;
    const ids = Array.from({ length: 32 + 1024 }, () =>
      client.post('tools/call', { name: 'read' }),
    );
    const { result } = await client.callTool('pay', {});
    expect(result._meta['io.intentplane/decision']).toMatchObject({
      status: 'denied',
      codes: ['RATE_LIMITED'],
      next: [{ do: 'wait', seconds: 5 }, { do: 'repeat_same_call' }],
    });
    for (const requestId of ids) client.notify('notifications/cancelled', { requestId });
    await client.settle();
    expect(client.servers.calls).toHaveLength(32);
    await client.end();
  });

  verifies('MCP-X6', 'a cancelled call leaves the queue without being sent', async () => {
    const client = await startHarness();
    await client.initialize();
    client.servers.handler = () => undefined;
    const running = Array.from({ length: 32 }, () => client.post('tools/call', { name: 'read' }));
    const queued = client.post('tools/call', { name: 'pay', arguments: {} });
    await client.settle();
    const startMs = performance.now();
    client.notify('notifications/cancelled', { requestId: queued });
    for (const requestId of running) client.notify('notifications/cancelled', { requestId });
    await client.settle();
    expect(performance.now() - startMs).toBeLessThan(50);
    expect(client.servers.cancelled).toBe(32);
    expect(client.gateway.callers).toEqual([]);
    await client.end();
  });
});

describe('own tools', () => {
  it('lists trusted values and tells the status', async () => {
    const client = await startHarness();
    await client.initialize();
    const listed = (await client.callTool('intentplane_list_trusted')).result;
    expect(listed.structuredContent.registries[0].records[0]).toEqual({
      ref: 'ref:acme',
      value: 'DE89 •••• 3000',
    });
    const none = await client.callTool('intentplane_list_trusted', { registry: 'other' });
    expect(none.result.structuredContent.registries).toEqual([]);
    const status = (await client.callTool('intentplane_status')).result;
    expect(status.structuredContent.budgets).toEqual([{ kind: 'amount', limit: 5000, left: 3800 }]);
    await client.end();
  });

  verifies('MCP-A6', 'a decision is explained by its id, a foreign id is unknown', async () => {
    const client = await startHarness({ decide: () => 'POLICY_FORBIDDEN' });
    await client.initialize();
    const denied = decisionOf(await client.callTool('pay'));
    const explained = await client.callTool('intentplane_explain', {
      decision_id: denied.decision_id,
    });
    expect(explained.result.structuredContent).toEqual(denied);
    const unknown = await client.callTool('intentplane_explain', { decision_id: 'other' });
    expect(unknown.result).toMatchObject({ isError: true, structuredContent: { found: false } });
    await client.end();
  });
});
