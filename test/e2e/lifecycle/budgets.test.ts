// Budgets as an owner and an agent see them: periods, currencies, and the freeze after an overrun.
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect } from 'vitest';
import { codeOf, type RunResult, World } from '../../fixtures/product/world.ts';
import { ownerPasscode, passcodeTable, vendorIban } from '../../fixtures/product/world-files.ts';
import type { RawClient } from '../../fixtures/raw-client.ts';
import { verifies } from '../../requirements/verifies.ts';

let world: World;
afterEach(() => world.discard());

const pay = (amount: number, note: string): object => ({ recipient: vendorIban, amount, note });

async function statusOf(client: RawClient) {
  const { result } = await client.callTool('intentplane_status', {});
  return result as {
    readonly content: readonly [{ readonly text: string }];
    readonly structuredContent: { readonly budgets: readonly Record<string, unknown>[] };
  };
}

describe('[mandate] period_budget', () => {
  verifies(
    'EXE-20',
    'is shared by the gateways of one store, over a restart, and says when it ends (F-35)',
    { timeout: 60_000 },
    async () => {
      world = new World({
        mandate:
          '[mandate]\nprincipal = "maya"\nbudget = 50_000\nperiod_budget = 10_000\nperiod = "month"\nzone = "Europe/Berlin"',
      });
      const clients = await Promise.all([world.start(), world.start()]);
      const answers = await Promise.all(
        clients.flatMap((client, index) =>
          [0, 1].map((round) => client.callTool('pay', pay(40, `${index} ${round}`), 30_000)),
        ),
      );
      expect(answers.map(codeOf).toSorted()).toEqual([
        ...Array(2).fill('BUDGET_PERIOD'),
        'executed',
        'executed',
      ]);
      for (const client of clients) await client.close();
      const next = await world.start();
      expect(codeOf(await next.callTool('pay', pay(40, 'later')))).toBe('BUDGET_PERIOD');
      const { structuredContent, content } = await statusOf(next);
      expect(structuredContent.budgets).toMatchObject([
        { kind: 'amount', limit: 50_000, left: 42_000 },
        { kind: 'amount', limit: 10_000, left: 2_000, window: 'month:Europe/Berlin' },
      ]);
      const endsAt = new Date(structuredContent.budgets[1]?.['ends_at'] as string);
      expect(endsAt.getTime()).toBeGreaterThan(Date.now());
      const local = endsAt.toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' });
      expect(local).toMatch(/-01 00:00:00$/);
      expect(content[0].text).toContain(`Its period ends at ${endsAt.toISOString()}.`);
      await next.close();
      const fsck = await world.runHere(['fsck', '--json']);
      expect(fsck.json).toMatchObject({ ok: true, budgets: 3 });
    },
  );
});

describe('intentplane budgets', () => {
  const list = (): Promise<RunResult> => world.runHere(['budgets', 'list', '--json']);
  const unfreeze = (id: string, passcode = ownerPasscode): Promise<RunResult> =>
    world.runHere(['budgets', 'unfreeze', id, '--json'], { input: `${passcode}\n` });

  verifies(
    'EXE-19',
    'lists what is left, and lifts a freeze with the passcode of the owner',
    { timeout: 60_000 },
    async () => {
      world = new World();
      world.configure({
        mandate: '[mandate]\nprincipal = "maya"\nbudget = 10_000\ncalls = 5',
        approvals: await passcodeTable(),
      });
      const client = await world.start();
      expect(codeOf(await client.callTool('pay', pay(40, 'first')))).toBe('executed');
      const { json } = await list();
      expect(json.budgets).toMatchObject([
        { kind: 'amount', limit: 10_000, spent: 4_000, left: 6_000, window: 'life', frozen: false },
        { kind: 'calls', limit: 5, spent: 1, left: 4, frozen: false },
      ]);
      const id: string = json.budgets[0].budget_id;
      expect(await unfreeze(id)).toMatchObject({ code: 1, json: { ok: false } });
      freeze(id);
      const refused = await client.callTool('pay', pay(1, 'frozen'));
      expect(codeOf(refused)).toBe('BUDGET_AMOUNT');
      expect((await world.runHere(['budgets', 'list'])).stdout).toContain('FROZEN');
      expect(await unfreeze(id, 'wrong horse')).toMatchObject({
        code: 1,
        json: { ok: false, error: 'wrong passcode: nothing changed' },
      });
      expect(codeOf(await client.callTool('pay', pay(1, 'still frozen')))).toBe('BUDGET_AMOUNT');
      expect(await unfreeze(id)).toMatchObject({ code: 0, json: { ok: true, budget_id: id } });
      expect(codeOf(await client.callTool('pay', pay(1, 'lifted')))).toBe('executed');
      const alarm = (await world.receipts()).find(({ type }) => type === 'alarm');
      expect(alarm).toMatchObject({ kind: 'budget_unfrozen' });
      expect(await unfreeze('nobody/amount')).toMatchObject({
        code: 1,
        json: { error: expect.stringContaining('there is no budget `nobody/amount`') },
      });
      await client.close();
    },
  );

  verifies('CFG-23', 'ask for the passcode also where no page takes it', async () => {
    world = new World();
    world.configure({
      approvals: await passcodeTable('page_url = "https://approve.example.com"'),
    });
    expect(await unfreeze('nobody/amount', 'wrong horse')).toMatchObject({
      code: 1,
      json: { error: 'wrong passcode: nothing changed' },
    });
    expect(await unfreeze('nobody/amount')).toMatchObject({
      code: 1,
      json: { error: expect.stringContaining('there is no budget') },
    });
  });

  // A target that takes more than was reserved is a matter of its connector.
  function freeze(budgetId: string): void {
    const database = new DatabaseSync(world.path('data/store.db'));
    database.prepare('UPDATE budget SET frozen = 1 WHERE budget_id = ?').run(budgetId);
    database.close();
  }
});
