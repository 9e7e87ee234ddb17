// The command line inside this process: what end-to-end tests see from outside, branch by branch.
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Captured, captureStreams } from '../../test/fixtures/capture-streams.ts';
import { startProxyInProcess } from '../../test/fixtures/product/proxy-in-process.ts';
import { World } from '../../test/fixtures/product/world.ts';
import type { BinName } from './command.ts';
import { runCommandLine } from './command-line.ts';

let world: World;
beforeAll(() => {
  world = new World();
});
afterAll(() => world.close());

const run = (args: readonly string[], bin: BinName = 'intentplane'): Promise<Captured> =>
  captureStreams(() => runCommandLine(bin, args));
const runHere = (...args: readonly string[]): Promise<Captured> =>
  run([...args, '--config', world.configFile]);
const jsonOf = ({ stdout }: Captured): Record<string, unknown> =>
  JSON.parse(stdout) as Record<string, unknown>;

describe('runCommandLine', () => {
  it('prints help of the program, of a command, and of the proxy', async () => {
    expect((await run([])).stdout).toContain('Commands:');
    expect((await run(['frob', '--help'])).stdout).toContain('Commands:');
    expect((await run(['verify', '-h'])).stdout).toContain('intentplane verify BUNDLE');
    expect((await run(['--help'], 'intentplane-mcp')).stdout).toContain('intentplane-mcp --config');
    expect((await run(['--version'])).stdout).toMatch(/^\d/);
  });

  it('refuses what it does not know, with exit code 2', async () => {
    const wrong = [
      ['frob'],
      ['receipts'],
      ['verify', '--frob'],
      ['verify', 'a', 'b'],
      ['receipts', 'show'],
      ['receipts', 'show', '--config', ''],
      ['mcp'],
      ['verify', 'a', '--trust', '/no/such/file'],
    ];
    for (const args of wrong) {
      const { exitCode, stdout, stderr } = await run(args);
      expect([args, exitCode, stdout]).toEqual([args, 2, '']);
      expect(stderr).toMatch(/^intentplane: .+$/m);
    }
    expect((await run([], 'intentplane-mcp')).exitCode).toBe(2);
  });

  it('prints a failure as JSON, and its stack when asked', async () => {
    const failed = await run(['frob', '--json', '--debug']);
    expect(jsonOf(failed)).toEqual({ ok: false, error: expect.stringContaining('frob') });
    expect(failed.stderr).toContain('command-line.ts');
  });
});

describe('commands on a store', () => {
  it('receipts show lists, by number or by operation', async () => {
    const all = jsonOf(await runHere('receipts', 'show', '--json'));
    expect(all).toMatchObject({ ok: true, origin: 'staged-world', size: 1 });
    expect((await runHere('receipts', 'show', '--last', '1')).stdout).toContain('log.start');
    const none = jsonOf(await runHere('receipts', 'show', '--json', '--op', '00'));
    expect(none['receipts']).toEqual([]);
    for (const last of ['0', 'x', '10001']) {
      expect((await runHere('receipts', 'show', '--last', last)).exitCode).toBe(2);
    }
  });

  it('receipts export writes the trust file, and says what it cannot find', async () => {
    const trust = await runHere('receipts', 'export', '--trust');
    expect(trust.stdout).toContain('staged-world');
    const file = world.path('trust.txt');
    const written = await runHere('receipts', 'export', '--trust', '--out', file);
    expect(written.stdout).toBe(`wrote ${file}\n`);
    expect((await runHere('receipts', 'export', '--op', '00')).exitCode).toBe(1);
    expect((await runHere('receipts', 'export')).exitCode).toBe(2);
  });

  it('mcp pins compares, shows and accepts', { timeout: 30_000 }, async () => {
    const list = await runHere('mcp', 'pins');
    expect(list.stdout).toMatch(/bank\.pay +new/);
    const diff = await runHere('mcp', 'pins', 'diff', '--tool', 'bank.pay');
    expect(diff.stdout).toContain('+ name: "pay"');
    const accepted = await runHere('mcp', 'pins', 'accept', '--json', '--tool', 'bank.pay');
    expect(jsonOf(accepted)).toMatchObject({ ok: true, accepted: 1 });
    expect((await runHere('mcp', 'pins', 'list')).stdout).toMatch(/bank\.pay +same/);
    expect((await runHere('mcp', 'pins', '--tool', 'bank.frob')).exitCode).toBe(2);
    expect((await runHere('mcp', 'pins', 'frob')).exitCode).toBe(2);
  });

  it('mandate resume has nothing to lift', async () => {
    const none = await runHere('mandate', 'resume', '--json');
    expect([none.exitCode, jsonOf(none)['ok']]).toEqual([1, false]);
  });

  it('verify proves what was exported', async () => {
    const trust = world.path('trust.txt');
    await runHere('receipts', 'export', '--trust', '--out', trust);
    const client = await startProxyInProcess(world.configFile);
    await client.callTool('nosuch', {});
    await client.close();
    const shown = jsonOf(await runHere('receipts', 'show', '--json'));
    const rows = shown['receipts'] as readonly { readonly op_id?: string }[];
    const opId = rows.findLast((row) => row.op_id !== undefined)?.op_id ?? '';
    const folder = world.path('out');
    await runHere('receipts', 'export', '--op', opId, '--out', folder);
    for (const name of readdirSync(folder)) {
      const report = await run(['verify', `${folder}/${name}`, '--trust', trust, '--explain']);
      expect(report.exitCode).toBe(0);
      expect(report.stdout).toContain('valid');
    }
    const plain = await runHere('receipts', 'export', '--op', opId, '--closed');
    expect(plain.stdout).toContain('intentplane-receipt/1');
    expect((await run(['verify', trust, '--trust', trust])).exitCode).toBe(2);
  });
});
