import { describe, expect, it } from 'vitest';
import { FakeToolServers } from '../../test/fixtures/proxy/fake-tool-servers.ts';
import { MemoryDefinitions } from '../../test/fixtures/proxy/memory-definitions.ts';
import { definitionOf } from '../../test/fixtures/proxy/proxy-harness.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import type { JsonObject } from '../core/json-value.ts';
import { canonicalDefinition, definitionDigest, isDeeperThan } from './definition-digest.ts';
import { ToolCatalogue } from './tool-catalogue.ts';

interface Parts {
  readonly servers: FakeToolServers;
  readonly store: MemoryDefinitions;
  readonly logs: string[];
  readonly catalogue: ToolCatalogue;
}

function catalogueOf(
  options: { readonly store?: MemoryDefinitions; readonly unpinned?: readonly string[] } = {},
): Parts {
  const servers = new FakeToolServers();
  const store = options.store ?? new MemoryDefinitions();
  const logs: string[] = [];
  const catalogue = new ToolCatalogue({
    store,
    servers,
    tools: [
      { server: 'bank', tool: 'pay' },
      { server: 'bank', tool: 'read' },
    ],
    unpinned: new Set(options.unpinned ?? []),
    log: (_level, line) => logs.push(line),
    nowMs: () => 42,
  });
  return { servers, store, logs, catalogue };
}

async function announced(
  parts: Parts,
  definitions: readonly JsonObject[],
  instructions?: string,
): Promise<void> {
  parts.servers.announce('bank', definitions, instructions);
  await parts.catalogue.settled();
}

