import { describe, expect } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { aBudgetRow, aMandateRow, testNowMs } from '../../testing/move-builders.ts';
import { aMandateDraft } from '../../testing/store-builders.ts';
import type { MandateRow } from '../operation.ts';
import { planChild } from './plan-child.ts';
import type { BudgetDraft } from './plan-mandate.ts';
import { noWrites } from './writes.ts';

describe('planChild', () => {
  const amount = aBudgetRow({ currency: 'EUR' });
  const plan = (over: Partial<MandateRow> | undefined, budgets: readonly BudgetDraft[] = []) =>
    planChild(aMandateDraft({ mandateId: 'child', agent: 'helper', budgets }), {
      nowMs: testNowMs,
      parent: over === undefined ? undefined : aMandateRow(over),
      budgets: [amount, aBudgetRow({ kind: 'calls', limit: 5 })],
    });
  const faultOf = (...[over, budgets]: Parameters<typeof plan>) => {
    const result = plan(over, budgets);
    if (!result.ok) expect(result.writes).toBe(noWrites);
    return result.ok ? undefined : result.fault;
  };

  verifies('EXE-21', 'issues a mandate that names all above it, nearest first', () => {
    const result = plan({ line: 'line', ancestors: ['root'] });
    expect(result).toMatchObject({
      ok: true,
      mandate: { parent: 'mandate-1', ancestors: ['line', 'root'], line: 'child' },
      writes: { leaves: [{ type: 'mandate.issue', open: { parent: 'mandate-1' } }] },
    });
  });

  verifies('EXE-21', 'refuses a parent that is not usable, and a seventh mandate', () => {
    expect(faultOf(undefined)).toBe('parent_mandate_not_found');
    for (const status of ['suspended', 'revoked', 'superseded'] as const) {
      expect(faultOf({ status })).toBe(`parent_mandate_${status}`);
    }
    expect(faultOf({ expiresMs: testNowMs + 1 })).toBeUndefined();
    expect(faultOf({ expiresMs: testNowMs })).toBe('parent_mandate_expired');
    expect(faultOf({ ancestors: Array<string>(4).fill('a') })).toBeUndefined();
    expect(faultOf({ ancestors: Array<string>(5).fill('a') })).toBe('delegation_chain_too_deep');
  });

  verifies('EXE-21', 'refuses a budget above the one that counts the same', () => {
    const euros: BudgetDraft = { kind: 'amount', limit: 1_000, currency: 'EUR' };
    expect(faultOf({}, [euros])).toBeUndefined();
    expect(faultOf({}, [{ ...euros, limit: 1_001 }])).toBe('child_budget_higher');
    expect(faultOf({}, [{ kind: 'calls', limit: 6 }])).toBe('child_budget_higher');
    expect(faultOf({ budgetIds: [] }, [{ kind: 'calls', limit: 6 }])).toBeUndefined();
    const others: readonly BudgetDraft[] = [
      { ...euros, limit: 5_000, currency: 'JPY' },
      { ...euros, limit: 5_000, window: { kind: 'rolling', ms: 1 } },
    ];
    expect(faultOf({}, others)).toBeUndefined();
  });
});
