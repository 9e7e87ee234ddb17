// Erasing, expiring and backing up as a person does it, beside a running gateway.
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { codeOf, type RunResult, World } from '../../fixtures/product/world.ts';
import {
  bankServer,
  ownerPasscode,
  passcodeTable,
  vendorIban,
} from '../../fixtures/product/world-files.ts';
import { verifies } from '../../requirements/verifies.ts';

let world: World;
afterEach(() => world.discard());

/** Values of calls that were made here; both stand in no other file of the data folder. */
const secrets = ['sk-live-4711', 'Bearer abc.def'];

/** Which of the words stand in the data folder, logs and key files included. */
function found(words: readonly string[]): readonly string[] {
  const data = world.path('data');
  const files = readdirSync(data).map((file) => readFileSync(join(data, file)));
  return words.filter((word) => files.some((bytes) => bytes.includes(word)));
}

async function makeWorld(): Promise<void> {
  world = new World();
  world.configure({
    mandate: '[mandate]\nprincipal = "maya"\nbudget = 50_000',
    servers: bankServer(world.effectsFile),
    approvals: await passcodeTable(),
  });
}

const redact = (args: readonly string[], passcode = ownerPasscode): Promise<RunResult> =>
  world.runHere(['receipts', 'redact', '--json', ...args], { input: `${passcode}\n` });

describe('intentplane receipts redact', () => {
  verifies(
    ['RCP-25', 'RCP-04'],
    'erases the values of allowed and refused calls beside a running gateway; old bundles stay valid, new ones say REDACTED',
    { timeout: 120_000 },
    async () => {
      await makeWorld();
      const client = await world.start();
      const pay = { recipient: vendorIban, amount: 7 };
      expect(codeOf(await client.callTool('pay', pay))).toBe('executed');
      const denied = { ...pay, apiKey: secrets[0], headers: { Authorization: secrets[1] } };
      expect(codeOf(await client.callTool('pay', denied))).not.toBe('executed');
      expect(client.stderr).not.toContain(secrets[0]);
      expect(client.stderr).not.toContain(secrets[1]);
      expect(found([...secrets, vendorIban])).toEqual([...secrets, vendorIban]);
      for (const file of readdirSync(world.path('data'))) {
        expect(statSync(join(world.path('data'), file)).mode & 0o077, file).toBe(0);
      }

      const ids = new Set((await world.receipts()).flatMap(({ op_id: opId }) => opId ?? []));
      const [paid = '', refused = ''] = ids;
      mkdirSync(world.path('before'));
      await world.runHere(['receipts', 'export', '--op', paid, '--out', world.path('before')]);
      const trust = world.path('trust.txt');
      await world.runHere(['receipts', 'export', '--trust', '--out', trust]);

      const basis = ['--basis', 'gdpr-17'];
      const wrong = await redact(['--op', paid, ...basis], 'wrong passcode');
      expect(wrong).toMatchObject({ code: 1, json: { ok: false } });
      const stray = await redact(['--op', paid, '--field', 'nothing', ...basis]);
      expect(stray.json.error).toContain('has a field `nothing`: they have call, ');
      const one = await redact(['--op', paid, '--field', 'result', '--field', 'call', ...basis]);
      expect(one).toMatchObject({ code: 0, json: { erased: 2, wal_empty: true } });
      expect(one.json.kept).toContain('preimage');
      for (const opId of [paid, refused]) {
        const done = await redact(['--op', opId, ...basis]);
        expect(done, done.stderr).toMatchObject({ code: 0, json: { ok: true, kept: [] } });
      }
      expect(found([...secrets, vendorIban])).toEqual([]);
      expect((await redact(['--op', 'f'.repeat(32), ...basis])).code).toBe(1);

      await world.runHere(['receipts', 'export', '--op', paid, '--out', world.path('after')]);
      const verify = async (folder: string): Promise<readonly string[]> => {
        const lines: string[] = [];
        for (const file of readdirSync(world.path(folder)).toSorted()) {
          const path = join(world.path(folder), file);
          const { code, json } = await world.run(['verify', path, '--trust', trust, '--json']);
          expect(code, file).toBe(0);
          lines.push(`${file.slice(9)} ${json.steps[1].code}`);
        }
        return lines;
      };
      expect(new Set((await verify('before')).map((line) => line.split(' ')[1]))).toEqual(
        new Set(['OK']),
      );
      expect(await verify('after')).toEqual([
        'proposal.json REDACTED',
        'decision.json REDACTED',
        'attempt.json REDACTED',
        'outcome.json REDACTED',
        'redaction.json OK',
        'redaction.json OK',
      ]);
      // The gateway goes on, and an erased call is the repeat of nothing.
      expect(codeOf(await client.callTool('pay', { ...pay, amount: 8 }))).toBe('executed');
      await client.close();
      expect(await world.runHere(['fsck'])).toMatchObject({ code: 0 });
    },
  );

  it('refuses an operation that is asked about, and says what to do', {
    timeout: 60_000,
  }, async () => {
    await makeWorld();
    const client = await world.start();
    await client.callTool('pay', { recipient: vendorIban, amount: 200 });
    const { op_id: opId = '' } =
      (await world.receipts()).find(({ type }) => type === 'approval.request') ?? {};
    const refused = await redact(['--op', opId, '--basis', 'mistake']);
    expect(refused.code).toBe(1);
    expect(refused.json.error).toContain('is ASKING and still needs its texts: answer or cancel');
    await client.close();
  });
});

describe('intentplane store backup', () => {
  verifies(
    'RCP-25',
    'makes a private copy beside a gateway, without keys; other stores name the tools for it',
    { timeout: 120_000 },
    async () => {
      await makeWorld();
      const client = await world.start();
      await client.callTool('pay', { recipient: vendorIban, amount: 7 });
      const copy = world.path('copy.db');
      const made = await world.runHere(['store', 'backup', copy, '--json']);
      expect(made, made.stderr).toMatchObject({ code: 0, json: { ok: true, file: copy } });
      expect(statSync(copy)).toMatchObject({ size: made.json.bytes, mode: 0o100600 });
      const bytes = readFileSync(copy);
      expect(bytes.includes(vendorIban)).toBe(true);
      expect(bytes.includes('PRIVATE KEY')).toBe(false);
      expect((await world.runHere(['store', 'backup', copy])).code).toBe(3);
      await client.close();
      world.configure({ gateway: '[gateway]\ndata = "data"\nstore = ":memory:"' });
      expect((await world.runHere(['store', 'backup', world.path('x.db')])).code).toBe(2);
      world.configure({ gateway: '[gateway]\nstore = "postgres://gateway@localhost/x"' });
      const postgres = await world.runHere(['store', 'backup', world.path('x.db')]);
      expect(postgres).toMatchObject({ code: 2, stderr: expect.stringContaining('pg_dump') });
    },
  );
});

describe('intentplane receipts expire', () => {
  it('counts, erases nothing that is young', { timeout: 60_000 }, async () => {
    await makeWorld();
    const client = await world.start();
    await client.callTool('pay', { recipient: vendorIban, amount: 7 });
    await client.close();
    const dry = await world.runHere(['receipts', 'expire', '--dry-run', '--json']);
    expect(dry).toMatchObject({ code: 0, json: { dry_run: true, receipts: 0, values: 0 } });
    expect(await world.runHere(['receipts', 'expire'])).toMatchObject({
      code: 0,
      stdout: 'erased 0 values behind 0 receipts\n',
    });
  });
});
