// Gateways and a witness as real processes: cosigned receipts, and copies of a log that are refused.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasMlDsa44 } from '../../../src/keys/local/ml-dsa-key-file.ts';
import { codeOf, type RunResult, runMain, World } from '../../fixtures/product/world.ts';
import { mainPath, vendorIban } from '../../fixtures/product/world-files.ts';
import { verifies } from '../../requirements/verifies.ts';

interface Witness {
  readonly url: string;
  readonly keys: readonly string[];
  stop(): Promise<number | null>;
}

let world: World;
let witness: Witness | undefined;
beforeEach(() => {
  world = new World();
});
afterEach(async () => {
  await witness?.stop();
  witness = undefined;
  await world.discard();
});

/** Cosigns the log of this world, whose trust file was exported before. */
async function startWitness(trust: string): Promise<Witness> {
  const keys = [...trust.matchAll(/^log (\S+)$/gm)].map(([, key]) => key);
  const file = world.write(
    'witness.toml',
    `name = "w.example/one"\nlisten = "127.0.0.1:0"\ndata = "witness"\n
     [[logs]]\norigin = "staged-world"\nkeys = ${JSON.stringify(keys)}\n`,
  );
  const args = [mainPath, 'receipts', 'witness', '--config', file, '--json'];
  const child: ChildProcess = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const line = await new Promise<string>((resolve, reject) => {
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    lines.once('line', resolve);
    lines.once('close', () => reject(new Error('the witness said nothing')));
  });
  const said = JSON.parse(line) as { url: string; keys: string[] };
  const stop = (): Promise<number | null> => {
    child.kill('SIGTERM');
    return ended;
  };
  return { ...said, stop };
}

const logTable = (of: Pick<Witness, 'url' | 'keys'>, more = ''): string =>
  `[log]\n${more}\nwitnesses = [{ name = "one", url = "${of.url}", keys = ${JSON.stringify(of.keys)} }]`;

async function exportTrust(): Promise<string> {
  const { stdout, stderr, code } = await world.runHere(['receipts', 'export', '--trust']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

async function pay(amount: number): Promise<void> {
  const client = await world.start();
  const answer = await client.callTool('pay', { recipient: vendorIban, amount });
  expect(codeOf(answer)).toBe('executed');
  await client.close();
}

/** Exports the newest operation and verifies its last receipt. */
async function verifyNewest(trust: string): Promise<RunResult> {
  const last = (await world.receipts()).findLast(({ type }) => type === 'attempt');
  const out = world.path(`bundles-${last?.seq}`);
  const args = ['receipts', 'export', '--op', last?.op_id ?? '', '--out', out];
  const { code, stderr } = await world.runHere(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const bundle = `${out}/${readdirSync(out).at(-1)}`;
  return runMain(['verify', bundle, '--trust', world.write('trust.txt', trust), '--json']);
}

const stepOf = (result: RunResult, step: number): string => {
  const found = (result.json.steps as { step: number; status: string; code: string }[]).find(
    (each) => each.step === step,
  );
  return `${found?.status} ${found?.code}`;
};

describe('a witness', { timeout: 300_000 }, () => {
  verifies('RCP-22', 'cosigns receipts that an auditor verifies with a quorum', async () => {
    const first = await exportTrust();
    witness = await startWitness(first);
    world.configure({ more: logTable(witness) });
    await pay(5);
    const trust = await exportTrust();
    expect(trust).toContain(`witness one ${witness.keys[0]}\n`);
    const valid = await verifyNewest(trust.replace('quorum none', 'quorum one'));
    expect([valid.code, stepOf(valid, 5)]).toEqual([0, 'pass OK']);
    // A key file of its own, for its owner alone.
    expect(statSync(world.path('witness/witness-key.pem')).mode & 0o777).toBe(0o600);
    // Stopped, it is missed: the next receipts are not cosigned, and calls go on.
    expect(await witness.stop()).toBe(0);
    await pay(6);
    const alarms = (await world.receipts()).filter(({ type }) => type === 'alarm');
    expect(alarms.map(({ kind, server }) => [kind, server])).toEqual([['witness_failed', 'one']]);
  });

  verifies(
    ['RCP-14', 'RCP-22'],
    'refuses the copy of a log that another gateway went on with',
    async () => {
      await pay(1);
      cpSync(world.path('data'), world.path('copy'), { recursive: true });
      chmodSync(world.path('copy'), 0o700);
      witness = await startWitness(await exportTrust());
      const table = logTable(witness);
      world.configure({ more: table });
      await pay(2);
      expect((await verifyNewest(await exportTrust())).code).toBe(0);
      // The copy has its own guard, which knows nothing of this.
      const copy = { gateway: '[gateway]\nname = "staged-world"\ndata = "copy"' };
      world.configure({ ...copy, more: table });
      const behind = await world.runHere(['mcp', 'run']);
      expect(behind.code).toBe(3);
      expect(behind.stderr).toContain('it is an old copy');
      expect(behind.stderr).toContain(witness.url);
      // Without the witness nobody notices, and the copy becomes the longer one.
      world.configure(copy);
      await pay(3);
      await pay(4);
      world.configure({ ...copy, more: table });
      const forked = await world.runHere(['mcp', 'run']);
      expect(forked.code).toBe(3);
      expect(forked.stderr).toContain('are not those that were signed');
      // The first one goes on.
      world.configure({ more: table });
      await pay(6);
    },
  );

  verifies('RCP-22', 'says what is wrong with its file, and starts nothing', async () => {
    const runs: [string, string][] = [
      ['name = "w"', 'data: is missing'],
      [
        'name = "w w"\ndata = "d"\n[[logs]]\norigin = "o"\nkeys = ["k"]',
        'name: must have no space',
      ],
      [
        'name = "w"\ndata = "d"\nport = 1\n[[logs]]\norigin = "o"\nkeys = ["k"]',
        'port: unknown key',
      ],
      ['name = "w"\ndata = "d"\n[[logs]]\norigin = "o"\nkeys = ["k"]', 'no key of the log `o`'],
      [
        'name = "w"\ndata = "d"\nlisten = "x"\n[[logs]]\norigin = "o"\nkeys = ["k"]',
        'listen: must be',
      ],
      ['name = ', 'line 1'],
    ];
    for (const [text, message] of runs) {
      const file = world.write('bad.toml', text);
      const { code, stderr, stdout } = await runMain(['receipts', 'witness', '--config', file]);
      expect({ code, stdout }, text).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(message);
    }
    const bad = logTable({ url: 'http://127.0.0.1:1', keys: ['x'] });
    world.configure({ more: bad });
    const { code, stderr } = await world.runHere(['mcp', 'run']);
    expect(code).toBe(2);
    expect(stderr).toContain('`x` is no key of a witness');
  });
});

describe('[log] pq = true', { timeout: 300_000 }, () => {
  it.skipIf(!hasMlDsa44())('adds a line that a trust file may demand', async () => {
    world.configure({ more: '[log]\npq = true' });
    await pay(5);
    const trust = await exportTrust();
    const [, second = ''] = trust.split('\n');
    expect(readFileSync(world.path('data/log-key.pem.pq'), 'utf8')).toContain('PRIVATE KEY');
    expect(statSync(world.path('data/log-key.pem.pq')).mode & 0o777).toBe(0o600);
    const demanded = await verifyNewest(`${second}\nquorum none\n`);
    expect([demanded.code, stepOf(demanded, 4)]).toEqual([0, 'pass OK']);
  });
});
