// The gateway is killed between the dispatch and the outcome: the next start says so, keeps the
// money reserved and sends nothing again.
import { afterEach, describe, expect } from 'vitest';
import { codeOf, decisionOf, textOf, World } from '../../fixtures/product/world.ts';
import { bankServer, vendorIban } from '../../fixtures/product/world-files.ts';
import type { RawClient } from '../../fixtures/raw-client.ts';
import { waitUntil } from '../../fixtures/wait-until.ts';
import { verifies } from '../../requirements/verifies.ts';

let world: World;
afterEach(() => world.discard());

const pay = (amount: number): object => ({ recipient: vendorIban, amount });

async function amountLeft(client: RawClient): Promise<number> {
  const { result } = await client.callTool('intentplane_status', {});
  return result.structuredContent.budgets.find(
    ({ kind }: { readonly kind: string }) => kind === 'amount',
  ).left;
}

/** Kills the gateway while its server works on a payment. */
async function killInMidCall(): Promise<void> {
  world = new World();
  world.configure({
    mandate: '[mandate]\nprincipal = "maya"\nbudget = 10_000',
    servers: bankServer(world.effectsFile, ['--delay', '3000']),
  });
  const client = await world.start();
  // Slow for this run only: the next start has the same command line and is quick.
  await client.callTool('control', { behaviour: 'slow' });
  client.post('tools/call', { name: 'pay', arguments: pay(60) });
  await waitUntil(() => client.stderr.includes('decision=allow'));
  client.kill('SIGKILL');
  await client.exited;
  expect((await client.stop()).leftOver).toEqual([]);
}

describe('kill -9 between dispatch and outcome', () => {
  verifies(
    ['EXE-08', 'EXE-28', 'EXE-14'],
    'UNKNOWN at the next start, the reservation stays, the repeat sends nothing',
    { timeout: 60_000 },
    async () => {
      await killInMidCall();
      const effectsBefore = world.effects().length;

      const next = await world.start();
      expect(next.stderr).toContain('is UNKNOWN now: it is being found out');
      const outcome = (await world.receipts()).find(({ type }) => type === 'outcome');
      expect(outcome).toMatchObject({ state: 'UNKNOWN' });
      expect(await amountLeft(next)).toBe(4_000);

      const repeat = await next.callTool('pay', pay(60));
      expect(codeOf(repeat)).toBe('EXECUTION_DUPLICATE');
      expect(decisionOf(repeat)).toMatchObject({ status: 'unknown', op_id: outcome?.op_id });
      expect(textOf(repeat)).toContain('a repeat sends nothing');
      expect(codeOf(await next.callTool('pay', pay(41)))).toBe('BUDGET_AMOUNT');
      expect(codeOf(await next.callTool('pay', pay(40)))).toBe('executed');
      await next.close();

      const last = await world.start();
      expect(await amountLeft(last)).toBe(0);
      expect(codeOf(await last.callTool('pay', pay(60)))).toBe('EXECUTION_DUPLICATE');
      expect(world.effects()).toHaveLength(effectsBefore + 1);
      await last.close();
    },
  );

  verifies(
    'EXE-28',
    'only the operations of the dead process: those of a living one go on',
    { timeout: 60_000 },
    async () => {
      world = new World();
      world.configure({ servers: bankServer(world.effectsFile, ['slow', '--delay', '4000']) });
      const living = await world.start();
      const dead = await world.start();
      const open = living.post('tools/call', { name: 'pay', arguments: pay(1) });
      dead.post('tools/call', { name: 'pay', arguments: pay(2) });
      await waitUntil(() => living.stderr.includes('decision=allow'));
      await waitUntil(() => dead.stderr.includes('decision=allow'));
      dead.kill('SIGKILL');
      await dead.exited;
      const shown = await world.receipts();
      const ends = shown.filter(({ type }) => type === 'outcome').map(({ state }) => state);
      // The living one may have had its answer by now.
      expect(ends.filter((state) => state !== 'SUCCEEDED')).toEqual(['UNKNOWN']);
      expect(codeOf(await living.answerTo(open))).toBe('executed');
      await living.close();
    },
  );
});

describe('a restart', () => {
  verifies(
    ['EXE-08', 'APR-04'],
    'keeps budget, operations and open questions',
    { timeout: 60_000 },
    async () => {
      world = new World();
      const form = { capabilities: { elicitation: {} }, onRequest: () => undefined };
      world.configure({ mandate: '[mandate]\nprincipal = "maya"\nbudget = 30_000\ncalls = 5' });
      const first = await world.start(form);
      expect(codeOf(await first.callTool('pay', pay(70)))).toBe('executed');
      first.post('tools/call', { name: 'pay', arguments: pay(200) });
      await first.waitFor((frame) => frame.method === 'elicitation/create');
      first.kill('SIGKILL');
      await first.exited;

      const second = await world.start();
      const { budgets, pending } = (await second.callTool('intentplane_status', {})).result
        .structuredContent;
      expect(budgets).toEqual(
        expect.arrayContaining([
          { kind: 'amount', limit: 30_000, left: 23_000 },
          { kind: 'calls', limit: 5, left: 4 },
        ]),
      );
      expect(pending).toHaveLength(1);
      expect(codeOf(await second.callTool('pay', pay(70)))).toBe('APPROVAL_NO_CHANNEL');
      expect(codeOf(await second.callTool('pay', pay(231)))).toBe('BUDGET_AMOUNT');
      expect(world.effects()).toHaveLength(1);
      await second.close();
    },
  );
});
