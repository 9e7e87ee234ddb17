// The key of a log is replaced while a gateway runs, in every half-done state, and declared leaked.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect } from 'vitest';
import { verifyBundle } from '../../../src/receipts/verify.ts';
import { fileIn, KeyedLog } from '../../fixtures/keyed-log.ts';
import { codeOf, World } from '../../fixtures/product/world.ts';
import { vendorIban } from '../../fixtures/product/world-files.ts';
import { verifies } from '../../requirements/verifies.ts';

let world: World | undefined;
let log: KeyedLog | undefined;
afterEach(async () => {
  await world?.close();
  await log?.discard();
  [world, log] = [undefined, undefined];
});

describe('keys rotate', () => {
  verifies(
    'RCP-24',
    'is noticed by a gateway that runs; the first trust file proves what comes after it',
    { timeout: 120_000 },
    async () => {
      world = new World();
      const client = await world.start();
      const pay = async (amount: number): Promise<void> => {
        const answer = await client.callTool('pay', { recipient: vendorIban, amount });
        expect(codeOf(answer)).toBe('executed');
      };
      await pay(1);
      const trust = world.path('trust.txt');
      await world.runHere(['receipts', 'export', '--trust', '--out', trust]);
      const kept = world.path('kept');
      await world.runHere(['receipts', 'export', '--checkpoint', '--out', kept]);
      const rotated = await world.runHere(['keys', 'rotate', '--json']);
      expect(rotated).toMatchObject({ code: 0, json: { ok: true } });
      await pay(2);
      await client.close();
      const data = world.path('data');
      expect(readdirSync(data).filter((name) => name.startsWith('log-key'))).toEqual([
        'log-key.pem',
        'log-key.pem.guard',
      ]);
      expect(statSync(join(data, 'log-key.pem')).mode & 0o777).toBe(0o600);
      // What the gateway signed when it ended is signed by the new key.
      const note = await world.runHere(['receipts', 'export', '--checkpoint', '--json']);
      const keys = await world.runHere(['keys', 'list', '--json']);
      expect(keys.json.keys.map((row: { status: string }) => row.status)).toEqual([
        'retired',
        'current',
      ]);
      expect(note.json.checkpoint.match(/— /g)).toHaveLength(1);
      const receipts = await world.receipts();
      const opId = receipts.findLast(({ type }) => type === 'outcome')?.op_id ?? '';
      const out = world.path('bundles');
      await world.runHere(['receipts', 'export', '--op', opId, '--previous', kept, '--out', out]);
      for (const name of readdirSync(out)) {
        const report = await verifyBundle(readFileSync(join(out, name), 'utf8'), {
          trust: readFileSync(trust, 'utf8'),
          previous: readFileSync(kept, 'utf8'),
        });
        expect(report).toMatchObject({ verdict: 'valid' });
      }
      expect((await world.runHere(['fsck'])).code).toBe(0);
    },
  );

  verifies('RCP-24', 'goes on from each step after which it may have crashed', async () => {
    for (const stop of ['new key made', 'leaf written', 'both signed'] as const) {
      log = await KeyedLog.open();
      const { key: first, trust } = await log.describe();
      await log.grow(3);
      await log.rotateUntil(stop);
      expect(existsSync(fileIn(log, 'log-key.pem.next'))).toBe(true);
      // A gateway that starts in this state signs with both.
      await log.grow(2);
      expect((await log.sign()).note.match(/— /g)).toHaveLength(2);
      const { old, next } = await log.rotate();
      expect(old.keyId).toBe(first.keyId);
      expect(existsSync(fileIn(log, 'log-key.pem.next'))).toBe(false);
      await log.grow(2);
      const { note } = await log.sign();
      expect(note).not.toContain(
        `— ${first.name} ${Buffer.from(first.keyId, 'hex').toString('base64').slice(0, 5)}`,
      );
      expect((await log.describe()).key.keyId).toBe(next.keyId);
      expect(await log.verdict(0, { trust })).toBe('valid');
      const { rotations } = await log.counts();
      expect(rotations, stop).toBe(1);
      await log.discard();
      log = undefined;
    }
  });

  verifies('RCP-24', 'again and again leaves the first trust file good', async () => {
    log = await KeyedLog.open();
    const { trust } = await log.describe();
    for (let round = 0; round < 4; round += 1) {
      await log.grow(3);
      await log.rotate();
    }
    await log.grow(1);
    expect(await log.verdict(0, { trust })).toBe('valid');
    expect(await log.verdict(0, { trust: (await log.describe()).trust })).toBe('valid');
  });
});

describe('keys distrust', () => {
  verifies('RCP-24', 'makes later trees under that key worthless', async () => {
    log = await KeyedLog.open();
    await log.grow(3);
    const stolen = fileIn(log, 'stolen.pem');
    writeFileSync(stolen, readFileSync(fileIn(log, 'log-key.pem')), { mode: 0o600 });
    const { trust } = await log.describe();
    const early = await log.bundle(0);
    const { old } = await log.rotate();
    await log.grow(2);
    const forged = await log.forgedBundle(0, stolen);
    expect((await verifyBundle(forged, { trust })).verdict).toBe('valid');
    await log.distrust(old, 3);
    const now = (await log.describe()).trust;
    // The new trust file names the new key alone; an auditor with both keys gets the limit too.
    const both = JSON.stringify({
      policy: trust,
      distrust: (JSON.parse(now) as { distrust: unknown }).distrust,
    });
    expect(await log.verdict(0, { trust: now })).toBe('valid');
    const steps = await verifyBundle(forged, { trust: both });
    expect(steps).toMatchObject({ verdict: 'invalid', failedStep: 4 });
    expect(steps.verdict === 'bad_input' ? '' : steps.steps[3]?.code).toBe('KEY_DISTRUSTED');
    expect((await verifyBundle(early, { trust: both })).verdict).toBe('valid');
  });

  verifies(
    'RCP-24',
    'refuses a key that still signs, or none of this log',
    { timeout: 60_000 },
    async () => {
      world = new World();
      const list = await world.runHere(['keys', 'list', '--json']);
      const [{ key_id: keyId }] = list.json.keys;
      const current = await world.runHere(['keys', 'distrust', '--after', '3', keyId]);
      expect([current.code, current.stderr]).toEqual([2, expect.stringContaining('rotate first')]);
      const unknown = await world.runHere(['keys', 'distrust', '--after', '3', '00000000']);
      expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('had no key')]);
    },
  );
});
