// The repeat rules of SQLite against those of the memory store, and their cost.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OpenedStore, outcomeOf } from '../../testing/opened-store.ts';
import { aCall, aMandateDraft, anAnswer, aReport, testId } from '../../testing/store-builders.ts';
import { createMemoryStore } from '../memory/memory-store.ts';
import type { StoreSettings } from '../store.ts';
import { openDatabase } from './open-database.ts';
import { createSqliteStore, openSqliteStore } from './sqlite-store.ts';

/** One thing that happens to a store; `call` says which of three calls it is about. */
type Step =
  | {
      readonly kind: 'decide';
      readonly call: number;
      readonly level: 0 | 1;
      readonly window: number;
    }
  | {
      readonly kind: 'finish';
      readonly call: number;
      readonly outcome: number;
      readonly told: boolean;
    }
  | { readonly kind: 'answer'; readonly call: number; readonly verdict: 'approve' | 'reject' }
  | { readonly kind: 'cancel' | 'tell'; readonly call: number }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'expire' | 'renew' };

const call = fc.nat({ max: 2 });
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      call,
      level: fc.constantFrom(0 as const, 1 as const),
      window: fc.constantFrom(0, 500),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('finish' as const),
      call,
      outcome: fc.nat({ max: 3 }),
      told: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      call,
      verdict: fc.constantFrom('approve' as const, 'reject' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('cancel' as const, 'tell' as const), call }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 400, 600_000, 3_600_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('expire' as const, 'renew' as const) }),
  },
);

const outcomes = ['SUCCESS', 'REJECTED', 'AMBIGUOUS', 'TOOL_ERROR'] as const;

/** Carries the steps out and writes down everything that can be seen. */
class Play {
  readonly #opened: OpenedStore;
  #mandateId: string;
  readonly #last: { opId: string; approvalId: string }[] = [];
  readonly seen: unknown[] = [];

  constructor(opened: OpenedStore) {
    this.#opened = opened;
    this.#mandateId = opened.mandate.mandateId;
  }

  async run(
    step: Step,
    ids: { readonly opId: string; readonly approvalId: string },
  ): Promise<void> {
    this.seen.push(await this.#carryOut(step, ids));
    this.seen.push(await this.#opened.store.readTree().then(({ size }) => size));
    const status = await this.#opened.store.readStatus(this.#mandateId);
    this.seen.push(
      status?.budgets.map(({ reserved, spent }) => [reserved, spent]),
      status?.mandate.status,
    );
  }

  async #carryOut(
    step: Step,
    ids: { readonly opId: string; readonly approvalId: string },
  ): Promise<unknown> {
    const { store, clock } = this.#opened;
    switch (step.kind) {
      case 'decide':
        return this.#decide(step, ids);
      case 'finish': {
        const of = this.#last[step.call];
        if (of === undefined) return 'none';
        const report = aReport(
          { opId: of.opId, owner: 'process' },
          { class: outcomes[step.outcome] ?? 'SUCCESS', told: step.told },
        );
        const { state, late } = await store.finish(report);
        return [state, late];
      }
      case 'answer': {
        const of = this.#last[step.call];
        const asked = of && (await store.readApproval(of.approvalId));
        if (of === undefined || asked === undefined) return 'none';
        const { opHash } = asked.operation.row;
        const { result } = await store.answer(
          anAnswer({ approvalId: of.approvalId, opHash }, { verdict: step.verdict }),
        );
        return result;
      }
      case 'cancel':
        return (await store.cancelApproval(this.#last[step.call]?.opId ?? '', 'x'))?.state;
      case 'tell':
        return store.tell(this.#last[step.call]?.opId ?? '');
      case 'expire':
        return (await store.expireApprovals()).length;
      case 'renew':
        this.#mandateId = (
          await store.joinMandate(aMandateDraft({ mandateId: ids.opId, terms: ids.approvalId }))
        ).mandateId;
        return this.#mandateId;
      case 'wait':
        clock.nowMs += step.ms;
        return undefined;
      default:
        return step satisfies never;
    }
  }

  async #decide(
    step: Extract<Step, { kind: 'decide' }>,
    ids: { readonly opId: string; readonly approvalId: string },
  ): Promise<unknown> {
    const draft = this.#opened.proposal({
      ...ids,
      nonce: 'A'.repeat(43),
      owner: 'process',
      mandateId: this.#mandateId,
      fingerprint: `fingerprint ${step.call}`,
    });
    const plan = await this.#opened.decide(
      draft,
      aCall({ level: step.level, duplicateWindowMs: step.window }),
    );
    if (plan.opId === draft.opId) this.#last[step.call] = ids;
    const { decision } = plan;
    return [
      outcomeOf(decision),
      plan.opId,
      decision.kind === 'deny' ? decision.tells : decision.reasons,
    ];
  }
}

describe('repeats in the SQLite store', () => {
  it('are what they are in the memory store, whatever happened before', {
    timeout: 60_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 40 }), async (script) => {
        const folder = mkdtempSync(join(tmpdir(), 'store-'));
        const places = [
          createMemoryStore,
          (settings: StoreSettings) => openSqliteStore(join(folder, 'store.db'), settings),
        ];
        const mandate = aMandateDraft();
        const plays: Play[] = [];
        const stores: OpenedStore[] = [];
        for (const open of places) {
          const store = await OpenedStore.open(
            { isDurable: false, open, remove() {} },
            { clock: { nowMs: 1_800_000_000_000 }, mandate },
          );
          stores.push(store);
          plays.push(new Play(store));
        }
        for (const step of script) {
          const ids = { opId: testId(), approvalId: testId() };
          for (const play of plays) await play.run(step, ids);
        }
        for (const { store } of stores) await store.close();
        rmSync(folder, { recursive: true });
        expect(plays[1]?.seen).toEqual(plays[0]?.seen);
      }),
      { numRuns: 30 },
    );
  });

  it('cost the same after 100,000 equal calls', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'store-'));
    const database = openDatabase(join(folder, 'store.db'));
    const open = (settings: StoreSettings) => createSqliteStore(database, settings);
    const opened = await OpenedStore.open({ isDurable: true, open, remove() {} });
    const first = opened.proposal();
    await opened.decide(first);
    await opened.store.finish(aReport(first));
    database.exec(`WITH RECURSIVE more(value) AS
        (SELECT 1 UNION ALL SELECT value + 1 FROM more WHERE value < 100000)
      INSERT INTO operation
      SELECT value + 1000, printf('%032x', value), mandate_id, mandate_line, action, fingerprint,
        op_hash, 'FAILED', level, effect, attempt, owner, created_ms, moved_ms, deadline_ms,
        'NOT_SENT', told, n
      FROM operation, more WHERE op_id = '${first.opId}'`);
    const repeat = opened.proposal({ fingerprint: first.fingerprint });
    const plan = await opened.decide(repeat, aCall({ duplicateWindowMs: 1_000 }));
    expect(plan.decision).toMatchObject({ reasons: [{ kind: 'duplicate', opId: first.opId }] });
    let fastestMs = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 10; i += 1) {
      const startedMs = performance.now();
      await opened.decide(opened.proposal({ fingerprint: first.fingerprint }));
      fastestMs = Math.min(fastestMs, performance.now() - startedMs);
    }
    // Reading 100,000 rows would take a hundred times as long.
    expect(fastestMs).toBeLessThan(30);
    await opened.store.close();
    rmSync(folder, { recursive: true });
  });
});
