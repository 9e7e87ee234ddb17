// Tighter facts never let a call run with less: what a call needs is the level of approval it runs with, or it never runs.
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { decide } from '../../src/core/decide.ts';
import type { Level } from '../../src/core/decision.ts';
import type { BudgetFact, Facts, MandateFact, PolicyFact } from '../../src/core/facts.ts';
import { verifies } from '../requirements/verifies.ts';
import { factSets } from './fact-sets.ts';

const never = 3;
const runs = { numRuns: 20_000, seed: 20_261_130 };

/** 0, 1 or 2 people-levels, or never; everybody can be reached and every level has a verdict. */
function need(facts: Facts): number {
  const decision = decide(facts);
  expect(decision.kind).not.toBe('incomplete');
  return decision.kind === 'allow' || decision.kind === 'ask' ? decision.level : never;
}

const levels = [0, 1, 2] as const;
const silent: PolicyFact = { effect: 'no_permit', rules: [] };

/** Facts in which only what is tightened can make a difference. */
function open(facts: Facts): Facts {
  const policy = Object.fromEntries(levels.map((level) => [level, facts.policy[level] ?? silent]));
  return {
    ...facts,
    policy,
    channels: { 1: true, 2: true },
    eligible: { 1: true, 2: true },
    live: { ...facts.live, openApprovals: 0 },
  };
}

/** How often the tightening made a difference: a property that never bites proves nothing. */
function neverLess<T>(
  tightening: fc.Arbitrary<T>,
  tighten: (facts: Facts, by: T) => Facts,
  prepare: (facts: Facts) => Facts = (facts) => facts,
): number {
  let changed = 0;
  fc.assert(
    fc.property(factSets, tightening, (some, by) => {
      const facts = prepare(open(some));
      const before = need(facts);
      const after = need(tighten(facts, by));
      if (after !== before) changed += 1;
      expect(after).toBeGreaterThanOrEqual(before);
    }),
    runs,
  );
  return changed;
}

const withMandate = (
  facts: Facts,
  change: (mandate: MandateFact) => Partial<MandateFact>,
): Facts => {
  const { mandate } = facts.live;
  if (mandate === undefined) return facts;
  return { ...facts, live: { ...facts.live, mandate: { ...mandate, ...change(mandate) } } };
};

/** A level that is not looked at any more cannot be in error: such facts say nothing about a raised floor. */
const withoutErrors = (facts: Facts): Facts => ({
  ...facts,
  policy: Object.fromEntries(
    levels.map((level) => {
      const verdict = facts.policy[level] ?? silent;
      return [level, verdict.effect === 'error' ? silent : verdict];
    }),
  ),
});

describe('a tighter mandate', () => {
  verifies('DEC-04', 'with fewer scopes, a shorter time or an end lets no more run', () => {
    const tighter = fc.constantFrom<(mandate: MandateFact) => Partial<MandateFact>>(
      () => ({ scopes: [] }),
      (mandate) => ({ notBeforeMs: mandate.notBeforeMs + 600 }),
      (mandate) => ({ expiresMs: mandate.expiresMs - 1_000 }),
      () => ({ status: 'suspended' }),
      () => ({ status: 'revoked' }),
    );
    expect(neverLess(tighter, withMandate)).toBeGreaterThan(500);
  });

  verifies('DEC-04', 'with a higher lowest level lets no more run', () => {
    const raised = neverLess(
      fc.constantFrom(...levels),
      (facts, level) =>
        withMandate(facts, ({ levelMin }) => ({ levelMin: Math.max(level, levelMin) as Level })),
      withoutErrors,
    );
    expect(raised).toBeGreaterThan(500);
  });
});

describe('a smaller budget', () => {
  verifies('DEC-04', 'or one that is used, frozen or new lets no more run', () => {
    const added: BudgetFact = {
      id: 'new',
      kind: 'amount',
      limit: 15,
      reserved: 0,
      spent: 0,
      frozen: false,
      windowed: false,
      currency: undefined,
      owner: 'own',
    };
    const tighter = fc.constantFrom<(budgets: readonly BudgetFact[]) => readonly BudgetFact[]>(
      (budgets) => budgets.map((budget) => ({ ...budget, limit: Math.floor(budget.limit / 2) })),
      (budgets) => budgets.map((budget) => ({ ...budget, reserved: budget.reserved + 5 })),
      (budgets) => budgets.map((budget) => ({ ...budget, spent: budget.spent + 1 })),
      (budgets) => budgets.map((budget) => ({ ...budget, frozen: true })),
      (budgets) => budgets.map((budget) => ({ ...budget, currency: 'XAF' })),
      (budgets) => [...budgets, added],
    );
    const changed = neverLess(tighter, (facts, tighten) => ({
      ...facts,
      live: { ...facts.live, budgets: tighten(facts.live.budgets) },
    }));
    expect(changed).toBeGreaterThan(300);
  });
});

describe('a stricter policy', () => {
  verifies('DEC-04', 'with a permit less, a forbid or an error more lets no more run', () => {
    const stricter = fc.record({
      level: fc.constantFrom(...levels),
      effect: fc.constantFrom('no_permit' as const, 'forbidden' as const, 'error' as const),
    });
    const changed = neverLess(stricter, (facts, { level, effect }) => {
      const isStricter = facts.policy[level]?.effect !== 'error';
      const policy = { ...facts.policy, [level]: { effect, rules: [] } };
      return isStricter ? { ...facts, policy } : facts;
    });
    expect(changed).toBeGreaterThan(500);
  });
});

describe('fewer records', () => {
  verifies('DEC-04', 'trust no value that was not trusted before', () => {
    // Where several records fit, or one is stale or another than the one named, taking it away can
    // make the choice clear: those refusals are about the choice, not about trust.
    const aboutChoice = ['PROVENANCE_AMBIGUOUS', 'PROVENANCE_STALE', 'PROVENANCE_RECORD_MISMATCH'];
    let changed = 0;
    fc.assert(
      fc.property(factSets, fc.constantFrom('r1', 'r2', ''), (some, recordId) => {
        const facts = open(some);
        const before = decide(facts);
        const isChoice =
          before.kind === 'deny' && before.failures.some(({ code }) => aboutChoice.includes(code));
        if (isChoice) return;
        const after = need(withoutRecord(facts, recordId));
        if (after !== need(facts)) changed += 1;
        expect(after).toBeGreaterThanOrEqual(need(facts));
      }),
      runs,
    );
    expect(changed).toBeGreaterThan(25);
  });
});

function withoutRecord(facts: Facts, recordId: string): Facts {
  const { call } = facts;
  if (call.kind !== 'read') return facts;
  const left = <T extends { readonly recordId: string }>(records: readonly T[]): readonly T[] =>
    records.filter((record) => record.recordId !== recordId);
  const params = call.params.map((fact) => ({
    ...fact,
    critical: fact.critical.map((value) => ({
      ...value,
      findings: value.findings.map((finding) => ({
        ...finding,
        byValue: left(finding.byValue),
        byReference: left(finding.byReference),
      })),
    })),
  }));
  return { ...facts, call: { ...call, params } };
}
