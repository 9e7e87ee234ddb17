// Several stores on one database are what several gateways are to each other.
import { describe, expect, it } from 'vitest';
import { skipReason } from '../../../test/fixtures/postgres/database.ts';
import { useStores } from '../../../test/fixtures/postgres/open-stores.ts';
import { verifies } from '../../../test/requirements/verifies.ts';
import { appendLeafHash, emptyFrontier, frontierRoot, leafHash } from '../../core/merkle.ts';
import { loadChain } from '../../testing/chain-load.ts';
import { type OpenedStore, outcomeOf } from '../../testing/opened-store.ts';
import { aCall, aMandateDraft, aReport } from '../../testing/store-builders.ts';

describe.skipIf(skipReason !== undefined)('several PostgreSQL stores on one database', () => {
  const stores = useStores();
  const openMany = async (count: number): Promise<readonly OpenedStore[]> =>
    Promise.all(Array.from({ length: count }, () => stores.open()));

  /** Every leaf is there once, and the root follows from them. */
  async function expectWholeLog(opened: OpenedStore): Promise<number> {
    const leaves = await opened.allLeaves();
    expect(leaves.map(({ seq }) => seq)).toEqual(leaves.map((_, i) => i));
    let frontier = emptyFrontier;
    for (const { bytes } of leaves) frontier = appendLeafHash(frontier, leafHash(bytes)).frontier;
    expect(await opened.store.readTree()).toEqual({
      size: leaves.length,
      root: frontierRoot(frontier),
    });
    return leaves.length;
  }

  verifies(
    'C06',
    'make one origin, one secret and one mandate when they start at once',
    async () => {
      const opened = await openMany(6);
      const [first] = opened;
      for (const each of opened) expect(each.mandate).toEqual(first?.mandate);
      expect((await first?.allLeaves())?.map(({ type }) => type)).toEqual([
        'log.start',
        'mandate.issue',
      ]);
    },
  );

  verifies(
    ['EXE-18', 'EXE-21'],
    'never pass a budget of a chain of six, and never wait for each other for ever',
    { timeout: 60_000 },
    async () => loadChain(await openMany(4), 300),
  );

  verifies(
    ['EXE-18', 'RCP-11'],
    '64 callers reach one limit exactly and never pass it',
    async () => {
      const opened = await openMany(4);
      const facts = aCall({ amount: 40 });
      const plans = await Promise.all(
        Array.from({ length: 64 }, (_, i) => {
          const each = opened[i % opened.length] as OpenedStore;
          return each.decide(each.proposal(), facts);
        }),
      );
      const outcomes = plans.map(({ decision }) => outcomeOf(decision));
      expect(outcomes.filter((each) => each === 'allow')).toHaveLength(25);
      expect(outcomes.filter((each) => each === 'BUDGET_AMOUNT')).toHaveLength(39);
      const [first] = opened as [OpenedStore];
      expect(await first.budgets()).toEqual(['amount:1000/0', 'calls:25/0']);
      expect(await expectWholeLog(first)).toBe(2 + 25 * 3 + 39 * 2);
    },
  );

  it('work on many budgets at once without a gap in the log', async () => {
    const opened = await openMany(3);
    const mandates = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        (opened[i % 3] as OpenedStore).store.joinMandate(aMandateDraft({ agent: `agent ${i}` })),
      ),
    );
    await Promise.all(
      Array.from({ length: 96 }, async (_, i) => {
        const each = opened[i % 3] as OpenedStore;
        const draft = each.proposal({ mandateId: mandates[i % 12]?.mandateId ?? '' });
        await each.decide(draft);
        await each.store.finish(aReport(draft));
      }),
    );
    for (const { mandateId } of mandates) {
      const status = await opened[0]?.store.readStatus(mandateId);
      expect(status?.budgets).toMatchObject([
        { reserved: 0, spent: 80 },
        { reserved: 0, spent: 8 },
      ]);
    }
    await expectWholeLog(opened[0] as OpenedStore);
    const [sums] = await stores.sql(
      `SELECT count(*)::int AS wrong FROM intentplane.budget b WHERE reserved + spent <>
         (SELECT coalesce(sum(amount), 0) FROM intentplane.budget_entry e
          WHERE e.budget_id = b.budget_id AND e.state <> 'released')`,
    );
    expect(sums).toEqual({ wrong: 0 });
  });

  verifies('EXE-14', 'send one of many equal calls, and a granted one once', async () => {
    const opened = await openMany(3);
    const [first] = opened as [OpenedStore];
    // A mandate without budgets: nothing but the line holds these apart.
    const { mandateId } = await first.store.joinMandate(
      aMandateDraft({ agent: 'free', budgets: [] }),
    );
    const { fingerprint } = first.proposal();
    const same = async (level: 0 | 1): Promise<readonly string[]> => {
      const plans = await Promise.all(
        Array.from({ length: 24 }, (_, i) => {
          const each = opened[i % 3] as OpenedStore;
          return each.decide(each.proposal({ mandateId, fingerprint }), aCall({ level }));
        }),
      );
      return plans.map(({ decision }) => outcomeOf(decision)).filter((each) => each === 'allow');
    };
    expect(await same(0)).toHaveLength(1);
    const asked = first.proposal({ mandateId });
    await first.grant(asked);
    const granted = await Promise.all(
      opened.map((each) =>
        each.decide(
          each.proposal({ mandateId, fingerprint: asked.fingerprint }),
          aCall({ level: 1 }),
        ),
      ),
    );
    expect(granted.map(({ decision }) => outcomeOf(decision)).toSorted()).toEqual([
      'EXECUTION_DUPLICATE',
      'EXECUTION_DUPLICATE',
      'allow',
    ]);
  });

  verifies('RCP-13', 'never sign two roots for one size', async () => {
    const opened = await openMany(2);
    const signed: string[] = [];
    const sign = (size: number, root: Uint8Array): string => {
      signed.push(`${size} ${Buffer.from(root).toString('hex')}`);
      return `note ${size}`;
    };
    for (let i = 0; i < 5; i += 1) {
      await Promise.all(
        opened.map(async (each) => {
          await each.decide(each.proposal());
          await each.store.checkpoint(sign);
        }),
      );
    }
    const sizes = new Set(signed.map((line) => line.split(' ')[0]));
    expect(new Set(signed).size).toBe(sizes.size);
  });
});
