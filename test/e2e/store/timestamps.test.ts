// A gateway and a time-stamping authority made of `openssl`: receipts that an auditor verifies with its root.
import { readdirSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, type RunResult, runMain, World } from '../../fixtures/product/world.ts';
import { vendorIban } from '../../fixtures/product/world-files.ts';
import { TimeStampingAuthority } from '../../fixtures/time-stamping-authority.ts';
import { waitUntil } from '../../fixtures/wait-until.ts';
import { verifies } from '../../requirements/verifies.ts';

const authority = new TimeStampingAuthority();
const other = new TimeStampingAuthority('other');
afterAll(async () => {
  await authority.close();
  await other.close();
});

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.discard());

/** Node as it is where the packages are not installed. */
const withoutPackages = [
  '--import',
  `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module';
    registerHooks({
      resolve(name, context, next) {
        if (name !== 'pkijs') return next(name, context);
        throw Object.assign(new Error('no pkijs'), { code: 'ERR_MODULE_NOT_FOUND' });
      },
    });`)}`,
] as const;

async function exportTrust(): Promise<string> {
  const { stdout, code } = await world.runHere(['receipts', 'export', '--trust']);
  expect(code).toBe(0);
  return stdout;
}

async function pay(amount: number, until: () => boolean = () => true): Promise<void> {
  const client = await world.start();
  const answer = await client.callTool('pay', { recipient: vendorIban, amount });
  expect(codeOf(answer)).toBe('executed');
  await waitUntil(until);
  await client.close();
}

/** Bundle of the last receipt of the newest operation. */
async function exportNewest(): Promise<{ readonly bundle: string; readonly stderr: string }> {
  const last = (await world.receipts()).findLast(({ type }) => type === 'attempt');
  const out = world.path(`bundles-${last?.seq}`);
  const args = ['receipts', 'export', '--op', last?.op_id ?? '', '--out', out];
  const { code, stderr } = await world.runHere(args);
  expect(code, stderr).toBe(0);
  return { bundle: `${out}/${readdirSync(out).at(-1)}`, stderr };
}

function verify(
  bundle: string,
  trust: object,
  nodeArgs: readonly string[] = [],
): Promise<RunResult> {
  const file = world.write('trust.json', JSON.stringify(trust));
  return runMain(['verify', bundle, '--trust', file, '--json'], { nodeArgs });
}

const stepFive = ({ json }: RunResult): { status: string; code: string; detail: string } =>
  (json.steps as { status: string; code: string; detail: string }[])[4] as never;

describe('a time-stamping authority', { timeout: 300_000 }, () => {
  verifies(
    'RCP-23',
    'is asked by a running gateway, and its word stands in the bundles',
    async () => {
      let queries = 0;
      const url = await authority.listen((query, response) => {
        queries += 1;
        authority.answer(query, response);
      });
      world.configure({ more: `[log]\ntimestamp_url = "${url}"` });
      const policy = await exportTrust();
      await pay(5, () => queries > 0);
      const { bundle, stderr } = await exportNewest();
      expect(stderr).toBe('');
      const valid = await verify(bundle, { policy, timestamp_roots: [authority.root] });
      expect(valid.code).toBe(0);
      expect(stepFive(valid)).toMatchObject({
        status: 'pass',
        detail: expect.stringMatching(/^signed not later than 20/),
      });
      const wrong = await verify(bundle, { policy, timestamp_roots: [other.root], require: [5] });
      expect([wrong.code, stepFive(wrong).code]).toEqual([1, 'TIMESTAMP_ROOT_UNKNOWN']);
      const roots = { policy, timestamp_roots: [authority.root] };
      const unable = await verify(bundle, roots, withoutPackages);
      expect([unable.code, stepFive(unable)]).toMatchObject([
        1,
        { status: 'absent', code: 'TIMESTAMP_UNAVAILABLE' },
      ]);
      // Nobody who did not ask is bothered with it.
      expect((await verify(bundle, { policy }, withoutPackages)).code).toBe(0);
    },
  );

  verifies('RCP-23', 'that lies is one alarm, and calls go on', async () => {
    const url = await authority.listen((_query, response) => {
      response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end('lie');
    });
    world.configure({ more: `[log]\ntimestamp_url = "${url}"` });
    const client = await world.start();
    for (const amount of [5, 6]) {
      const answer = await client.callTool('pay', { recipient: vendorIban, amount });
      expect(codeOf(answer)).toBe('executed');
    }
    const alarms = async (): Promise<readonly unknown[]> =>
      (await world.receipts()).filter(({ type }) => type === 'alarm').map(({ kind }) => kind);
    await waitUntil(async () => (await alarms()).length > 0);
    await client.close();
    expect(await alarms()).toEqual(['timestamp_failed']);
    const policy = await exportTrust();
    const { bundle, stderr } = await exportNewest();
    expect(stderr).toContain('(TIMESTAMP_MALFORMED)');
    const missed = await verify(bundle, { policy, timestamp_roots: [authority.root] });
    expect([missed.code, stepFive(missed).code]).toEqual([1, 'TIMESTAMP_MISSING']);
  });

  it('is nobody to a gateway without the packages: it says so and does not start', async () => {
    world.configure({ more: '[log]\ntimestamp_url = "https://tsa.example/tsr"' });
    const args = ['mcp', 'run'];
    const { code, stderr } = await world.runHere(args, { nodeArgs: withoutPackages });
    expect(code).toBe(2);
    expect(stderr).toContain(
      'log.timestamp_url: needs packages that are not installed: run `npm install pkijs asn1js`',
    );
  });

  verifies('RCP-23', 'is not asked for, and its packages not loaded, without the key', async () => {
    const client = await world.start({ env: { NODE_OPTIONS: withoutPackages.join(' ') } });
    const answer = await client.callTool('pay', { recipient: vendorIban, amount: 5 });
    expect(codeOf(answer)).toBe('executed');
    await client.close();
  });
});
