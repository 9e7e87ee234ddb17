// The peers themselves: that each of them reads a gateway's answers as the stories need it, and
// reaches the servers that are put behind one.
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readEffects } from '../../fixtures/effects-file.ts';
import { startRawClient } from '../../fixtures/raw-client.ts';
import { describeWithPython } from '../../peers/python-peer.ts';
import { bankServerPath, runPythonStories } from './python-client.ts';
import {
  type Approve,
  judgeReport,
  type PeerTarget,
  type Scenario,
  type StoryReport,
} from './story.ts';
import { runTypescriptV1Stories } from './typescript-v1-client.ts';
import { runTypescriptV2Stories } from './typescript-v2-client.ts';

type RunStories = (
  target: PeerTarget,
  scenario: Scenario,
  approve: Approve,
) => Promise<StoryReport>;

const legacy = '2025-11-25';
const modern = '2026-07-28';
let folder = '';
let effects = '';
let approved = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'peers-'));
  effects = join(folder, 'effects.jsonl');
  approved = join(folder, 'approved');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function nodeServer(file: string, ...args: string[]): PeerTarget {
  const path = fileURLToPath(new URL(`../../fixtures/servers/${file}.ts`, import.meta.url));
  return { command: process.execPath, args: [path, ...args] };
}

const approve: Approve = ({ approval }) => {
  appendFileSync(approved, `${approval?.id}\n`);
  return Promise.resolve();
};

function cannedScenario(tool: string, by: 'form' | 'page'): Scenario {
  const callWith = (args: object) => ({ name: tool, arguments: { recipient: 'a', ...args } });
  return {
    name: `${tool} by ${by}`,
    listed: ['pay', 'pay_checked'],
    executed: { call: callWith({ amount: 5 }), textIncludes: 'paid 5' },
    refused: {
      call: callWith({ recipient: 'attacker', amount: 5 }),
      stage: 'provenance',
      codes: ['PROVENANCE_UNTRUSTED'],
    },
    pending: { call: callWith({ amount: 1240 }), by, textIncludes: 'paid 1240' },
    killed: { call: callWith({ amount: 5, note: 'crash' }), kill: 'self', status: 'unknown' },
  };
}

function describePeer(name: string, run: RunStories): void {
  describe(name, () => {
    it.each([
      ['pay', 'page'],
      ['pay', 'form'],
      ['pay_checked', 'page'],
      ['pay_checked', 'form'],
    ] as const)('tells all five stories of `%s`, approved by %s', async (tool, by) => {
      const scenario = cannedScenario(tool, by);
      const report = await run(
        nodeServer('canned-gateway', '--approved', approved),
        scenario,
        approve,
      );
      expect(judgeReport(scenario, report)).toEqual([]);
      expect(report.protocolVersion).toBe(legacy);
      expect(existsSync(approved)).toBe(by === 'page');
    });

    it('reaches the demo server directly: list and call', async () => {
      const args = { recipient: 'DE89370400440532013000', amount: 480, subject: 'Invoice' };
      const scenario: Scenario = {
        name: 'demo server',
        listed: ['get_balance', 'read_inbox', 'send_money', 'send_email'],
        executed: { call: { name: 'send_money', arguments: args }, textIncludes: 'booked' },
      };
      const report = await run(nodeServer('demo-server', '--effects', effects), scenario, approve);
      expect(judgeReport(scenario, report)).toEqual([]);
      expect(readEffects(effects)).toEqual([{ seq: 1, tool: 'send_money', arguments: args }]);
    });

    it('kills the process below the gateway while it holds the call', async () => {
      // In place of a gateway: a process that does no more than start the server.
      const relay =
        "require('node:child_process').spawn(process.execPath, process.argv.slice(1)," +
        " { stdio: 'inherit' }).on('exit', () => process.exit(1))";
      const server = nodeServer('hostile-server', '--effects', effects);
      const target = { ...server, args: ['-e', relay, '--', ...server.args] };
      const call = { name: 'pay', arguments: { recipient: 'a', amount: 5 } };
      const kill = { commandIncludes: 'hostile-server.ts' };
      const scenario: Scenario = {
        name: 'killed',
        listed: ['pay'],
        killed: { call, kill, status: 'error' },
      };
      const report = await run(target, scenario, approve);
      expect(report.killed?.kind).toBe('error');
      expect(report.isAlive).toBe(false);
      expect(readEffects(effects)).toEqual([]);
    });

    it('sees a protocol error as one', async () => {
      const scenario: Scenario = {
        name: 'protocol error',
        listed: [],
        executed: { call: { name: 'no_such_tool', arguments: {} } },
      };
      const report = await run(nodeServer('demo-server'), scenario, approve);
      expect(report.executed).toMatchObject({ kind: 'error', code: -32602 });
      expect(judgeReport(scenario, report)).toHaveLength(1);
    });
  });
}

describePeer('TypeScript SDK v1', runTypescriptV1Stories);
for (const mode of ['legacy', 'auto'] as const) {
  describePeer(`TypeScript SDK v2, ${mode}`, (target, scenario, approval) =>
    runTypescriptV2Stories({ ...target, mode }, scenario, approval),
  );
}

