// What works where a start is refused, and the way out: the log begins anew under another name.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect } from 'vitest';
import { verifyBundle } from '../../../src/receipts/verify.ts';
import { World } from '../../fixtures/product/world.ts';
import { pay, type RefusedState, refuseStart } from '../../fixtures/refused-world.ts';
import { TileReader } from '../../fixtures/tile-reader.ts';
import { verifies } from '../../requirements/verifies.ts';

let world: World;
afterEach(() => world.close());

const states: readonly RefusedState[] = ['LOG_BEHIND_CHECKPOINT', 'LOG_FORKED', 'GUARD_MISSING'];
/** What the message of each code says. */
const words: Readonly<Record<RefusedState, string>> = {
  LOG_BEHIND_CHECKPOINT: 'it is an old copy',
  LOG_FORKED: 'it is another copy or was changed',
  GUARD_MISSING: 'is missing, so nobody knows',
};

const timeout = 180_000;

describe('a store that may not be signed', () => {
  for (const state of states) {
    verifies(
      ['RCP-14', 'RCP-15'],
      `is read and checked, and goes on under another name alone: ${state}`,
      { timeout },
      async () => {
        world = new World();
        await refuseStart(world, state);
        const refused = expect.stringContaining(words[state]);
        for (const command of [
          ['mandate', 'resume'],
          ['operations', 'list'],
          ['receipts', 'show'],
          ['keys', 'rotate'],
          ['mcp', 'pins'],
        ]) {
          const { code, stderr } = await world.runHere(command);
          expect([code, stderr], command.join(' ')).toEqual([3, refused]);
        }
        const proxy = await world.runHere(['mcp', 'run']);
        expect([proxy.code, proxy.stderr]).toEqual([3, refused]);

        const fsck = await world.runHere(['fsck', '--json']);
        expect(fsck.code).toBe(state === 'GUARD_MISSING' ? 0 : 1);
        const trust = world.path('trust.txt');
        const exported = await world.runHere(['receipts', 'export', '--trust', '--out', trust]);
        expect([exported.code, exported.stderr]).toEqual([0, refused]);
        const { json } = await world.runHere(['receipts', 'export', '--range', '0', '3', '--json']);
        expect(json).toBeUndefined();
        const opId = await attemptOf(world);
        const before = await bundlesOf(world, opId, 'before');
        await expectValid(before, trust);
        const tiles = world.path('tiles');
        expect((await world.runHere(['receipts', 'export', '--tiles', tiles])).code).toBe(0);
        expect(new TileReader(tiles).origin).toBe('staged-world');

        await restart(state);
        expect((await world.runHere(['fsck', '--json'])).json.faults).toEqual([]);
        expect(await pay(world, 7)).toBe('AUTHN_MANDATE_SUSPENDED');
        // Old bundles are as good as they were, and new ones of old receipts are of the old name.
        await expectValid(before, trust);
        await expectValid(await bundlesOf(world, opId, 'after'), trust);
        const newTrust = world.path('new-trust.txt');
        await world.runHere(['receipts', 'export', '--trust', '--out', newTrust]);
        expect(readFileSync(newTrust, 'utf8')).toContain('log second-life+');
        expect((await world.runHere(['mandate', 'resume'])).code).toBe(0);
        expect(await pay(world, 8)).not.toBe('executed');
        await expectFreshUnder(newTrust);
      },
    );
  }

  async function restart(state: RefusedState): Promise<void> {
    const wrong = await world.runHere(restarting('staged', 'second-life'));
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('`staged-world`')]);
    const same = await world.runHere(restarting('staged-world', 'staged-world'));
    expect([same.code, same.stderr]).toEqual([1, expect.stringContaining('never used')]);
    const { code, json } = await world.runHere([
      ...restarting('staged-world', 'second-life'),
      '--json',
    ]);
    expect(code).toBe(0);
    expect(json).toMatchObject({ origin: 'second-life', old_origin: 'staged-world' });
    expect(json.suspended_mandates).toHaveLength(1);
    expect(json.signed_size === null).toBe(state === 'GUARD_MISSING');
    const again = await world.runHere(restarting('second-life', 'third-life'));
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('can be signed')]);
  }

  const restarting = (old: string, next: string): string[] => [
    ...['receipts', 'restart', '--old-origin', old, '--new-origin', next],
  ];

  /** A receipt of the new log, under its own trust file. */
  async function expectFreshUnder(trust: string): Promise<void> {
    const receipts = await world.receipts();
    const last = receipts.findLast(({ type }) => type === 'decision');
    await expectValid(await bundlesOf(world, last?.op_id ?? '', 'fresh'), trust);
    const start = receipts.findLast(({ type }) => type === 'log.start');
    expect(start?.seq).toBeGreaterThan(0);
  }
});

/** The first operation, from the lines that are exported also here. */
async function attemptOf(of: World): Promise<string> {
  const { stdout } = await of.runHere(['receipts', 'export', '--jsonl']);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as LeafLine);
  return lines.find(({ type }) => type === 'attempt')?.op_id ?? '';
}

interface LeafLine {
  readonly type: string;
  readonly op_id?: string;
}

async function bundlesOf(world: World, opId: string, name: string): Promise<readonly string[]> {
  const folder = world.path(name);
  const run = await world.runHere(['receipts', 'export', '--op', opId, '--out', folder]);
  expect(run.code, run.stderr).toBe(0);
  return readdirSync(folder).map((file) => join(folder, file));
}

async function expectValid(bundles: readonly string[], trust: string): Promise<void> {
  expect(bundles.length).toBeGreaterThan(1);
  for (const bundle of bundles) {
    const report = await verifyBundle(readFileSync(bundle, 'utf8'), {
      trust: readFileSync(trust, 'utf8'),
    });
    expect(report, bundle).toMatchObject({ verdict: 'valid' });
  }
}
