import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { aMandateRow, testNowMs } from '../../testing/move-builders.ts';
import { aMandateDraft, testDigest } from '../../testing/store-builders.ts';
import type { BudgetWindow } from '../checks/budget-window.ts';
import { planMandate, planResume } from './plan-mandate.ts';
import { noWrites } from './writes.ts';

describe('planMandate', () => {
  const draft = aMandateDraft({ mandateId: 'mandate-2' });
  const plan = (newest: Parameters<typeof planMandate>[1]['newest'], over = {}) =>
    planMandate({ ...draft, ...over }, { nowMs: testNowMs, newest });

  it('issues the first mandate with its budgets and its leaf', () => {
    const { mandate, writes } = plan(undefined);
    expect(mandate).toMatchObject({
      mandateId: 'mandate-2',
      line: 'mandate-2',
      supersedes: undefined,
      budgetRoot: 'mandate-2',
      status: 'active',
      notBeforeMs: testNowMs,
      expiresMs: testNowMs + draft.validForMs,
      hash: testDigest,
    });
    expect(writes.insertMandates).toEqual([mandate]);
    expect(writes.updateMandates).toEqual([]);
    const life = {
      ...{ budgetRoot: 'mandate-2', currency: undefined, window: { kind: 'life' } },
      ...{ spread: 'subtree', period: undefined, endsMs: undefined },
    };
    expect(writes.putBudgets).toEqual([
      { ...life, budgetId: 'mandate-2/amount', kind: 'amount', limit: 1_000 },
      { ...life, budgetId: 'mandate-2/calls', kind: 'calls', limit: 100 },
    ]);
    expect(writes.leaves).toMatchObject([
      { type: 'mandate.issue', open: { mandate: 'mandate-2', mandate_sha256: testDigest } },
    ]);
    expect(writes.leaves[0]?.open).not.toHaveProperty('supersedes');
  });

  it('joins one with the same terms up to the instant it expires', () => {
    const newest = aMandateRow();
    expect(plan(newest)).toEqual({ mandate: newest, writes: noWrites });
    expect(plan(aMandateRow({ expiresMs: testNowMs + 1 })).writes).toBe(noWrites);
    expect(plan(aMandateRow({ expiresMs: testNowMs })).writes).not.toBe(noWrites);
  });

  it('leaves a suspended or revoked one as it is, whatever the terms say', () => {
    for (const status of ['suspended', 'revoked'] as const) {
      const newest = aMandateRow({ status, expiresMs: testNowMs - 1 });
      expect(plan(newest, { terms: 'other' })).toEqual({ mandate: newest, writes: noWrites });
    }
  });

  it('amends one whose terms changed: same line, same budgets', () => {
    const newest = aMandateRow({ line: 'mandate-0', budgetRoot: 'mandate-0' });
    const { mandate, writes } = plan(newest, { terms: 'other' });
    expect(mandate).toMatchObject({
      line: 'mandate-0',
      budgetRoot: 'mandate-0',
      supersedes: newest.mandateId,
    });
    expect(writes.updateMandates).toEqual([{ ...newest, status: 'superseded' }]);
    expect(writes.putBudgets[0]?.budgetId).toBe('mandate-0/amount');
    expect(writes.leaves[0]?.open).toMatchObject({ supersedes: newest.mandateId });
  });

  it('renews one whose time is over: same line, fresh budgets', () => {
    const newest = aMandateRow({ line: 'mandate-0', expiresMs: testNowMs });
    const { mandate } = plan(newest);
    expect(mandate).toMatchObject({ line: 'mandate-0', budgetRoot: 'mandate-2' });
  });

  verifies('EXE-20', 'lets windows go on over a renewal, and counts another window anew', () => {
    const newest = aMandateRow({ line: 'mandate-0', expiresMs: testNowMs });
    const idOf = (window: BudgetWindow) =>
      plan(newest, { budgets: [{ kind: 'amount', limit: 5, currency: 'EUR', window }] });
    const { mandate, writes } = idOf({ kind: 'rolling', ms: 30 * 86_400_000 });
    expect(mandate.budgetIds).toEqual(['mandate-0/amount.30d']);
    expect(writes.putBudgets).toMatchObject([{ budgetRoot: 'mandate-0', currency: 'EUR' }]);
    const day = idOf({ kind: 'calendar', unit: 'day', zone: 'Europe/Berlin' });
    expect(day.mandate.budgetIds).toEqual(['mandate-0/amount.day:Europe/Berlin']);
  });
});

describe('planResume', () => {
  it('lifts a suspension and says who did', () => {
    const plan = planResume(aMandateRow({ status: 'suspended' }), 'alice');
    expect(plan?.mandate.status).toBe('active');
    expect(plan?.writes).toMatchObject({
      updateMandates: [{ status: 'active' }],
      leaves: [{ type: 'mandate.resume', committed: { person: 'alice' } }],
    });
  });

  it.each(['active', 'revoked', 'superseded'] as const)('does nothing to a %s one', (status) => {
    expect(planResume(aMandateRow({ status }), 'alice')).toBeUndefined();
  });
});
