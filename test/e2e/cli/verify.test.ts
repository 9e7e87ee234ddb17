// `intentplane verify` as an auditor runs it: a bundle, a trust file, and nothing else. Every module
// that could reach a network or a store is made to throw.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, type RunResult, runMain, World } from '../../fixtures/product/world.ts';
import { vendorIban } from '../../fixtures/product/world-files.ts';
import { verifies } from '../../requirements/verifies.ts';

/** Loaded before everything else: an import of one of these is a failure. */
const offline = `import { registerHooks } from 'node:module';
const banned = /^(?:node:)?(?:net|http|https|http2|tls|dns|dns\\/promises|dgram|sqlite|child_process|worker_threads)$/;
registerHooks({ resolve(specifier, context, next) {
  if (banned.test(specifier)) throw new Error('OFFLINE: ' + specifier);
  return next(specifier, context);
} });
globalThis.fetch = () => { throw new Error('OFFLINE: fetch'); };
globalThis.WebSocket = class { constructor() { throw new Error('OFFLINE: WebSocket'); } };`;
const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(offline)}`];

let world: World;
let bundles: readonly string[] = [];
let trust = '';

beforeAll(async () => {
  world = new World({ defaults: '[defaults]\nreceipts = "mirror.jsonl"' });
  const client = await world.start();
  expect(codeOf(await client.callTool('pay', { recipient: vendorIban, amount: 5 }))).toBe(
    'executed',
  );
  await client.close();
  trust = world.path('trust.txt');
  expect((await world.runHere(['receipts', 'export', '--trust', '--out', trust])).code).toBe(0);
  const attempt = (await world.receipts()).find(({ type }) => type === 'attempt');
  const folder = world.path('bundles');
  const args = ['receipts', 'export', '--op', attempt?.op_id ?? '', '--out', folder];
  expect((await world.runHere(args)).code).toBe(0);
  bundles = readdirSync(folder).map((name) => `${folder}/${name}`);
}, 60_000);
afterAll(() => world.close());

const verify = (...args: readonly string[]): Promise<RunResult> =>
  runMain(['verify', ...args], { nodeArgs, cwd: '/' });

describe('intentplane verify', () => {
  verifies('RCP-17', 'proves every receipt of an operation without network or store', async () => {
    expect(bundles.map((path) => path.replace(/^.*\d-|[.]json$/g, ''))).toEqual([
      'proposal',
      'decision',
      'attempt',
      'outcome',
    ]);
    for (const bundle of bundles) {
      const { code, stdout, stderr } = await verify(bundle, '--trust', trust);
      expect(stderr).toBe('');
      expect(code).toBe(0);
      expect(stdout.trim().split('\n').at(-1)).toBe('valid');
      expect(stdout.match(/\bpass\b/g)?.length).toBeGreaterThanOrEqual(4);
      expect(stdout).not.toContain('fail');
    }
  });

  verifies('RCP-17', 'the same loader stops a command that needs the store', async () => {
    const { code, stderr } = await world.runHere(['receipts', 'show'], { nodeArgs });
    expect(code).not.toBe(0);
    expect(stderr).toContain('OFFLINE: node:');
  });

  verifies(
    'CLI-02',
    'exit 1 for a changed receipt or another log, with the failing step',
    async () => {
      const [bundle = ''] = bundles;
      const parsed = JSON.parse(readFileSync(bundle, 'utf8')) as { leaf: string };
      const bytes = Buffer.from(parsed.leaf, 'base64');
      bytes[20] = (bytes[20] ?? 0) ^ 1;
      const leaf = bytes.toString('base64');
      const changed = world.write('changed.json', JSON.stringify({ ...parsed, leaf }));
      const report = await verify(changed, '--trust', trust, '--json');
      expect(report.code).toBe(1);
      expect(report.json).toMatchObject({ ok: false, verdict: 'invalid' });
      const steps = report.json.steps as readonly {
        readonly status: string;
        readonly code: string;
      }[];
      expect(steps.some(({ status }) => status === 'fail')).toBe(true);

      const other = new World({ gateway: '[gateway]\nname = "other"\ndata = "data"' });
      try {
        const foreign = other.path('trust.txt');
        await other.runHere(['receipts', 'export', '--trust', '--out', foreign]);
        const { code, stdout } = await verify(bundle, '--trust', foreign);
        expect(code).toBe(1);
        expect(stdout).toContain('fail');
      } finally {
        await other.close();
      }
    },
  );

  verifies('CLI-02', 'exit 2 for what is no bundle or no trust file', async () => {
    const [bundle = ''] = bundles;
    for (const text of ['', '{}', 'no json', '{"a":1} {"b":2}', '\ufeff{}']) {
      const path = world.write('bad.json', text);
      const asBundle = await verify(path, '--trust', trust, '--json');
      expect([text, asBundle.code, asBundle.json.ok]).toEqual([text, 2, false]);
      const asTrust = await verify(bundle, '--trust', path, '--json');
      expect([text, asTrust.code]).toEqual([text, 2]);
    }
  });

  verifies('RCP-18', '--explain says what is not proven', async () => {
    const { stdout, code } = await verify(bundles[0] ?? '', '--trust', trust, '--explain');
    expect(code).toBe(0);
    expect(stdout).toContain('Not proven by this:');
    expect(stdout.split('Not proven by this:')[1]?.match(/^- /gm)?.length).toBeGreaterThanOrEqual(
      5,
    );
  });

  it('checks the 0.5.x copy too', async () => {
    const mirror = world.path('mirror.jsonl');
    const good = await verify('--legacy', mirror, '--json');
    expect(good).toMatchObject({ code: 0, json: { ok: true, chains: 1 } });
    const lines = readFileSync(mirror, 'utf8').replace('"DENIED"', '"EXECUTED"').split('\n');
    const cut = world.write('cut.jsonl', lines.slice(1).join('\n'));
    expect((await verify('--legacy', cut)).code).toBe(1);
  });
});
