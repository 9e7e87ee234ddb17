// What a client sees through the proxy is what it would see without it, for whatever servers
// define and answer, and whatever happens in which order.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exposed,
  type Frame,
  type Harness,
  startHarness,
} from '../../test/fixtures/proxy/proxy-harness.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import type { ToolCallOutcome } from '../connectors/tool-servers.ts';
import type { JsonObject } from '../core/json-value.ts';

/** A value as JSON text carries it: minus zero is no JavaScript number that survives `stringify`. */
const throughText = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const anyValue = fc.jsonValue().map(throughText);
const anyObject = fc
  .dictionary(fc.string(), fc.jsonValue())
  .map(throughText) as unknown as fc.Arbitrary<JsonObject>;

describe('fidelity', () => {
  verifies(
    ['MCP-P2', 'MCP-G3'],
    'any result arrives as it is, through both kinds of tool',
    async () => {
      const client = await startHarness();
      await client.initialize();
      await fc.assert(
        fc.asyncProperty(anyObject, fc.constantFrom('read', 'pay'), async (members, name) => {
          const { isError: _, ...result } = members;
          client.servers.handler = () => ({ kind: 'result', result });
          client.frames.length = 0;
          expect((await client.callTool(name)).result).toEqual(result);
        }),
      );
      await client.end();
    },
  );

  verifies(['MCP-P2', 'MCP-G2'], 'any arguments arrive as they are', async () => {
    const client = await startHarness();
    await client.initialize();
    await fc.assert(
      fc.asyncProperty(anyValue, fc.constantFrom('read', 'pay'), async (args, name) => {
        client.servers.calls.length = 0;
        client.frames.length = 0;
        await client.request('tools/call', { name, arguments: args });
        expect(client.servers.calls[0]?.argumentsText).toBe(JSON.stringify(args));
      }),
    );
    await client.end();
  });

  verifies('MCP-T5', 'any definition arrives as it is', async () => {
    await fc.assert(
      fc.asyncProperty(anyObject, async (members) => {
        const { execution: _, ...rest } = members;
        const definition = { ...rest, name: 'read', inputSchema: { type: 'object' } };
        const tools = [exposed('read', 'passthrough')];
        const client = await startHarness({ tools, definitions: [definition] });
        await client.initialize();
        expect((await client.request('tools/list')).result.tools[0]).toEqual(definition);
        await client.end();
      }),
      { numRuns: 50 },
    );
  });
});

type Step =
  | { readonly kind: 'call'; readonly tool: 'read' | 'pay' }
  | { readonly kind: 'finish' | 'crash'; readonly which: number }
  | { readonly kind: 'cancel'; readonly which: number };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('call' as const), tool: fc.constantFrom('read', 'pay') }),
  fc.record({ kind: fc.constantFrom('finish', 'crash', 'cancel'), which: fc.nat(8) }),
);

/** Plays steps against the proxy and remembers what each of them must lead to. */
class Play {
  readonly ids: number[] = [];
  readonly cancelled = new Set<number>();
  readonly #client: Harness;
  readonly #open: ((outcome: ToolCallOutcome) => void)[] = [];

  constructor(client: Harness) {
    this.#client = client;
    client.servers.handler = ({ cancellation }) =>
      new Promise((resolve) => {
        this.#open.push(resolve);
        if (cancellation === undefined) return;
        cancellation.onCancel = (): void => resolve({ kind: 'cancelled' });
      });
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'call') this.#call(step.tool);
    else if (step.kind === 'cancel') this.#cancel(this.ids[step.which]);
    else this.#open[step.which]?.(outcomes[step.kind]);
    await this.#client.settle();
  }

  async finish(): Promise<void> {
    for (const finish of this.#open) finish(outcomes.finish);
    await this.#client.settle();
  }

  #call(name: string): void {
    const args = { n: this.ids.length };
    this.ids.push(this.#client.post('tools/call', { name, arguments: args }));
  }

  #cancel(requestId: number | undefined): void {
    if (requestId === undefined) return;
    const isAnswered = this.#client.frames.some((frame) => frame.id === requestId);
    if (!isAnswered) this.cancelled.add(requestId);
    this.#client.notify('notifications/cancelled', { requestId });
  }
}

const outcomes: Readonly<Record<'finish' | 'crash', ToolCallOutcome>> = {
  finish: { kind: 'result', result: { content: [] } },
  crash: { kind: 'lost', reason: 'crash' },
};

describe('any order of events', () => {
  it('answers each request once, or never when it was cancelled', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async (steps) => {
        const client = await startHarness();
        await client.initialize();
        client.frames.length = 0;
        const play = new Play(client);
        for (const step of steps) await play.take(step);
        await play.finish();
        for (const id of play.ids) {
          const answers = client.frames.filter((frame: Frame) => frame.id === id);
          expect(answers).toHaveLength(play.cancelled.has(id) ? 0 : 1);
        }
        expect(client.servers.calls.length).toBeLessThanOrEqual(play.ids.length);
        await client.end();
      }),
      { numRuns: 60 },
    );
  });
});
