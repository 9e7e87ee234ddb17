import { describe, expect, it } from 'vitest';
import {
  aMandateRow,
  anApprovalRow,
  anOperationRow,
  testNowMs,
} from '../../testing/move-builders.ts';
import { planRestart } from './plan-restart.ts';

const tree = { size: 7, root: new Uint8Array(32) };
const rootText = `${'A'.repeat(43)}=`;

describe('planRestart', () => {
  const approval = anApprovalRow({ state: 'GRANTED' });
  const operation = anOperationRow({ opId: approval.opId, state: 'ASKING' });
  const rows = {
    nowMs: testNowMs,
    activeMandates: [aMandateRow()],
    openRequests: [{ approval, operation }],
  };
  const terms = { origin: 'new', oldOrigin: 'old', tree, signed: undefined };

  it('begins with where the old log ends, then stops what is open', () => {
    const writes = planRestart(terms, rows);
    expect(writes.leaves.map(({ type }) => type)).toEqual([
      'log.start',
      'mandate.suspend',
      'approval.end',
    ]);
    expect(writes.leaves[0]?.open).toEqual({
      origin: 'new',
      reason: 'restart',
      old_origin: 'old',
      old_size: 7,
      old_root: rootText,
    });
    expect(writes.updateMandates.map(({ status }) => status)).toEqual(['suspended']);
    expect(writes.moveApprovals).toMatchObject([{ from: 'GRANTED', to: { state: 'VOIDED' } }]);
    expect(writes.moveOperations).toMatchObject([{ from: 'ASKING', to: { state: 'CLOSED' } }]);
  });

  it('says what was signed last when it is known', () => {
    const signed = { size: 9, root: new Uint8Array(32) };
    const writes = planRestart(
      { ...terms, signed },
      { ...rows, activeMandates: [], openRequests: [] },
    );
    expect(writes.leaves).toHaveLength(1);
    expect(writes.leaves[0]?.open).toMatchObject({ signed_size: 9, signed_root: rootText });
  });
});
