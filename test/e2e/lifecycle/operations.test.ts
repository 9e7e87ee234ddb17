// A person says what became of an operation that nobody knew of: budget, repeat and receipts follow.
import { afterEach, describe, expect, it } from 'vitest';
import { codeOf, decisionOf, type RunResult, World } from '../../fixtures/product/world.ts';
import {
  bankServer,
  ownerPasscode,
  passcodeTable,
  vendorIban,
} from '../../fixtures/product/world-files.ts';
import type { RawClient } from '../../fixtures/raw-client.ts';
import { waitUntil } from '../../fixtures/wait-until.ts';
import { verifies } from '../../requirements/verifies.ts';

let world: World;
afterEach(() => world.discard());

const payment = { recipient: vendorIban, amount: 60 };

/** Kills the gateway while its server works on the payment; the next one has it as UNKNOWN. */
async function leaveUnknown(): Promise<{ readonly client: RawClient; readonly opId: string }> {
  world = new World();
  world.configure({
    mandate: '[mandate]\nprincipal = "maya"\nbudget = 10_000',
    servers: bankServer(world.effectsFile, ['--delay', '3000']),
    approvals: await passcodeTable(),
  });
  const first = await world.start();
  await first.callTool('control', { behaviour: 'slow' });
  first.post('tools/call', { name: 'pay', arguments: payment });
  await waitUntil(() => first.stderr.includes('decision=allow'));
  first.kill('SIGKILL');
  await first.exited;
  await first.stop();
  const client = await world.start();
  const { json } = await world.runHere(['operations', 'list', '--json']);
  expect(json.operations).toMatchObject([{ action: 'payment.transfer', outcome: 'AMBIGUOUS' }]);
  return { client, opId: json.operations[0].op_id };
}

const resolve = (
  opId: string,
  as: string,
  { passcode = ownerPasscode, reason = 'seen on the bank statement' } = {},
): Promise<RunResult> =>
  world.runHere(['operations', 'resolve', opId, '--as', as, '--reason', reason, '--json'], {
    input: `${passcode}\n`,
  });

async function amountLeft(client: RawClient): Promise<number> {
  const { result } = await client.callTool('intentplane_status', {});
  return result.structuredContent.budgets.find(
    ({ kind }: { readonly kind: string }) => kind === 'amount',
  ).left;
}

describe('intentplane operations resolve', () => {
  verifies(
    'EXE-07',
    'as succeeded: spent, told once to the next identical call, nothing is sent again',
    { timeout: 60_000 },
    async () => {
      const { client, opId } = await leaveUnknown();
      const sent = world.effects().length;
      expect(await resolve(opId, 'succeeded', { passcode: 'wrong horse' })).toMatchObject({
        code: 1,
        json: { ok: false, error: 'wrong passcode: nothing changed' },
      });
      const right = await resolve(opId, 'succeeded');
      expect(right).toMatchObject({ code: 0, json: { ok: true, op_id: opId, state: 'SUCCEEDED' } });
      expect(right.stdout + right.stderr).not.toContain(ownerPasscode);
      expect(await resolve(opId, 'failed')).toMatchObject({
        code: 1,
        json: { ok: false, state: 'SUCCEEDED' },
      });
      expect(await amountLeft(client)).toBe(4_000);
      const repeat = await client.callTool('pay', payment);
      expect(codeOf(repeat)).toBe('EXECUTION_DUPLICATE');
      expect(decisionOf(repeat)?.op_id).toBe(opId);
      expect(world.effects()).toHaveLength(sent);
      const receipt = (await world.receipts()).find(({ type }) => type === 'reconcile');
      expect(receipt).toMatchObject({ op_id: opId, state: 'SUCCEEDED' });
      expect((await world.runHere(['operations', 'list'])).stdout).toContain(
        'every outcome is known',
      );
    },
  );

  verifies(
    'EXE-07',
    'as failed: the money is free again and the same call is a new one',
    { timeout: 60_000 },
    async () => {
      const { client, opId } = await leaveUnknown();
      expect(codeOf(await client.callTool('pay', payment))).toBe('EXECUTION_DUPLICATE');
      expect(await resolve(opId, 'failed')).toMatchObject({ code: 0, json: { state: 'FAILED' } });
      expect(await amountLeft(client)).toBe(10_000);
      expect(codeOf(await client.callTool('pay', payment))).toBe('executed');
    },
  );

  it('names what is wrong and the fix', { timeout: 60_000 }, async () => {
    world = new World();
    const id = '0'.repeat(32);
    expect(await resolve(id, 'failed')).toMatchObject({
      code: 1,
      json: { ok: false, state: null, error: expect.stringContaining('operations list') },
    });
    const usage: readonly (readonly [opId: string, as: string, reason: string, words: string])[] = [
      ['4711', 'failed', 'r', '`4711` is no operation id'],
      [id, 'maybe', 'r', '--as takes `succeeded` or `failed`'],
      [id, 'failed', ' ', '--reason takes a text of 1 to 500 characters'],
      [id, 'failed', 'r'.repeat(501), '--reason takes a text of 1 to 500 characters'],
    ];
    for (const [opId, as, reason, words] of usage) {
      const { code, json } = await resolve(opId, as, { reason });
      expect(code).toBe(2);
      expect(json.error).toContain(words);
    }
  });
});
