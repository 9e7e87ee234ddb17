import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FakeToolServers } from '../../../test/fixtures/proxy/fake-tool-servers.ts';
import { verifies } from '../../../test/requirements/verifies.ts';
import type { JsonObject } from '../../core/json-value.ts';
import type { ToolCallOutcome } from '../tool-servers.ts';
import { readCompactAnswer } from './answer-frame.ts';
import { guessId } from './guess-id.ts';
import { listTools } from './list-tools.ts';
import { createMcpConnector } from './mcp-connector.ts';
import { pythonCommand } from './python-command.ts';
import { RestartPlan } from './restart-plan.ts';
import { toolCallParams } from './tool-call-params.ts';

const result = (value: JsonObject): ToolCallOutcome => ({ kind: 'result', result: value });

describe('createMcpConnector', () => {
  const operation = { opId: 'o', action: 'pay', server: 'bank', tool: 'pay', call: '{"a":1.50}' };
  const attempt = { key: 'k', attempt: 1, deadlineMs: 1, meta: undefined, onProgress: undefined };

  it('classifies every outcome', async () => {
    const servers = new FakeToolServers();
    const connector = createMcpConnector(servers);
    const rpcError = (code: number): ToolCallOutcome => ({
      kind: 'error',
      error: { code, message: 'm' },
    });
    const cases: [ToolCallOutcome, string][] = [
      [result({ content: [] }), 'SUCCESS'],
      [result({ content: [], isError: false }), 'SUCCESS'],
      [result({ content: [], isError: true }), 'TOOL_ERROR'],
      [rpcError(-32601), 'REJECTED'],
      [rpcError(-32602), 'REJECTED'],
      [rpcError(-32603), 'AMBIGUOUS'],
      [rpcError(-32050), 'AMBIGUOUS'],
      [{ kind: 'not_sent', reason: 'r' }, 'NOT_SENT'],
      [{ kind: 'lost', reason: 'r' }, 'AMBIGUOUS'],
      [{ kind: 'cancelled' }, 'AMBIGUOUS'],
    ];
    for (const [outcome, wanted] of cases) {
      servers.handler = () => outcome;
      expect((await connector.execute(operation, attempt)).class).toBe(wanted);
    }
  });

  it('sends the committed text once, without a way to take it back', async () => {
    const servers = new FakeToolServers();
    await createMcpConnector(servers).execute(operation, { ...attempt, meta: { a: 1 } });
    expect(servers.calls).toMatchObject([
      { server: 'bank', tool: 'pay', argumentsText: '{"a":1.50}', meta: { a: 1 } },
    ]);
    expect(servers.calls[0]?.cancellation).toBeUndefined();
  });
});

describe('listTools', () => {
  const page = (names: readonly string[], nextCursor?: string): ToolCallOutcome =>
    result({
      tools: names.map((name) => ({ name })),
      ...(nextCursor === undefined ? {} : { nextCursor }),
    });

  verifies(
    ['MCP-T3', 'MCP-R01'],
    'reads every page once; a looping cursor ends the list',
    async () => {
      const asked: (string | undefined)[] = [];
      const list = await listTools((cursor) => {
        asked.push(cursor);
        const next = cursor === undefined ? 'p2' : cursor === 'p2' ? 'p3' : undefined;
        return Promise.resolve(page([`t${asked.length}`], next));
      });
      expect(asked).toEqual([undefined, 'p2', 'p3']);
      expect(list.ok && list.tools.map((tool) => tool.name)).toEqual(['t1', 't2', 't3']);
      const looping = await listTools(() => Promise.resolve(page(['a'], 'same')));
      expect(looping.ok && looping.tools).toHaveLength(1);
      expect(looping.ok && looping.warnings.join()).toContain('came a second time');
    },
  );

  it('stops after 64 pages and after 10,000 tools', async () => {
    let count = 0;
    const many = await listTools(() => {
      count += 1;
      return Promise.resolve(page([`t${count}`], `c${count}`));
    });
    expect(many.ok && many.tools).toHaveLength(64);
    const names = Array.from({ length: 12_000 }, (_, index) => `t${index}`);
    const large = await listTools(() => Promise.resolve(page(names, 'more')));
    expect(large.ok && large.tools).toHaveLength(10_000);
    expect(large.ok && large.warnings.join()).toContain('more than 10000 tools');
  });

  it('warns of tools without a name, of doubles and of pages without tools', async () => {
    const list = await listTools(() =>
      Promise.resolve(result({ tools: [{ name: 'a' }, { name: 'a', x: 1 }, 7, { name: 7 }] })),
    );
    expect(list.ok && list.tools).toEqual([{ name: 'a', definition: { name: 'a' } }]);
    expect(list.ok && list.warnings).toHaveLength(3);
    const none = await listTools(() => Promise.resolve(result({})));
    expect(none.ok && none.warnings).toHaveLength(1);
  });

  it('says why there is no list', async () => {
    const outcomes: [ToolCallOutcome, string][] = [
      [{ kind: 'error', error: { code: -1, message: 'x' } }, 'error -1'],
      [{ kind: 'lost', reason: 'gone' }, 'gone'],
      [{ kind: 'not_sent', reason: 'closed' }, 'closed'],
      [{ kind: 'cancelled' }, 'cancelled'],
    ];
    for (const [outcome, reason] of outcomes) {
      const list = await listTools(() => Promise.resolve(outcome));
      expect(list.ok ? '' : list.reason).toContain(reason);
    }
  });
});

