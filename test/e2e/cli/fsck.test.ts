// `intentplane fsck` as a person runs it: on a store that is whole, and where every start is refused.
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect } from 'vitest';
import { codeOf, World } from '../../fixtures/product/world.ts';
import { vendorIban } from '../../fixtures/product/world-files.ts';
import { verifies } from '../../requirements/verifies.ts';

let world: World;
afterEach(() => world.discard());

describe('intentplane fsck', () => {
  verifies(
    'RCP-21',
    'is 0 on a store that is whole, 1 with the first bad leaf on any other, also beside a gateway',
    { timeout: 60_000 },
    async () => {
      world = new World();
      const client = await world.start();
      for (const amount of [1, 2, 3]) {
        const answer = await client.callTool('pay', { recipient: vendorIban, amount });
        expect(codeOf(answer)).toBe('executed');
      }
      const beside = await world.runHere(['fsck', '--json']);
      expect(beside).toMatchObject({ code: 0, json: { ok: true, operations: 3, faults: [] } });
      await client.close();
      const whole = await world.runHere(['fsck']);
      expect(whole).toMatchObject({ code: 0, stderr: '' });
      expect(whole.stdout).toMatch(/^checked \d+ leaves, .*: nothing is wrong\n$/);

      const { json } = await world.runHere(['receipts', 'show', '--json']);
      const { seq } = json.receipts.find(({ type }: { type: string }) => type === 'outcome');
      const database = new DatabaseSync(world.path('data/store.db'));
      database.exec('DROP TRIGGER leaf_stays');
      database.exec(`UPDATE leaf SET bytes = x'7b7d' WHERE seq = ${seq}`);
      database.exec('UPDATE log_state SET root = zeroblob(32)');
      database.close();
      const broken = await world.runHere(['fsck', '--json']);
      expect(broken).toMatchObject({ code: 1, json: { ok: false, first_bad_seq: seq } });
      expect(broken.json.faults.map(({ code }: { code: string }) => code)).toEqual(
        expect.arrayContaining(['LEAF_CHANGED', 'LEAF_MALFORMED', 'ROOT_MISMATCH']),
      );
      const refused = await world.runHere(['receipts', 'show']);
      expect(refused.code).toBe(3);
      const words = await world.runHere(['fsck']);
      expect(words.stdout).toContain(`LEAF_CHANGED: leaf ${seq} has other bytes than its hash`);
    },
  );
});
