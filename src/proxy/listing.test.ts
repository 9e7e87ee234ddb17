import { describe, expect, it } from 'vitest';
import {
  aContract,
  definitionOf,
  exposed,
  startHarness,
} from '../../test/fixtures/proxy/proxy-harness.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import type { JsonObject } from '../core/json-value.ts';

const own = ['intentplane_list_trusted', 'intentplane_explain', 'intentplane_status'];
const namesOf = (result: { readonly tools: readonly { readonly name: string }[] }): string[] =>
  result.tools.map((tool) => tool.name);

const rich: JsonObject = {
  name: 'read',
  title: 'Read',
  description: 'Reads',
  inputSchema: { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] },
  outputSchema: { type: 'array', items: { type: 'number' } },
  annotations: { readOnlyHint: false, destructiveHint: true },
  icons: [{ src: 'data:image/png;base64,AA==' }],
  execution: { taskSupport: 'optional' },
  _meta: { 'ui/resourceUri': 'ui://x' },
  vendorField: { deep: [false, null, 1.5] },
};

describe('tools/list', () => {
  verifies(
    ['MCP-T5', 'MCP-T7', 'MCP-R02', 'MCP-R05'],
    'a passthrough definition arrives as it was written, in both eras',
    async () => {
      for (const era of ['legacy', 'modern']) {
        const client = await startHarness({ definitions: [definitionOf('pay'), rich] });
        if (era === 'legacy') await client.initialize();
        const answer =
          era === 'legacy' ? await client.request('tools/list') : await client.modern('tools/list');
        expect(answer.result.tools[1]).toEqual(rich);
        expect('annotations' in answer.result.tools[0]).toBe(false);
        await client.end();
      }
    },
  );

  verifies('MCP-T6', 'a guarded definition differs in its description alone', async () => {
    const tools = [exposed('pay', 'guarded', { contracts: [aContract(['iban', 'amount'])] })];
    const client = await startHarness({ tools, definitions: [{ ...rich, name: 'pay' }] });
    await client.initialize();
    const [listed] = (await client.request('tools/list')).result.tools;
    expect(listed).toEqual({ ...rich, name: 'pay', description: expect.any(String) });
    const [text, sentence] = listed.description.split('\n\n');
    expect(text).toBe('Reads');
    expect(sentence).toContain('iban, amount must match trusted data');
    expect(sentence.length).toBeLessThanOrEqual(300);
    await client.end();
  });

  it('shows the description of the configuration instead of the server', async () => {
    const contracts = [aContract([], { description: 'Ours' })];
    const tools = [exposed('pay', 'guarded', { contracts })];
    const client = await startHarness({ tools });
    await client.initialize();
    const [listed] = (await client.request('tools/list')).result.tools;
    expect(listed.description).toMatch(/^Ours\n\nGuarded by intentplane\./);
    await client.end();
  });

  verifies(['MCP-T4', 'MCP-C5'], 'the same configuration gives the same bytes', async () => {
    const texts: string[] = [];
    for (const definitions of [
      [definitionOf('pay'), definitionOf('read')],
      [definitionOf('read'), definitionOf('pay')],
    ]) {
      const client = await startHarness({ definitions });
      await client.initialize();
      const first = await client.request('tools/list');
      await client.callTool('read');
      const second = await client.request('tools/list');
      expect(second.result).toEqual(first.result);
      expect(namesOf(first.result)).toEqual(['pay', 'read', ...own]);
      texts.push(JSON.stringify(first.result));
      await client.end();
    }
    expect(texts[1]).toBe(texts[0]);
  });

  verifies('MCP-D5', 'what the configuration does not name stays hidden', async () => {
    const definitions = [definitionOf('pay'), definitionOf('read'), definitionOf('secret')];
    const client = await startHarness({ definitions, hasOwnTools: false });
    await client.initialize();
    expect(namesOf((await client.request('tools/list')).result)).toEqual(['pay', 'read']);
    await client.end();
  });

  verifies('MCP-T2', 'hidden and unknown names get the same answer and are recorded', async () => {
    const definitions = [definitionOf('pay'), definitionOf('read'), definitionOf('secret')];
    const client = await startHarness({ definitions, hasOwnTools: false });
    await client.initialize();
    const hidden = await client.callTool('secret');
    const unknown = await client.callTool('nosuch');
    const own = await client.callTool('intentplane_status');
    const withoutName = ({ id: _, ...frame }: { id: number }, name: string): string =>
      JSON.stringify(frame).replaceAll(name, 'NAME');
    expect(withoutName(hidden, 'secret')).toBe(withoutName(unknown, 'nosuch'));
    expect(withoutName(own, 'intentplane_status')).toBe(withoutName(unknown, 'nosuch'));
    expect(unknown.error).toEqual({ code: -32602, message: 'Unknown tool: nosuch' });
    expect(client.gateway.unknownTools).toEqual(['secret', 'nosuch', 'intentplane_status']);
    await client.end();
  });

  verifies('MCP-T3', 'more than 1,000 tools come in pages; other cursors are refused', async () => {
    const names = Array.from({ length: 2_500 }, (_, index) => `tool_${index}`);
    const client = await startHarness({
      tools: names.map((name) => exposed(name, 'passthrough')),
      definitions: names.map((name) => definitionOf(name)),
    });
    await client.initialize();
    const listed: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const { result } = await client.request('tools/list', { cursor });
      listed.push(...namesOf(result));
      cursor = result.nextCursor;
      pages += 1;
    } while (cursor !== undefined);
    expect(pages).toBe(3);
    expect(listed).toEqual([...names, ...own]);
    for (const bad of ['', 'x', 'MTAwMC4wMDAwMDAwMDAwMDAwMDAw', 7]) {
      const { error, result } = await client.request('tools/list', { cursor: bad });
      if (bad === '') expect(result.tools).toHaveLength(1000);
      else expect(error.code).toBe(-32602);
    }
    await client.end();
  });

  verifies(
    'MCP-T1',
    'a first list waits for a starting server; later ones are announced',
    async () => {
      const client = await startHarness({ isSilent: true });
      client.servers.setState('bank', 'starting');
      await client.initialize();
      const id = client.post('tools/list');
      await client.settle();
      expect(client.frames.some((frame) => frame.id === id)).toBe(false);
      client.servers.announce('bank', [definitionOf('pay')]);
      expect(namesOf((await client.answerTo(id)).result)).toEqual(['pay', ...own]);
      client.frames.length = 0;
      client.servers.announce('bank', [definitionOf('pay'), definitionOf('read')]);
      await client.waitFor((frame) => frame.method === 'notifications/tools/list_changed');
      await client.end();
    },
  );

  verifies('MCP-D6', 'an equal list is not announced, a changed one once', async () => {
    const client = await startHarness();
    await client.initialize();
    await client.request('tools/list');
    client.servers.announce('bank', [definitionOf('read'), definitionOf('pay')]);
    await client.settle();
    expect(client.frames.filter((frame) => frame.method !== undefined)).toEqual([]);
    client.servers.announce('bank', [definitionOf('read')]);
    await client.waitFor((frame) => frame.method === 'notifications/tools/list_changed');
    await client.settle();
    expect(client.frames.filter((frame) => frame.method !== undefined)).toHaveLength(1);
    expect(namesOf((await client.request('tools/list')).result)).toEqual(['read', ...own]);
    await client.end();
  });

  verifies('MCP-D2', 'a changed definition is hidden and its calls are refused', async () => {
    const client = await startHarness();
    await client.initialize();
    await client.request('tools/list');
    client.servers.announce('bank', [definitionOf('pay'), definitionOf('read', { title: 'New' })]);
    await client.waitFor((frame) => frame.method === 'notifications/tools/list_changed');
    expect(namesOf((await client.request('tools/list')).result)).toEqual(['pay', ...own]);
    const { result } = await client.callTool('read');
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toMatch(/^Blocked by intentplane: \[contract\] /);
    expect(result._meta['io.intentplane/decision']).toMatchObject({
      status: 'denied',
      codes: ['CONTRACT_TOOL_CHANGED'],
      next: [{ do: 'ask_owner' }, { do: 'stop' }],
    });
    expect(client.store.leaves.map((leaf) => leaf.type)).toEqual([
      'policy.change',
      'policy.change',
      'alarm',
    ]);
    expect(client.servers.calls).toEqual([]);
    await client.end();
  });

  verifies(
    ['MCP-R07'],
    'instructions of servers follow ours, also when they come late',
    async () => {
      const early = await startHarness({ isSilent: true });
      expect((await early.initialize()).result.instructions).not.toContain('# bank');
      await early.end();
      const client = await startHarness({ isSilent: true });
      client.servers.announce('bank', [definitionOf('pay')], 'Use IBANs.');
      await client.settle();
      const { instructions } = (await client.initialize()).result;
      expect(instructions).toMatch(/guarded[\s\S]*\n\n# bank\nUse IBANs\.$/);
      await client.end();
    },
  );
});