describe('readCompactAnswer', () => {
  it('reads both usual orders', () => {
    const resultText = '{"content":[{"type":"text","text":"}\\",\\"id\\":9}"}]}';
    for (const text of [
      `{"jsonrpc":"2.0","id":7,"result":${resultText}}`,
      `{"result":${resultText},"jsonrpc":"2.0","id":7}`,
    ]) {
      expect(readCompactAnswer(text)).toEqual({
        id: 7,
        outcome: { kind: 'result', result: JSON.parse(resultText), resultText },
      });
    }
  });

  it('leaves to the slow reader what would not print the same', () => {
    for (const resultText of [
      '{"a":1.0}',
      '{"a":12345678901234567890}',
      '{"a":1,"a":2}',
      '{ "a":1}',
      '[]',
      '{"a":',
      '7',
    ]) {
      expect(readCompactAnswer(`{"jsonrpc":"2.0","id":7,"result":${resultText}}`)).toBeUndefined();
    }
    expect(readCompactAnswer('{"jsonrpc":"2.0","id":7,"result":{}} ')).toBeUndefined();
    expect(readCompactAnswer('{"jsonrpc":"2.0","id":"7","result":{}}')).toBeUndefined();
    expect(readCompactAnswer('{"result":{},"id":7}')).toBeUndefined();
  });
});

describe('guessId', () => {
  it('finds the id first or last, and nowhere else', () => {
    expect(guessId('{"jsonrpc":"2.0","id":5,"result":{', 'xxx"}}')).toBe(5);
    expect(guessId('{"id":5,"result', '')).toBe(5);
    expect(guessId('{"result":{', '"}],"jsonrpc":"2.0","id":12}')).toBe(12);
    expect(guessId('{"result":{', '"}],"id":12,"jsonrpc":"2.0"}')).toBe(12);
    expect(guessId('{"result":{"id":5,', '"}}')).toBeUndefined();
  });
});

describe('RestartPlan', () => {
  it('waits 1, 2, 4 … s with jitter, and a minute after five starts in one', () => {
    const plan = new RestartPlan();
    let nowMs = 0;
    for (const seconds of [1, 2, 4, 8]) {
      plan.countStart(nowMs);
      const delayMs = plan.nextDelayMs(nowMs);
      expect(delayMs).toBeGreaterThanOrEqual(seconds * 750);
      expect(delayMs).toBeLessThanOrEqual(seconds * 1000);
      nowMs += delayMs;
    }
    plan.countStart(nowMs);
    expect(plan.nextDelayMs(nowMs)).toBe(60_000);
    nowMs += 120_000;
    plan.countStart(nowMs);
    expect(plan.nextDelayMs(nowMs)).toBeLessThanOrEqual(1000);
  });
});

describe('toolCallParams', () => {
  it('keeps texts, adds our token, and leaves out what is absent', () => {
    const call = {
      server: 's',
      tool: 'a"b',
      argumentsText: '{"n":1.50}',
      meta: { traceparent: 't' },
      onProgress: undefined,
      cancellation: undefined,
    };
    expect(toolCallParams({ ...call, otherParams: { task: 1 } }, 9)).toBe(
      '{"name":"a\\"b","arguments":{"n":1.50},"task":1,"_meta":{"traceparent":"t","progressToken":9}}',
    );
    const bare = { ...call, argumentsText: undefined, meta: undefined, otherParams: {} };
    expect(toolCallParams(bare, 1)).toBe('{"name":"a\\"b","_meta":{"progressToken":1}}');
  });
});

describe('pythonCommand', () => {
  it('takes python3 where the path has it, and leaves other commands alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'python-command-'));
    try {
      expect(pythonCommand('python', { PATH: folder })).toBe('python');
      writeFileSync(join(folder, 'python3'), '');
      chmodSync(join(folder, 'python3'), 0o755);
      expect(pythonCommand('python', { PATH: `/nowhere:${folder}` })).toBe('python3');
      expect(pythonCommand('node', { PATH: folder })).toBe('node');
      expect(pythonCommand('python', {})).toBe('python');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
