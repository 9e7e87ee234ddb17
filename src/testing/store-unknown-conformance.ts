// What every store must do about operations whose outcome nobody knows.
import { expect, it } from 'vitest';
import type { StoreTestContext } from './opened-store.ts';
import { aReport, testId } from './store-builders.ts';

export function testUnknown({ opened }: StoreTestContext): void {
  it('EXE-05: a certain outcome that comes late settles an UNKNOWN operation', async () => {
    const draft = opened().proposal();
    await opened().decide(draft);
    await opened().store.finish(aReport(draft, { class: 'AMBIGUOUS', result: undefined }));
    const late = await opened().store.finish(aReport(draft));
    expect(late).toMatchObject({ state: 'SUCCEEDED', late: true });
    expect(await opened().budgets()).toEqual(['amount:0/10', 'calls:0/1']);
    const stored = await opened().store.readOperation(draft.opId);
    expect(stored?.result).toBe(aReport(draft).result);
  });

  it('EXE-07: a finding settles what is UNKNOWN, once, and nothing else', async () => {
    const { store } = opened();
    const [first, second] = [opened().proposal(), opened().proposal()];
    for (const draft of [first, second]) await opened().decide(draft);
    const found = (opId: string, finding: 'succeeded' | 'failed') =>
      store.reconcile({
        opId,
        finding,
        method: 'person',
        person: 'maya',
        evidence: 'looked',
        isTold: false,
      });
    expect(await found(first.opId, 'failed')).toMatchObject({
      isSettled: false,
      state: 'DISPATCHING',
    });
    for (const draft of [first, second]) {
      await store.finish(aReport(draft, { class: 'AMBIGUOUS', result: undefined }));
    }
    expect((await store.readUnknown()).map(({ opId }) => opId)).toEqual([first.opId, second.opId]);
    expect(await found(first.opId, 'failed')).toMatchObject({ isSettled: true, state: 'FAILED' });
    expect(await opened().budgets()).toEqual(['amount:10/0', 'calls:1/0']);
    expect(await found(second.opId, 'succeeded')).toMatchObject({
      isSettled: true,
      state: 'SUCCEEDED',
    });
    expect(await opened().budgets()).toEqual(['amount:0/10', 'calls:0/1']);
    expect(await found(second.opId, 'failed')).toMatchObject({
      isSettled: false,
      state: 'SUCCEEDED',
    });
    expect(await found(testId(), 'failed')).toMatchObject({ isSettled: false, state: undefined });
    expect(await store.readUnknown()).toEqual([]);
    expect((await store.readOperation(second.opId))?.row.told).toBe(false);
    const leaves = await store.readLeaves({ opId: first.opId });
    expect(leaves.map(({ type }) => type)).toEqual([
      'proposal',
      'decision',
      'attempt',
      'outcome',
      'reconcile',
    ]);
  });
}
