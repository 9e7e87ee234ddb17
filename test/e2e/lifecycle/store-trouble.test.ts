// The store fails for a moment: the call is refused, nothing is executed, the log stays whole, and
// the next call runs (F-17).
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect } from 'vitest';
import { codeOf, decisionOf, textOf, World } from '../../fixtures/product/world.ts';
import { vendorIban } from '../../fixtures/product/world-files.ts';
import { verifies } from '../../requirements/verifies.ts';

let world: World;
afterEach(() => world.close());

const pay = (amount: number): object => ({ recipient: vendorIban, amount });

describe('a store that cannot be written for a moment', () => {
  verifies(
    ['RCP-03', 'RCP-02'],
    'locked: RECEIPT_UNAVAILABLE, no effect, then everything goes on (F-17)',
    async () => {
      world = new World();
      const client = await world.start();
      expect(codeOf(await client.callTool('pay', pay(1)))).toBe('executed');
      const holder = new DatabaseSync(world.path('data/store.db'));
      holder.exec('BEGIN IMMEDIATE');
      const refused = await client.callTool('pay', pay(2), 20_000);
      expect(codeOf(refused)).toBe('RECEIPT_UNAVAILABLE');
      expect(decisionOf(refused)?.next.map((step) => step.do)).toContain('repeat_same_call');
      expect(textOf(refused)).toContain('nothing is executed');
      expect(world.effects()).toHaveLength(1);
      holder.exec('ROLLBACK');
      holder.close();
      expect(codeOf(await client.callTool('pay', pay(2)))).toBe('executed');
      expect(world.effects()).toHaveLength(2);
      await client.close();
      const receipts = await world.receipts();
      expect(receipts.map(({ seq }) => seq)).toEqual(receipts.map((_unused, index) => index));
      expect(receipts.filter(({ type }) => type === 'outcome')).toHaveLength(2);
    },
  );

  verifies(
    'RCP-03',
    'locked while the outcome comes: the effect is not lost and is never repeated',
    { timeout: 60_000 },
    async () => {
      world = new World();
      const client = await world.start();
      await client.callTool('control', { behaviour: 'slow' });
      const id = client.post('tools/call', { name: 'pay', arguments: pay(3) });
      const holder = new DatabaseSync(world.path('data/store.db'));
      await new Promise((resolve) => setTimeout(resolve, 500));
      holder.exec('BEGIN IMMEDIATE');
      const answer = await client.answerTo(id, 20_000);
      expect(['EXECUTION_UNKNOWN', 'executed']).toContain(codeOf(answer));
      holder.exec('ROLLBACK');
      holder.close();
      await client.stop();
      const next = await world.start();
      expect(codeOf(await next.callTool('pay', pay(3)))).toMatch(
        /EXECUTION_DUPLICATE|APPROVAL_NO_CHANNEL/,
      );
      expect(world.effects()).toHaveLength(1);
    },
  );
});
