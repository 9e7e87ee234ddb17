// The proxy as the TypeScript SDKs see it, in both eras, with and without an output schema.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import type { ProxyProcessSettings } from '../../fixtures/proxy/proxy-process.ts';
import { verifies } from '../../requirements/verifies.ts';
import { judgeReport, type PeerTarget, type Scenario, type StoryReport } from '../peers/story.ts';
import { runTypescriptV1Stories } from '../peers/typescript-v1-client.ts';
import { runTypescriptV2Stories } from '../peers/typescript-v2-client.ts';

type RunStories = (target: PeerTarget, scenario: Scenario) => Promise<StoryReport>;

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sdk-clients-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function stageProxy(): PeerTarget {
  const tool = (name: string, kind: 'guarded' | 'passthrough') => ({
    name,
    server: 'bank',
    tool: name,
    kind,
    contracts: [],
  });
  const settings: ProxyProcessSettings = {
    servers: [{ name: 'bank', args: [pathOf('../../fixtures/servers/hostile-server.ts')] }],
    tools: [tool('pay', 'guarded'), tool('pay_checked', 'guarded'), tool('control', 'passthrough')],
    formWaitSeconds: 5,
  };
  const path = join(folder, 'settings.json');
  writeFileSync(path, JSON.stringify(settings));
  const script = pathOf('../../fixtures/proxy/proxy-process.ts');
  return { command: process.execPath, args: [script, path] };
}

function scenario(tool: string): Scenario {
  const call = (more: object): { name: string; arguments: Record<string, unknown> } => ({
    name: tool,
    arguments: { recipient: 'a', amount: 5, ...more },
  });
  return {
    name: tool,
    listed: ['pay', 'pay_checked', 'control', 'intentplane_explain'],
    executed: { call: call({}), textIncludes: 'paid' },
    refused: {
      call: call({ verdict: 'PROVENANCE_UNTRUSTED' }),
      stage: 'provenance',
      codes: ['PROVENANCE_UNTRUSTED'],
    },
    pending: { call: call({ verdict: 'ask' }), by: 'form', textIncludes: 'paid' },
    killed: {
      call: { name: 'control', arguments: { behaviour: 'exit' } },
      kill: 'self',
      status: 'error',
    },
  };
}

const never = (): Promise<void> => Promise.reject(new Error('forms approve here'));
const clients: readonly (readonly [string, string, RunStories])[] = [
  ['v1', '2025-11-25', (target, story) => runTypescriptV1Stories(target, story, never)],
  [
    'v2 legacy',
    '2025-11-25',
    (target, story) => runTypescriptV2Stories({ ...target, mode: 'legacy' }, story, never),
  ],
  [
    'v2 auto',
    '2026-07-28',
    (target, story) => runTypescriptV2Stories({ ...target, mode: 'auto' }, story, never),
  ],
  [
    'v2 pinned',
    '2026-07-28',
    (target, story) =>
      runTypescriptV2Stories({ ...target, mode: { pin: '2026-07-28' } }, story, never),
  ],
];

describe('TypeScript SDK clients', () => {
  for (const [name, revision, run] of clients) {
    for (const tool of ['pay', 'pay_checked']) {
      verifies('MCP-A1', `${name} understands every answer about \`${tool}\``, async () => {
        const story = scenario(tool);
        const report = await run(stageProxy(), story);
        expect(judgeReport(story, report)).toEqual([]);
        expect(report.protocolVersion).toBe(revision);
      });
    }
  }
});
