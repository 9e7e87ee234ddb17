import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { anApprovalRow, anOperationRow, testNowMs } from '../../testing/move-builders.ts';
import type { AmendmentDraft, HistoryRow } from '../history.ts';
import {
  type AmendmentRows,
  amendmentWindowMs,
  type EqualApproval,
  isCovered,
  planAmendment,
} from './plan-amendment.ts';

const history: HistoryRow = {
  opId: '11'.repeat(16),
  recipientKey: 'acme',
  recipientPaths: ['iban'],
  fields: {},
  amount: 100_00,
  currency: 'EUR',
  atMs: testNowMs,
};

const equal = (...amounts: readonly number[]): readonly EqualApproval[] =>
  amounts.map((amount, at) => ({ approvalId: `request-${at + 1}`, amount }));

function rows(over: Partial<AmendmentRows> = {}): AmendmentRows {
  return {
    nowMs: testNowMs,
    approval: anApprovalRow({ state: 'GRANTED' }),
    operation: anOperationRow({ state: 'ASKING' }),
    history,
    equal: equal(100_00, 80_00, 90_00),
    drafts: [],
    ...over,
  };
}

const drafted = (over: Partial<AmendmentRows> = {}): AmendmentDraft | undefined =>
  planAmendment('draft-1', rows(over)).draft;

describe('planAmendment', () => {
  verifies(
    'APR-25',
    'three equal approvals make one draft, with the largest as its ceiling',
    () => {
      const { draft, writes } = planAmendment('draft-1', rows());
      expect(draft).toEqual({
        draftId: 'draft-1',
        mandateId: 'mandate-1',
        mandateLine: 'mandate-1',
        action: 'payment.send',
        recipientKey: 'acme',
        recipientPaths: ['iban'],
        ceiling: 100_00,
        currency: 'EUR',
        basis: ['request-1', 'request-2', 'request-3'],
        state: 'drafted',
        createdMs: testNowMs,
        expiresMs: testNowMs + amendmentWindowMs,
      });
      expect(writes.insertDrafts).toEqual([draft]);
      expect(writes.leaves).toMatchObject([
        { type: 'alarm', open: { kind: 'amendment_drafted', figures: { approvals: 3 } } },
      ]);
      expect({ ...writes, insertDrafts: [], leaves: [] }).toEqual(
        planAmendment('draft-2', rows({ equal: [] })).writes,
      );
    },
  );

  it('two are not enough', () => {
    expect(drafted({ equal: equal(100_00, 100_00) })).toBeUndefined();
  });

  verifies('APR-25', 'a fourth within the ceiling drafts nothing again, also after a no', () => {
    const draft = drafted() as AmendmentDraft;
    const four = equal(100_00, 80_00, 90_00, 100_00);
    expect(drafted({ equal: four, drafts: [draft] })).toBeUndefined();
    const dismissed: AmendmentDraft = { ...draft, state: 'dismissed' };
    expect(drafted({ equal: four, drafts: [dismissed] })).toBeUndefined();
  });

  verifies('APR-25', 'one cent above, another payee or another currency is not reached', () => {
    const draft = drafted() as AmendmentDraft;
    const operation = { ...draft, amount: 100_00, atMs: testNowMs };
    expect(isCovered(draft, operation)).toBe(true);
    expect(isCovered(draft, { ...operation, amount: 100_01 })).toBe(false);
    expect(isCovered(draft, { ...operation, recipientKey: 'mallory' })).toBe(false);
    expect(isCovered(draft, { ...operation, currency: 'USD' })).toBe(false);
    expect(isCovered(draft, { ...operation, mandateLine: 'mandate-2' })).toBe(false);
    expect(isCovered(draft, { ...operation, atMs: draft.expiresMs })).toBe(false);
  });

  it('approvals above an earlier ceiling count for a draft of their own', () => {
    const draft = drafted() as AmendmentDraft;
    const above = equal(100_00, 80_00, 90_00, 100_01, 100_01);
    expect(drafted({ equal: above, drafts: [draft] })).toBeUndefined();
    const third = [...above, { approvalId: 'request-6', amount: 120_00 }];
    expect(drafted({ equal: third, drafts: [draft] })).toMatchObject({
      ceiling: 120_00,
      basis: ['request-4', 'request-5', 'request-6'],
    });
  });

  it('what another person has to approve, or nobody granted, makes no draft', () => {
    expect(drafted({ approval: anApprovalRow({ state: 'GRANTED', level: 2 }) })).toBeUndefined();
    for (const state of ['REQUESTED', 'REJECTED', 'EXPIRED', 'VOIDED'] as const) {
      expect(drafted({ approval: anApprovalRow({ state }) }), state).toBeUndefined();
    }
    expect(drafted({ approval: undefined })).toBeUndefined();
    expect(drafted({ operation: undefined })).toBeUndefined();
  });

  it('an erased recipient makes no draft', () => {
    expect(drafted({ history: undefined })).toBeUndefined();
    expect(drafted({ history: { ...history, recipientKey: '' } })).toBeUndefined();
  });
});
