import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import type { JsonObject } from '../../core/json-value.ts';
import type { Cancellation, ToolCallOutcome } from '../tool-servers.ts';
import { ServerConnection } from './server-connection.ts';

interface Wire {
  readonly connection: ServerConnection;
  readonly sent: string[];
  readonly events: string[];
  readonly call: (more?: {
    readonly idleMs?: number;
    readonly onProgress?: (progress: JsonObject) => void;
    readonly cancellation?: Cancellation;
  }) => Promise<ToolCallOutcome>;
  readonly receive: (text: string) => void;
}

function wire(options: { readonly sends?: boolean } = {}): Wire {
  const sent: string[] = [];
  const events: string[] = [];
  const connection = new ServerConnection(
    (text, sender) => {
      sent.push(text);
      if (options.sends !== false) sender?.markSent();
      return { text, sender, isDropped: false };
    },
    {
      onListChanged: () => events.push('list'),
      onLogMessage: (params) => events.push(`log ${JSON.stringify(params)}`),
      onDuplicateKeys: (label) => events.push(`duplicate ${label}`),
      onWarning: (text) => events.push(`warning ${text}`),
    },
  );
  return {
    connection,
    sent,
    events,
    call: (more = {}) =>
      connection.request({
        method: 'tools/call',
        label: 'pay',
        params: (id) => `{"token":${id}}`,
        idleMs: more.idleMs ?? 1_000,
        totalMs: 60_000,
        cancelsOnTimeout: more.cancellation !== undefined,
        onProgress: more.onProgress,
        cancellation: more.cancellation,
        onSend: undefined,
      }),
    receive: (text) => connection.receive(Buffer.from(text)),
  };
}

describe('ServerConnection', () => {
  it('gives each request the next id and each answer to its own request', async () => {
    const { call, sent, receive } = wire();
    const first = call();
    const second = call();
    expect(sent[0]).toBe('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"token":1}}');
    receive('{"jsonrpc":"2.0","id":2,"error":{"code":-32050,"message":"no","data":{"a":[1.50]}}}');
    receive('{"jsonrpc":"2.0","id":1,"result":{"x": 1}}');
    expect(JSON.stringify(await second)).toBe(
      '{"kind":"error","error":{"code":-32050,"message":"no","data":{"a":[1.50]}}}',
    );
    expect(await first).toEqual({ kind: 'result', result: { x: 1 } });
  });

  it('believes no answer that is neither a result nor an error', async () => {
    for (const rest of [
      '"result":7',
      '"result":[]',
      '"error":"x"',
      '"error":{"code":"1"}',
      '"x":1',
    ]) {
      const { call, receive } = wire();
      const outcome = call();
      receive(`{"jsonrpc":"2.0","id":1,${rest}}`);
      expect(await outcome).toMatchObject({ kind: 'lost' });
    }
  });

  verifies(
    'MCP-M5',
    'equal keys in a result are told with the tool, and the last one counts',
    async () => {
      const { call, receive, events } = wire();
      const outcome = call();
      receive('{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2}}');
      expect(await outcome).toEqual({ kind: 'result', result: { a: 2 } });
      expect(events).toEqual(['duplicate pay']);
    },
  );

  it('answers pings, refuses other requests, passes announcements on', () => {
    const { receive, sent, events } = wire();
    receive('{"jsonrpc":"2.0","id":"p","method":"ping"}');
    receive('{"jsonrpc":"2.0","id":9,"method":"sampling/createMessage","params":{}}');
    receive('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
    receive('{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info"}}');
    receive('{"jsonrpc":"2.0","method":"notifications/other"}');
    expect(sent).toEqual([
      '{"jsonrpc":"2.0","id":"p","result":{}}',
      '{"jsonrpc":"2.0","id":9,"error":{"code":-32601,"message":"Method not found"}}',
    ]);
    expect(events.slice(1)).toEqual(['list', 'log {"level":"info"}']);
    expect(events[0]).toContain('`sampling/createMessage`, which is not switched on');
  });

  it('ignores what belongs to nothing, and says so once', () => {
    const { receive, events } = wire();
    receive('{"jsonrpc":"2.0","id":7,"result":{}}');
    receive('{"jsonrpc":"2.0","id":"7","result":{}}');
    receive('{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":5}}');
    expect(events).toHaveLength(1);
  });

  verifies('MCP-H5', 'lines that are no protocol are counted and the first one is told', () => {
    const { connection, receive, events } = wire();
    for (const line of ['Listening on 8080', '[]', '{"a":1}', '{"jsonrpc":"1.0","id":1}']) {
      receive(line);
    }
    connection.receive(Buffer.from([0xff, 0xfe]));
    expect(connection.rubbishLines).toBe(5);
    expect(events).toEqual(['warning a line on stdout is not protocol: `Listening on 8080`']);
  });

  it('ends every open request when it closes, and sends no further one', async () => {
    const { connection, call, sent } = wire();
    const open = call();
    connection.close('ended');
    expect(await open).toEqual({ kind: 'lost', reason: 'ended' });
    expect(await call()).toEqual({ kind: 'not_sent', reason: 'ended' });
    expect(sent).toHaveLength(1);
  });

  it('calls a request unsent until its first byte was written', async () => {
    const { connection, call } = wire({ sends: false });
    const open = call();
    connection.close('ended');
    expect(await open).toEqual({ kind: 'not_sent', reason: 'ended' });
  });

  verifies(
    'MCP-O3',
    'progress restarts the time limit and reaches the caller without its token',
    async () => {
      const { call, receive, sent } = wire();
      const seen: JsonObject[] = [];
      const cancellation: Cancellation = { isCancelled: false, onCancel: undefined };
      const outcome = call({
        idleMs: 200,
        cancellation,
        onProgress: (params) => seen.push(params),
      });
      const startMs = performance.now();
      for (let progress = 1; progress <= 3; progress += 1) {
        await new Promise((resolve) => setTimeout(resolve, 120));
        const params = { progressToken: 1, progress, message: 'm' };
        receive(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }));
      }
      expect(await outcome).toEqual({ kind: 'lost', reason: 'it did not answer within 0.2 s' });
      expect(performance.now() - startMs).toBeGreaterThan(500);
      expect(seen).toEqual([1, 2, 3].map((progress) => ({ progress, message: 'm' })));
      expect(sent.at(-1)).toContain('"method":"notifications/cancelled","params":{"requestId":1');
    },
  );

  it('is told of a frame that is too large by its id, or by being the only open one', async () => {
    const { connection, call } = wire();
    const first = call();
    const tail = Buffer.from('"}]},"jsonrpc":"2.0","id":1}');
    connection.receiveOversize({ head: Buffer.from('{"result":'), tail, sizeBytes: 70_000_000 });
    expect(await first).toMatchObject({ kind: 'lost' });
    const second = call();
    connection.receiveOversize({ head: Buffer.from('{'), tail: Buffer.from('}'), sizeBytes: 7e7 });
    expect(await second).toMatchObject({ kind: 'lost' });
  });
});
