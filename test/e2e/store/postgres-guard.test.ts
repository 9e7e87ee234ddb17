// Old copies and other histories of a log in PostgreSQL, and the walk through all of it.
import { describe, expect, it } from 'vitest';
import { emptyFrontier, frontierRoot } from '../../../src/core/merkle.ts';
import { fsckStore } from '../../../src/server/fsck-store.ts';
import type { GuardedTree, LogGuard } from '../../../src/stores/store.ts';
import { aReport } from '../../../src/testing/store-builders.ts';
import { administer, skipReason } from '../../fixtures/postgres/database.ts';
import { useStores } from '../../fixtures/postgres/open-stores.ts';
import { verifies } from '../../requirements/verifies.ts';

/** A guard in memory, whose last tree a test may replace. */
class TestGuard implements LogGuard {
  readonly place = 'the test';
  tree: GuardedTree | undefined;
  read(): GuardedTree | undefined {
    return this.tree;
  }
  write(_origin: string, tree: GuardedTree): void {
    this.tree = tree;
  }
  replace(): GuardedTree | undefined {
    const ended = this.tree;
    this.tree = { size: 0, root: frontierRoot(emptyFrontier) };
    return ended;
  }
}

describe.skipIf(skipReason !== undefined)('the log of a PostgreSQL store', () => {
  const stores = useStores();

  verifies('RCP-14', 'is not signed and does not start behind its guard or beside it', async () => {
    const guard = new TestGuard();
    const opened = await stores.open({ settings: { guard } });
    expect(guard.tree).toEqual({ size: 0, root: frontierRoot(emptyFrontier) });
    const { size } = await opened.store.checkpoint((at) => `note ${at}`);
    const signed = guard.tree;
    expect(signed?.size).toBe(size);
    guard.tree = { size: size + 100, root: new Uint8Array(32) };
    await opened.store.finish(aReport(opened.proposal()));
    const again = opened.store.checkpoint(() => 'never');
    await expect(again).rejects.toMatchObject({ code: 'LOG_BEHIND_CHECKPOINT', fatal: true });
    await expect(stores.open({ settings: { guard } })).rejects.toMatchObject({
      code: 'LOG_BEHIND_CHECKPOINT',
    });
    guard.tree = { size, root: new Uint8Array(32) };
    await expect(stores.open({ settings: { guard } })).rejects.toMatchObject({
      code: 'LOG_FORKED',
    });
    guard.tree = undefined;
    await expect(stores.open({ settings: { guard } })).rejects.toMatchObject({
      code: 'GUARD_MISSING',
    });
    guard.tree = signed;
    await stores.open({ settings: { guard } });
  });

  verifies('RCP-15', 'begins anew under another name, with everything stopped', async () => {
    const guard = new TestGuard();
    const opened = await stores.open({ settings: { guard } });
    const asked = opened.proposal();
    await opened.ask(asked);
    await opened.decide(opened.proposal());
    await opened.store.checkpoint((at) => `note ${at}`);
    const names = { oldOrigin: opened.settings.origin, origin: 'example.com/second' };
    const settings = { ...opened.settings, isAlive: () => true };
    const busy = stores.openAt(stores.url(), {
      ...settings,
      identity: { ...settings.identity, processId: 'another' },
    });
    await expect(busy.restart(names)).rejects.toMatchObject({ code: 'STORE_BUSY' });
    await opened.store.close();
    const whole = stores.openAt(stores.url(), opened.settings);
    await expect(whole.restart(names)).rejects.toMatchObject({ code: 'RESTART_REFUSED' });
    guard.tree = { size: 1_000, root: new Uint8Array(32) };
    await expect(stores.open({ settings: { guard } })).rejects.toMatchObject({
      code: 'LOG_BEHIND_CHECKPOINT',
    });
    const report = await whole.restart(names);
    expect(report).toMatchObject({
      origin: 'example.com/second',
      signedSize: 1_000,
      suspendedMandates: [opened.mandate.mandateId],
      voidedApprovals: [asked.approvalId],
    });
    await whole.close();
    const again = await stores.open({ settings: { guard } });
    expect(again.mandate.status).toBe('suspended');
    const { budgets, openApprovals } = await again.status();
    expect(budgets.map(({ frozen }) => frozen)).toEqual([true, true]);
    expect(openApprovals).toEqual([]);
    const { size } = await again.store.checkpoint((at) => `note ${at}`);
    expect(size).toBeGreaterThan(report.oldSize);
    const about = await again.store.readLeaves({ about: 'log' });
    expect(about.map(({ seq }) => seq)).toEqual([0, report.oldSize]);
    expect((await fsckStore(again.store)).faults).toEqual([]);
  });

  verifies('RCP-21', 'is walked through: whole, and with one changed byte', async () => {
    const opened = await stores.open({});
    for (let count = 0; count < 5; count += 1) {
      const draft = opened.proposal();
      await opened.decide(draft);
      await opened.store.finish(aReport(draft));
    }
    await opened.store.checkpoint((size) => `note ${size}`);
    const whole = await fsckStore(opened.store);
    expect(whole).toMatchObject({ operations: 5, budgets: 2, checkpoints: 1, faults: [] });
    await administer(
      stores.url(),
      `ALTER TABLE intentplane.leaf DISABLE TRIGGER USER;
       UPDATE intentplane.leaf SET bytes = bytes || '\\x20' WHERE seq = 4;
       UPDATE intentplane.budget SET spent = spent - 1 WHERE kind = 'amount'`,
    );
    const { faults } = await fsckStore(opened.store);
    expect(faults.map(({ code, seq }) => [code, seq])).toEqual([
      ['LEAF_CHANGED', 4],
      ['BUDGET_MISMATCH', undefined],
    ]);
  });

  it('knows its unknown operations', async () => {
    const opened = await stores.open({});
    const draft = opened.proposal();
    await opened.decide(draft);
    await opened.store.finish(aReport(draft, { class: 'AMBIGUOUS', result: undefined }));
    expect((await opened.store.readUnknown()).map(({ opId }) => opId)).toEqual([draft.opId]);
  });
});