describe('ToolCatalogue', () => {
  verifies('MCP-D2', 'records what is first seen, whole, and nothing else', async () => {
    const parts = catalogueOf();
    await parts.catalogue.load();
    await announced(parts, [definitionOf('pay', { n: 1 }), definitionOf('other')], 'Be kind');
    expect([...parts.store.definitions.values()]).toEqual([
      {
        server: 'bank',
        tool: 'pay',
        identity: 'bank-identity',
        digest: definitionDigest(definitionOf('pay', { n: 1 })),
        definition: JSON.stringify(definitionOf('pay', { n: 1 })),
        instructions: 'Be kind',
        recordedMs: 42,
      },
    ]);
    expect(parts.logs.some((line) => line.includes('recorded the definitions of: pay'))).toBe(true);
    expect(parts.logs.some((line) => line.includes('no tool `read`'))).toBe(true);
    expect(parts.catalogue.standing('bank', 'pay').kind).toBe('listed');
    expect(parts.catalogue.standing('bank', 'read').kind).toBe('absent');
    expect(parts.catalogue.standing('bank', 'other').kind).toBe('absent');
    expect(parts.catalogue.isComplete).toBe(false);
  });

  verifies(
    'MCP-R07',
    'serves recorded definitions and instructions before a server is up',
    async () => {
      const first = catalogueOf();
      await first.catalogue.load();
      const definition = definitionOf('pay', { big: JSON.rawJSON('12345678901234567890') });
      await announced(first, [definition, definitionOf('read')], 'Be kind');
      const second = catalogueOf({ store: first.store });
      await second.catalogue.load();
      expect(second.catalogue.isComplete).toBe(true);
      expect(second.catalogue.instructions('bank')).toBe('Be kind');
      const standing = second.catalogue.standing('bank', 'pay');
      expect(JSON.stringify(standing.kind === 'listed' ? standing.definition : undefined)).toBe(
        JSON.stringify(definition),
      );
      await announced(second, [definition, definitionOf('read')]);
      expect(second.catalogue.standing('bank', 'pay').kind).toBe('listed');
      expect(second.store.leaves).toHaveLength(2);
    },
  );

  verifies('MCP-D1', 'any difference of definition or server makes a tool drifted', async () => {
    const base = definitionOf('pay', { annotations: { a: false }, x: [1, 2], n: 1 });
    const changes: JsonObject[] = [
      { ...base, description: 'Tool pay ' },
      { ...base, annotations: { a: null } },
      { ...base, x: [2, 1] },
      { ...base, n: JSON.rawJSON('1.0') },
      { ...base, extra: null },
    ];
    for (const changed of changes) {
      const parts = catalogueOf();
      await parts.catalogue.load();
      await announced(parts, [base]);
      await announced(parts, [changed]);
      expect(parts.catalogue.standing('bank', 'pay').kind).toBe('drifted');
    }
    const { x: _x, ...rest } = base;
    const parts = catalogueOf();
    await parts.catalogue.load();
    await announced(parts, [base]);
    await announced(parts, [{ x: [1, 2], ...rest }]);
    expect(parts.catalogue.standing('bank', 'pay').kind).toBe('listed');
    const stored = parts.store.definitions.get('bank\npay');
    if (stored === undefined) throw new Error('nothing was recorded');
    parts.store.definitions.set('bank\npay', { ...stored, identity: 'another command' });
    const later = catalogueOf({ store: parts.store });
    await later.catalogue.load();
    await announced(later, [base]);
    expect(later.catalogue.standing('bank', 'pay').kind).toBe('drifted');
  });

  it('alarms once per drift, and lists the tool again when the old definition is back', async () => {
    const parts = catalogueOf();
    await parts.catalogue.load();
    let changes = 0;
    parts.catalogue.onChange(() => {
      changes += 1;
    });
    await announced(parts, [definitionOf('pay')]);
    await announced(parts, [definitionOf('pay', { a: 1 })]);
    await announced(parts, [definitionOf('pay', { a: 2 })]);
    const alarms = parts.store.leaves.filter((leaf) => leaf.type === 'alarm');
    expect(alarms).toEqual([
      {
        type: 'alarm',
        code: 'CONTRACT_TOOL_CHANGED',
        open: { kind: 'tool_changed', server: 'bank', tool: 'pay' },
        committed: {},
      },
    ]);
    await announced(parts, [definitionOf('pay')]);
    expect(parts.catalogue.standing('bank', 'pay').kind).toBe('listed');
    expect(changes).toBe(3);
  });

  it('uses a definition that a person accepted in another process', async () => {
    const parts = catalogueOf();
    await parts.catalogue.load();
    await announced(parts, [definitionOf('pay')]);
    const changed = definitionOf('pay', { a: 1 });
    await announced(parts, [changed]);
    expect((await parts.catalogue.checkedStanding('bank', 'pay')).kind).toBe('drifted');
    const stored = parts.store.definitions.get('bank\npay');
    if (stored === undefined) throw new Error('nothing was recorded');
    const digest = definitionDigest(changed);
    const definition = JSON.stringify(changed);
    parts.store.definitions.set('bank\npay', { ...stored, digest, definition });
    const standing = await parts.catalogue.checkedStanding('bank', 'pay');
    expect(standing).toMatchObject({ kind: 'listed', digest, definition: changed });
  });

  verifies('MCP-D3', 'a check waits for a list that is being read', async () => {
    const parts = catalogueOf();
    await parts.catalogue.load();
    await announced(parts, [definitionOf('pay')]);
    expect(parts.catalogue.currentStanding('bank', 'pay')?.kind).toBe('listed');
    let finish: (() => void) | undefined;
    parts.servers.setListing(
      new Promise((resolve) => {
        finish = resolve;
      }),
    );
    expect(parts.catalogue.currentStanding('bank', 'pay')).toBeUndefined();
    const checked = parts.catalogue.checkedStanding('bank', 'pay');
    parts.servers.announce('bank', [definitionOf('pay', { a: 1 })]);
    finish?.();
    parts.servers.setListing(undefined);
    expect((await checked).kind).toBe('drifted');
  });

  it('forgets a tool that its server no longer announces, and takes it back', async () => {
    const parts = catalogueOf();
    await parts.catalogue.load();
    await announced(parts, [definitionOf('pay')]);
    await announced(parts, []);
    expect(parts.catalogue.standing('bank', 'pay').kind).toBe('absent');
    await announced(parts, [definitionOf('pay')]);
    expect(parts.catalogue.standing('bank', 'pay').kind).toBe('listed');
    expect(parts.store.leaves).toHaveLength(1);
  });

  it('exposes no tool that hosts or limits do not allow', async () => {
    let deep: JsonObject = {};
    for (let depth = 0; depth < 64; depth += 1) deep = { deep };
    const bad: JsonObject[] = [
      definitionOf('pay', { inputSchema: deep }),
      definitionOf('pay', { description: 'x'.repeat(256 * 1024) }),
      definitionOf('pay', { execution: { taskSupport: 'required' } }),
    ];
    for (const definition of bad) {
      const parts = catalogueOf();
      await parts.catalogue.load();
      await announced(parts, [definition]);
      expect(parts.catalogue.standing('bank', 'pay').kind).toBe('absent');
      expect(parts.logs.some((line) => line.includes('`pay` is not exposed'))).toBe(true);
      expect(parts.store.definitions.size).toBe(0);
    }
  });

  it('follows the server where pins are off', async () => {
    const parts = catalogueOf({ unpinned: ['bank'] });
    await parts.catalogue.load();
    await announced(parts, [definitionOf('pay')]);
    await announced(parts, [definitionOf('pay', { a: 1 })]);
    const standing = parts.catalogue.standing('bank', 'pay');
    expect(standing).toMatchObject({ kind: 'listed', definition: { a: 1 } });
  });

  it('says what went wrong when the store cannot record', async () => {
    const parts = catalogueOf();
    await parts.catalogue.load();
    parts.store.recordDefinitions = (): Promise<void> => Promise.reject(new Error('disk full'));
    await announced(parts, [definitionOf('pay')]);
    expect(parts.logs.at(-1)).toContain('disk full');
    expect(parts.catalogue.standing('bank', 'pay').kind).toBe('absent');
  });
});

describe('definition digest', () => {
  it('sorts keys, keeps list order and number text', () => {
    const value: JsonObject = { b: [2, 1], a: { d: null, c: JSON.rawJSON('1.0') } };
    expect(canonicalDefinition(value)).toBe('{"a":{"c":1.0,"d":null},"b":[2,1]}');
  });

  it('measures depth up to a limit', () => {
    expect(isDeeperThan({ a: [{}] }, 3)).toBe(false);
    expect(isDeeperThan({ a: [{}] }, 2)).toBe(true);
    expect(isDeeperThan(7, 0)).toBe(false);
  });
});