describeWithPython('Python package mcp', (python) => {
  for (const mode of ['legacy', 'auto']) {
    describePeer(`Python, ${mode}`, (target, scenario, approval) =>
      runPythonStories({ ...target, python, mode }, scenario, approval),
    );
  }

  it('sends and keeps the answers of the Python server in both eras', async () => {
    const target = { command: python, args: [bankServerPath, '--effects', effects] };
    const scenario = bankScenario();
    const modes = [
      ['legacy', legacy],
      ['auto', modern],
    ] as const;
    for (const [mode, revision] of modes) {
      const reports = [
        await runTypescriptV2Stories({ ...target, mode }, scenario, approve),
        await runPythonStories({ ...target, python, mode }, scenario, approve),
      ];
      for (const report of reports) {
        expect(judgeReport(scenario, report)).toEqual([]);
        expect(report.protocolVersion).toBe(revision);
      }
    }
    const v1 = await runTypescriptV1Stories(target, scenario, approve);
    expect(judgeReport(scenario, v1)).toEqual([]);
    expect(readEffects(effects)).toHaveLength(5);
  });

  it('the Python server: tool error, slow, big, growing list, crash after the effect', async () => {
    const args = [bankServerPath, '--effects', effects];
    const client = startRawClient({ command: python, args });
    await client.initialize();
    const before = (await client.listTools()).map((tool) => tool.name);
    expect(before).toEqual([
      'get_balance',
      'send_money',
      'send_email',
      'fail',
      'slow',
      'big',
      'grow',
    ]);
    expect((await client.callTool('fail')).result.isError).toBe(true);
    const _meta = { progressToken: 'p' };
    await client.request('tools/call', { name: 'slow', arguments: { seconds: 0.1 }, _meta });
    const progress = client.frames.filter((frame) => frame.method === 'notifications/progress');
    expect(progress).toHaveLength(10);
    const big = await client.callTool('big', { size_bytes: 1_000_000 });
    expect(big.result.content[0].text).toHaveLength(1_000_000);
    await client.callTool('grow');
    expect((await client.listTools()).at(-1).name).toBe('added_1');
    expect(client.frames.some((frame) => frame.method?.endsWith('list_changed'))).toBe(true);
    const payment = { recipient: 'DE89370400440532013000', amount: 5, subject: 'crash' };
    await expect(client.callTool('send_money', payment)).rejects.toThrow('ended with 3');
    expect(readEffects(effects)).toEqual([{ seq: 1, tool: 'send_money', arguments: payment }]);
    expect((await client.stop()).problems).toEqual([]);
  });
});

function bankScenario(): Scenario {
  const args = { recipient: 'DE89370400440532013000', amount: 5, subject: 'Invoice' };
  return {
    name: 'Python bank',
    listed: ['send_money', 'send_email'],
    executed: { call: { name: 'send_money', arguments: args }, textIncludes: 'py-' },
  };
}

describe('reference servers', () => {
  const modules = new URL('../../../node_modules/@modelcontextprotocol/', import.meta.url);
  const everything = fileURLToPath(new URL('server-everything/dist/index.js', modules));
  const filesystem = fileURLToPath(new URL('server-filesystem/dist/index.js', modules));

  it('answer the strict client: server-everything', async () => {
    const scenario: Scenario = {
      name: 'everything',
      listed: ['echo', 'get-env'],
      executed: { call: { name: 'echo', arguments: { message: 'hello' } }, textIncludes: 'hello' },
    };
    const target = { command: process.execPath, args: [everything, 'stdio'] };
    const report = await runTypescriptV1Stories(target, scenario, approve);
    expect(judgeReport(scenario, report)).toEqual([]);
  });

  it('answer the strict client: server-filesystem', async () => {
    const path = join(folder, 'note.txt');
    writeFileSync(path, 'before');
    const scenario: Scenario = {
      name: 'filesystem',
      listed: ['read_text_file', 'write_file'],
      executed: {
        call: { name: 'read_text_file', arguments: { path } },
        textIncludes: 'before',
      },
    };
    const target = { command: process.execPath, args: [filesystem, folder] };
    const report = await runTypescriptV1Stories(target, scenario, approve);
    expect(judgeReport(scenario, report)).toEqual([]);
  });
});

describe('judgeReport', () => {
  const run = (wrong: string, tool: string): Promise<string[]> => {
    const scenario = cannedScenario(tool, 'form');
    const target = nodeServer('canned-gateway', '--wrong', wrong);
    const mode = 'legacy';
    return runTypescriptV2Stories({ ...target, mode }, scenario, approve).then((report) =>
      judgeReport(scenario, report),
    );
  };

  it('finds a wrong status', async () => {
    expect(await run('status', 'pay')).toEqual([
      'refused: status allowed, not denied',
      'killed: status allowed, not unknown',
    ]);
  });

  it('finds structured content beside an output schema that it does not fit', async () => {
    const problem = 'structured content that does not fit the output schema';
    expect(await run('structured', 'pay_checked')).toEqual([
      `refused: ${problem}`,
      `killed: ${problem}`,
    ]);
  });

  it('shows that the strict client refuses what does not fit the output schema', async () => {
    const target = nodeServer('canned-gateway', '--wrong', 'structured');
    const scenario = cannedScenario('pay_checked', 'form');
    const report = await runTypescriptV1Stories(target, scenario, approve);
    expect(report.refused).toMatchObject({ kind: 'error', code: -32602 });
  });

  it('finds a plain tool error where a refusal should be', async () => {
    const scenario: Scenario = {
      name: 'no gateway',
      listed: ['send_money', 'missing_tool'],
      refused: {
        call: { name: 'send_money', arguments: { recipient: 'x', amount: 1 } },
        stage: 'provenance',
        codes: ['PROVENANCE_UNTRUSTED'],
      },
    };
    const report = await runTypescriptV1Stories(nodeServer('demo-server'), scenario, approve);
    expect(judgeReport(scenario, report)).toEqual([
      'list: missing_tool is missing',
      expect.stringMatching(/^refused: no decision/u),
      'refused: code PROVENANCE_UNTRUSTED is missing',
      expect.stringMatching(/^refused: the text begins/u),
    ]);
  });
});
