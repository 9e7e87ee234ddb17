// The conventions of the command line, on every command: help with an example, one JSON object, exit
// codes, nothing but the answer on stdout, no colour, no stack trace that nobody asked for.
import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runMain, runProgram, World } from '../../fixtures/product/world.ts';
import { mainPath } from '../../fixtures/product/world-files.ts';
import { verifies } from '../../requirements/verifies.ts';

const commands = [
  'demo',
  'demo-server',
  'mcp run',
  'mcp pins',
  'passcode',
  'mandate resume',
  'approvals list',
  'approvals show',
  'approvals stats',
  'people list',
  'people add',
  'people code',
  'people reset',
  'people remove',
  'operations list',
  'operations resolve',
  'budgets list',
  'budgets unfreeze',
  'receipts show',
  'receipts export',
  'receipts redact',
  'receipts expire',
  'receipts witness',
  'receipts restart',
  'keys list',
  'keys rotate',
  'keys distrust',
  'fsck',
  'store backup',
  'verify',
];
const stackLine = /^\s+at .+:\d+:\d+/m;
const escapeSequence = '\u001b';

let world: World;
beforeAll(() => {
  world = new World();
});
afterAll(() => world.close());

describe('help', () => {
  verifies(
    'CLI-01',
    'every command explains itself with an example',
    { timeout: 60_000 },
    async () => {
      const overview = await runMain(['--help']);
      expect(overview.code).toBe(0);
      const helps = commands.map((command) => runMain([...command.split(' '), '--help']));
      for (const [index, command] of commands.entries()) {
        const { code, stdout = '', stderr } = (await helps[index]) ?? {};
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        expect(overview.stdout).toContain(`  ${command} `);
        expect(stdout).toContain(`intentplane ${command}`);
        expect((stdout.split('Example:\n')[1] ?? '').trim()).toMatch(/^intentplane/);
      }
    },
  );

  it('comes without arguments, and in the second program too', async () => {
    expect((await runMain([])).stdout).toContain('Commands:');
    const mcpPath = join(dirname(mainPath), 'mcp.js');
    const mcp = await runProgram(process.execPath, [mcpPath, '--help']);
    expect(mcp).toMatchObject({ code: 0, stderr: '' });
    expect(mcp.stdout).toContain('intentplane-mcp --config FILE');
    expect((await runProgram(process.execPath, [mcpPath])).code).toBe(2);
  });

  it('prints the version of the package', async () => {
    const { code, stdout } = await runMain(['--version']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('usage errors', () => {
  const wrong: readonly (readonly [args: string, words: string])[] = [
    ['nonsense', 'no command `nonsense`'],
    ['receipts', 'receipts show, receipts export, receipts redact'],
    ['mcp', '--config is missing'],
    ['mcp run', 'usage: intentplane mcp run --config FILE'],
    ['mcp run --confg x', "Unknown option '--confg'"],
    ['mcp pins frob --config x', '`frob` is not list, diff or accept'],
    ['mandate resume', '--config is missing'],
    ['approvals list', '--config is missing'],
    ['approvals show --config x', 'usage: intentplane approvals show ID'],
    ['approvals show 1 --config x', '`1` is no id of a request'],
    ['approvals stats', '--config is missing'],
    ['people list', '--config is missing'],
    ['people add ann', '--config is missing'],
    ['approvals stats --since soon --config x', '--since takes a time like 30d'],
    ['operations list', '--config is missing'],
    ['operations resolve', 'usage: intentplane operations resolve ID'],
    ['budgets list', '--config is missing'],
    ['budgets unfreeze', 'usage: intentplane budgets unfreeze ID'],
    ['receipts show', '--config is missing'],
    ['receipts export', '--config is missing'],
    ['receipts redact --basis mistake --config x', '--op is missing'],
    ['receipts redact --op 1 --basis mistake --config x', '`1` is no operation id'],
    [`receipts redact --op ${'a'.repeat(32)} --basis whim --config x`, '--basis takes gdpr-17'],
    ['receipts expire', '--config is missing'],
    ['store backup --config x', 'usage: intentplane store backup DEST'],
    ['receipts restart --config x', '--old-origin, --new-origin is missing'],
    ['keys list', '--config is missing'],
    ['keys rotate', '--config is missing'],
    ['keys distrust --config x --after 1', 'usage: intentplane keys distrust'],
    ['keys distrust --config x --after one 5d534cf5', '--after takes the number of a receipt'],
    ['fsck', '--config is missing'],
    ['verify', 'verify BUNDLE --trust FILE'],
    ['verify a b c', 'usage: intentplane verify'],
    ['verify /no/such/bundle --trust /no/such/trust', '`/no/such/trust` cannot be read'],
    ['verify --legacy /no/such/file', '`/no/such/file` cannot be read'],
    ['demo now', 'usage: intentplane demo'],
    ['passcode hunter2222', 'usage: intentplane passcode'],
  ];

  verifies('CLI-02', 'are exit 2 and one line on stderr', { timeout: 60_000 }, async () => {
    const runs = wrong.map(([args]) => runMain(args.split(' ')));
    for (const [index, [args, words]] of wrong.entries()) {
      const { code, stdout, stderr = '' } = (await runs[index]) ?? {};
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
      expect(stderr).toContain(words);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).toMatch(/^intentplane: /);
    }
  });

  verifies('CLI-03', 'are one JSON object on stdout with --json', async () => {
    for (const args of [['nonsense'], ['receipts', 'show'], ['verify', 'x']]) {
      const { code, json, stdout } = await runMain([...args, '--json']);
      expect(code).toBe(2);
      expect(json).toEqual({ ok: false, error: expect.any(String) });
      expect(stdout.trim().split('\n')).toHaveLength(1);
    }
  });
});

describe('answers', () => {
  verifies(
    ['CLI-03', 'CLI-04'],
    'are one JSON object with --json, and text without colour otherwise',
    { timeout: 180_000 },
    async () => {
      const runs: readonly (readonly [args: readonly string[], code: number, input?: string])[] = [
        [['receipts', 'show'], 0],
        [['receipts', 'export', '--trust'], 0],
        [['receipts', 'export', '--op', '0'.repeat(32)], 1],
        [['mcp', 'pins'], 0],
        [['mcp', 'pins', 'accept', '--tool', 'bank.pay'], 0],
        [['mandate', 'resume'], 1],
        [['approvals', 'list'], 0],
        [['approvals', 'show', '0'.repeat(32)], 1],
        [['approvals', 'stats', '--since', '12h'], 0],
        [['operations', 'list'], 0],
        [['keys', 'list'], 0],
        [['fsck'], 0],
      ];
      for (const [args, code, input] of runs) {
        const options = { env: { FORCE_COLOR: '3', NO_COLOR: undefined }, input: input ?? '' };
        const [json, plain] = await Promise.all([
          world.runHere([...args, '--json'], options),
          world.runHere(args, options),
        ]);
        expect(json.code, args.join(' ')).toBe(code);
        expect(json.json.ok).toBe(code === 0);
        expect(json.stdout.trim().split('\n')).toHaveLength(1);
        expect(plain.code, args.join(' ')).toBe(code);
        expect(plain.stdout).not.toBe('');
        for (const text of [plain.stdout, plain.stderr, json.stderr]) {
          expect(text).not.toContain(escapeSequence);
          expect(text).not.toMatch(stackLine);
        }
      }
    },
  );

  verifies('CLI-02', 'a passcode: asked for, hashed, never shown', async () => {
    const made = await runMain(['passcode', '--json'], { input: 'correct horse\n' });
    expect(made.code).toBe(0);
    expect(made.json.passcode).toMatch(/^scrypt\$16\$8\$2\$/);
    expect(made.stdout + made.stderr).not.toContain('correct horse');
    const plain = await runMain(['passcode'], { input: 'correct horse\n' });
    expect(plain.stdout).toMatch(/^passcode = "scrypt\$/);
    const short = await runMain(['passcode', '--json'], { input: 'short\n' });
    expect(short).toMatchObject({ code: 1, json: { ok: false } });
    expect(short.stderr).toContain('8 to 128 characters');
  });

  it('no answer at all: a pipe without a word ends the question', async () => {
    const none = await runMain(['passcode', '--json']);
    expect(none.code).toBe(1);
    expect(none.json).toMatchObject({ ok: false });
  });
});

describe('failures', () => {
  verifies('CLI-05', 'have no stack trace without --debug, and one with it', async () => {
    const args = ['receipts', 'show', '--config', world.path('missing.toml')];
    const quiet = await runMain(args);
    expect(quiet.code).toBe(2);
    expect(quiet.stderr).not.toMatch(stackLine);
    const loud = await runMain([...args, '--debug']);
    expect(loud.code).toBe(2);
    expect(loud.stderr).toMatch(stackLine);
  });

  verifies('CLI-02', 'of the environment are exit 3', async () => {
    const other = new World();
    try {
      expect((await other.runHere(['receipts', 'show'])).code).toBe(0);
      chmodSync(other.path('data/store.db'), 0o644);
      for (const args of [
        ['receipts', 'show'],
        ['receipts', 'export', '--trust'],
        ['mandate', 'resume'],
      ]) {
        const { code, stderr } = await other.runHere(args);
        expect(code).toBe(3);
        expect(stderr).toContain('chmod 600');
      }
      chmodSync(other.path('data/store.db'), 0o600);
      const out = await other.runHere([
        'receipts',
        'export',
        '--trust',
        '--out',
        '/no/such/folder/f',
      ]);
      expect(out.code).toBe(3);
      expect(out.stderr).toContain('/no/such/folder/f');
      expect(out.stderr).not.toMatch(stackLine);
    } finally {
      await other.close();
    }
  });

  verifies('CLI-02', 'a Node that is too old is told so', async () => {
    const versions = '{value:{...process.versions,node:"22.18.0"}}';
    const pretend = `data:text/javascript,Object.defineProperty(process,"versions",${versions})`;
    const { code, stdout, stderr } = await runMain(['--help'], { nodeArgs: ['--import', pretend] });
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('needs Node >= 22.19 and this is 22.18.0');
  });

  it('a reader that leaves early is no failure', async () => {
    const script = `${process.execPath} ${mainPath} receipts show --config ${world.configFile} | head -c 1`;
    const { stderr } = await runProgram('sh', ['-c', script]);
    expect(stderr).not.toContain('EPIPE');
  });
});
