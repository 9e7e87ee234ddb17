// Several gateways on one store: one budget, one log, whatever starts, runs and dies beside it.

import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect } from 'vitest';
import { verifyBundle } from '../../../src/receipts/verify.ts';
import { codeOf, type ReceiptRow, World } from '../../fixtures/product/world.ts';
import { payTool, vendorIban } from '../../fixtures/product/world-files.ts';
import type { RawClient } from '../../fixtures/raw-client.ts';
import { waitUntil } from '../../fixtures/wait-until.ts';
import { verifies } from '../../requirements/verifies.ts';

let world: World;
afterEach(() => world.discard());

const pay = (amount: number, note: string): object => ({ recipient: vendorIban, amount, note });

/** Every receipt has its own number, none is missing. */
function expectGapless(receipts: readonly ReceiptRow[]): void {
  expect(receipts.map(({ seq }) => seq)).toEqual(receipts.map((_unused, index) => index));
}

/** Every receipt of these operations is proven from a bundle and the trust file alone. */
async function expectVerified(opIds: readonly string[]): Promise<void> {
  const trustFile = world.path('trust.txt');
  const trusted = await world.runHere(['receipts', 'export', '--trust', '--out', trustFile]);
  expect(trusted.code).toBe(0);
  const trust = readFileSync(trustFile, 'utf8');
  for (const opId of opIds) {
    const folder = world.path(`bundles-${opId}`);
    expect((await world.runHere(['receipts', 'export', '--op', opId, '--out', folder])).code).toBe(
      0,
    );
    const files = readdirSync(folder);
    expect(files.length).toBeGreaterThanOrEqual(2);
    for (const file of files) {
      const report = await verifyBundle(readFileSync(`${folder}/${file}`, 'utf8'), { trust });
      expect(report.verdict, file).toBe('valid');
    }
  }
}

async function startAll(count: number): Promise<readonly RawClient[]> {
  return Promise.all(Array.from({ length: count }, () => world.start()));
}

describe('three gateways on one store', () => {
  verifies(
    ['EXE-18', 'RCP-11'],
    'pay 40 each at once from a budget of 100: never more, also after a restart (F-35)',
    { timeout: 90_000 },
    async () => {
      world = new World({ mandate: '[mandate]\nprincipal = "maya"\nbudget = 10_000' });
      const clients = await startAll(3);
      const answers = await Promise.all(
        clients.flatMap((client, index) =>
          [0, 1].map((round) => client.callTool('pay', pay(40, `${index} ${round}`), 30_000)),
        ),
      );
      const codes = answers.map(codeOf).toSorted();
      expect(codes).toEqual([...Array(4).fill('BUDGET_AMOUNT'), 'executed', 'executed']);
      for (const client of clients) await client.close();

      const [next] = (await startAll(1)) as [RawClient];
      expect(codeOf(await next.callTool('pay', pay(40, 'later')))).toBe('BUDGET_AMOUNT');
      expect(codeOf(await next.callTool('pay', pay(20, 'rest')))).toBe('executed');
      const spent = world
        .effects()
        .map(({ arguments: args }) => (args as { amount: number }).amount);
      expect(spent.reduce((sum, amount) => sum + amount, 0)).toBe(100);
      await next.close();
      expectGapless(await world.receipts());
    },
  );

  verifies(
    ['RCP-11', 'EXE-25', 'EXE-28'],
    'make 150 calls each and one is killed: every answered call has its receipts (F-25)',
    { timeout: 180_000 },
    async () => {
      world = new World({
        mandate: '[mandate]\nprincipal = "maya"\nbudget = 90_000_000',
        tools: payTool('duplicate_window = "0s"'),
      });
      const clients = await startAll(3);
      const answered: string[] = [];
      const runAll = async (client: RawClient, name: number): Promise<void> => {
        const ids = Array.from({ length: 150 }, (_unused, call) =>
          client.post('tools/call', { name: 'pay', arguments: pay(1, `${name} ${call}`) }),
        );
        for (const id of ids) {
          const answer = await client.answerTo(id, 90_000);
          expect(codeOf(answer)).toBe('executed');
          answered.push(`${name}`);
        }
      };
      const [one, two, three] = clients as [RawClient, RawClient, RawClient];
      const killed = runAll(three, 2).catch(() => {});
      const others = [runAll(one, 0), runAll(two, 1)];
      await waitUntil(() => answered.filter((name) => name === '2').length >= 20, 60_000);
      three.kill('SIGKILL');
      await Promise.all([...others, killed]);
      await one.close();
      await two.close();

      const receipts = await world.receipts(10_000);
      expectGapless(receipts);
      const done = receipts.filter(
        ({ type, state }) => type === 'outcome' && state === 'SUCCEEDED',
      );
      expect(done.length).toBeGreaterThanOrEqual(answered.length);
      const attempts = receipts.filter(({ type }) => type === 'attempt');
      const outcomes = receipts.filter(({ type }) => type === 'outcome');
      expect(new Set(attempts.map((row) => row.op_id)).size).toBe(attempts.length);
      expect(outcomes.map((row) => row.op_id).toSorted()).toEqual(
        attempts.map((row) => row.op_id).toSorted(),
      );
      expect(world.effects().length).toBeLessThanOrEqual(attempts.length);
      expect(world.effects().length).toBeGreaterThanOrEqual(answered.length);
      await expectVerified([attempts.at(0), attempts.at(-1)].map((row) => row?.op_id ?? ''));
    },
  );
});

describe('four gateways on a store that does not exist yet', () => {
  verifies(
    ['RCP-11', 'RCP-13'],
    'make the first call at once: one first receipt, one log that verifies (F-28)',
    { timeout: 120_000 },
    async () => {
      world = new World();
      const clients = await Promise.all(
        Array.from({ length: 4 }, async (_unused, index) => {
          const client = await world.start({ isRaw: true });
          await client.request(
            'initialize',
            {
              protocolVersion: '2025-11-25',
              capabilities: {},
              clientInfo: { name: `client-${index}`, version: '1' },
            },
            30_000,
          );
          client.notify('notifications/initialized');
          return client;
        }),
      );
      const answers = await Promise.all(
        clients.map((client, index) => client.callTool('pay', pay(1, `first ${index}`), 30_000)),
      );
      expect(answers.map(codeOf)).toEqual(Array(4).fill('executed'));
      for (const client of clients) await client.close();
      const receipts = await world.receipts();
      expectGapless(receipts);
      expect(receipts.filter(({ type }) => type === 'log.start')).toHaveLength(1);
      expect(receipts.filter(({ type }) => type === 'mandate.issue')).toHaveLength(1);
      const recorded = receipts.filter(({ type }) => type === 'policy.change');
      expect(new Set(recorded.map((row) => row['tool'])).size).toBeGreaterThan(0);
      await expectVerified(
        receipts.filter(({ type }) => type === 'attempt').map((row) => row.op_id ?? ''),
      );
      expect(world.effects()).toHaveLength(4);
    },
  );
});
