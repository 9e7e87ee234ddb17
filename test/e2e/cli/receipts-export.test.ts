// `intentplane receipts export` in each of its forms, and what an outsider does with them.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseTlogProof } from '../../../src/receipts/tlog-proof.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import { aStoreSettings } from '../../../src/testing/store-builders.ts';
import { codeOf, type RunResult, World } from '../../fixtures/product/world.ts';
import { vendorIban } from '../../fixtures/product/world-files.ts';
import { TileReader } from '../../fixtures/tile-reader.ts';
import { verifies } from '../../requirements/verifies.ts';

let world: World;
let opId = '';
let trust = '';
beforeAll(async () => {
  world = new World();
  opId = await pay(1);
  trust = world.path('trust.txt');
  await exported('--trust', '--out', trust);
}, 60_000);
afterAll(() => world.close());

const exporting = (...args: readonly string[]): Promise<RunResult> =>
  world.runHere(['receipts', 'export', ...args]);

async function exported(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await exporting(...args);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

/** One payment through the gateway; the id of its operation. */
async function pay(amount: number): Promise<string> {
  const client = await world.start();
  expect(codeOf(await client.callTool('pay', { recipient: vendorIban, amount }))).toBe('executed');
  await client.close();
  const attempt = (await world.receipts()).findLast(({ type }) => type === 'attempt');
  return attempt?.op_id ?? '';
}

/** Leaves without an operation, quickly. */
async function fill(count: number): Promise<void> {
  const settings = aStoreSettings({ nowMs: Date.now() });
  const store = openSqliteStore(world.path('data/store.db'), settings);
  const alarm = { type: 'alarm', open: { kind: 'test', figures: {} }, committed: {} } as const;
  await store.appendLeaves(Array.from({ length: count }, () => alarm));
  await store.close();
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
const linesOf = (text: string): any[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('receipts export', () => {
  verifies('RCP-16', 'shows that the log grew since a checkpoint, or that it did not', async () => {
    const kept = world.path('kept-checkpoint');
    await exported('--checkpoint', '--out', kept);
    await pay(2);
    const folder = world.path('grown');
    await exported('--op', opId, '--previous', kept, '--out', folder);
    for (const name of readdirSync(folder)) {
      const args = ['verify', join(folder, name), '--trust', trust, '--previous', kept];
      const verified = await world.run(args);
      expect(verified.stdout).toMatch(/6 {2}pass {4}OK/);
      expect(verified.code).toBe(0);
    }
    const bare = world.path('bare');
    await exported('--op', opId, '--out', bare);
    const [first = ''] = readdirSync(bare);
    const args = ['verify', join(bare, first), '--trust', trust, '--previous', kept, '--json'];
    const missing = await world.run(args);
    expect([missing.code, missing.json.failedStep]).toEqual([1, 6]);
    expect(missing.json.steps[5]).toMatchObject({ code: 'CONSISTENCY_MISSING' });
  });

  it('writes bare proofs that other tools read', async () => {
    const folder = world.path('proofs');
    await exported('--op', opId, '--proof', '--out', folder);
    const names = readdirSync(folder);
    expect(names.map((name) => name.replace(/^\d+-/, ''))).toEqual(
      ['proposal', 'decision', 'attempt', 'outcome'].map((type) => `${type}.tlog-proof`),
    );
    const proof = parseTlogProof(readFileSync(join(folder, names[0] ?? ''), 'utf8'));
    expect(proof).toMatchObject({
      ok: true,
      value: { index: Number.parseInt(names[0] ?? '', 10) },
    });
  });

  it('writes a range with proofs to one checkpoint', async () => {
    const [head, ...leaves] = linesOf(await exported('--range', '1', '4'));
    expect(head).toMatchObject({ format: 'intentplane-range/1', from: 1, to: 4 });
    expect(head.consistency.size).toBe(1);
    expect(leaves.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    const size = Number(head.checkpoint.split('\n')[1]);
    for (const { leaf, path } of leaves) {
      const bytes = Buffer.from(leaf, 'base64');
      expect(JSON.parse(bytes.toString()).v).toBe(1);
      expect(path.length).toBeGreaterThanOrEqual(Math.floor(Math.log2(size)) - 1);
    }
    const beyond = await exporting('--range', '4', '999999');
    expect([beyond.code, beyond.stderr]).toEqual([2, expect.stringContaining('no range 4')]);
  });

  it('writes JSON lines that a later run goes on with', async () => {
    const all = linesOf(await exported('--jsonl'));
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_unused, i) => i));
    for (const { leaf, hash } of all) {
      const digest = createHash('sha256').update(`\0${leaf}`).digest('base64');
      expect(digest).toBe(hash);
    }
    const file = world.path('rest.jsonl');
    await exported('--jsonl', '--after', String(all.length - 3), '--out', file);
    expect(linesOf(readFileSync(file, 'utf8'))).toEqual(all.slice(-2));
    const again = await exporting('--jsonl', '--out', file);
    expect(again.code).toBe(3);
  });

  verifies('RCP-27', 'writes tiles that a reader of the specification proves', async () => {
    await fill(600);
    const folder = world.path('tiles');
    await exported('--tiles', folder);
    const reader = new TileReader(folder);
    expect(reader.size).toBeGreaterThan(600);
    expect(reader.treeHash(0, reader.size)).toEqual(reader.root);
    const entries = reader.entries();
    expect(entries.length).toBe(reader.size);
    for (const [i, entry] of entries.entries()) {
      expect(JSON.parse(entry.toString()).seq).toBe(i);
      expect(TileReader.leafHash(entry)).toEqual(reader.tile(0, Math.floor(i / 256))[i % 256]);
    }
    // A second run adds what is new and leaves the rest alone.
    const full = statSync(join(folder, 'tile/0/000'));
    await fill(300);
    expect(await exported('--tiles', folder)).toMatch(/^wrote \d+ files/);
    const grown = new TileReader(folder);
    expect(grown.size).toBe(reader.size + 300);
    expect(grown.treeHash(0, grown.size)).toEqual(grown.root);
    expect(grown.treeHash(0, reader.size)).toEqual(reader.root);
    const kept = statSync(join(folder, 'tile/0/000'));
    expect([kept.ino, kept.mtimeMs]).toEqual([full.ino, full.mtimeMs]);
    expect(await exported('--tiles', folder)).toContain('wrote 0 files');
    expect(existsSync(join(folder, 'tile/0/001'))).toBe(true);
    const names = readdirSync(folder, { recursive: true }).map(String);
    expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  const hasGo = spawnSync('go', ['version']).status === 0;
  const project = fileURLToPath(new URL('../../fixtures/go-tiles', import.meta.url));
  // Its module must be there already (`go mod download` in that folder): tests fetch nothing.
  const env = { ...process.env, GOPROXY: 'off', GOFLAGS: '-mod=readonly' };
  const isReady =
    hasGo && spawnSync('go', ['build', '-o', '/dev/null', '.'], { cwd: project, env }).status === 0;

  it.skipIf(!isReady)(
    'writes tiles that golang.org/x/mod/sumdb proves (needs Go and its module)',
    { timeout: 120_000 },
    async () => {
      await fill(300);
      const folder = world.path('tiles-for-go');
      await exported('--tiles', folder);
      const key = readFileSync(trust, 'utf8').split(/[ \n]/)[1] ?? '';
      const run = spawnSync('go', ['run', '.', folder, key], {
        cwd: project,
        env,
        encoding: 'utf8',
      });
      expect(run.stderr).toBe('');
      expect(run.stdout).toBe(`${new TileReader(folder).size} entries\n`);
    },
  );

  it('refuses a folder of tiles of another log, and one that knows more', async () => {
    const other = new World({ gateway: '[gateway]\nname = "another"\ndata = "data"' });
    const client = await other.start();
    await client.callTool('pay', { recipient: vendorIban, amount: 1 });
    await client.close();
    const folder = world.path('tiles-of-one');
    await exported('--tiles', folder);
    const refused = await other.runHere(['receipts', 'export', '--tiles', folder]);
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('of the log')]);
    await other.close();
  });

  it('says what is wrong with its options', { timeout: 60_000 }, async () => {
    const cases: [readonly string[], string][] = [
      [[], 'choose one of'],
      [['--trust', '--jsonl'], 'choose one of'],
      [['--trust', '--closed'], '--closed does not go with --trust'],
      [['--jsonl', '--previous', 'x'], '--previous does not go with --jsonl'],
      [['--range', '1'], '--range takes two numbers'],
      [['--range', 'a', '2'], '--range takes numbers'],
      [['--jsonl', 'x'], 'a word too many'],
      [['--jsonl', '--after', '-1'], 'ambiguous'],
      [['--range', '0', '1', '--previous', 'none'], 'cannot be read'],
    ];
    const runs = cases.map(async ([args, words]) => {
      const { code, stderr } = await exporting(...args);
      expect([code, stderr], args.join(' ')).toEqual([2, expect.stringContaining(words)]);
    });
    await Promise.all(runs);
  });
});
