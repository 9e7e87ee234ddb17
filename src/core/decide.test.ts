import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factSets } from '../../test/reference/fact-sets.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import {
  aCandidate,
  aContract,
  aCriticalParam,
  aCriticalValue,
  aFinding,
  aReadCall,
  someFacts,
} from '../testing/contract-builders.ts';
import { decide, type Judgement } from './decide.ts';
import type { Deny } from './decision.ts';
import type {
  BudgetFact,
  CallFact,
  Candidate,
  CriticalValue,
  Facts,
  MandateFact,
  PolicyFact,
} from './facts.ts';
import type { ReasonCode, Stage } from './reason-codes.ts';

const mandate = someFacts().live.mandate as MandateFact;
const payee = aCriticalParam('to');
const callOf = (...values: readonly CriticalValue[]): CallFact =>
  aReadCall({ params: [{ param: payee, critical: values, free: [] }] });
const untrusted = callOf(aCriticalValue('to', [aFinding()]));
const poor: BudgetFact = {
  id: 'b',
  kind: 'amount',
  limit: 10,
  reserved: 0,
  spent: 0,
  frozen: false,
  windowed: false,
  currency: undefined,
  owner: 'own',
};

/** One change of the allowed facts for each stage, in the order of the stages. */
const spoiled: readonly (readonly [Stage, (facts: Facts) => Facts])[] = [
  ['authn', (facts) => ({ ...facts, live: { ...facts.live, nowMs: 5_000 } })],
  [
    'contract',
    (facts) => ({ ...facts, call: { kind: 'unreadable', faults: [{ code: 'CONTRACT_TYPE' }] } }),
  ],
  ['provenance', (facts) => ({ ...facts, call: untrusted })],
  [
    'delegation',
    (facts) => ({ ...facts, live: { ...facts.live, mandate: { ...mandate, scopes: [] } } }),
  ],
  [
    'budget',
    (facts) => ({
      ...facts,
      call: withAmount(facts.call),
      live: { ...facts.live, budgets: [poor] },
    }),
  ],
  ['policy', (facts) => ({ ...facts, policy: { 0: { effect: 'error', rules: [] } } })],
];

function withAmount(call: CallFact): CallFact {
  return call.kind === 'read' ? { ...call, amount: 11 } : call;
}

const stageOf = (judgement: Judgement): string =>
  judgement.kind === 'deny' ? judgement.stage : judgement.kind;

describe('decide', () => {
  it('allows a call that every stage lets through', () => {
    expect(decide(someFacts())).toMatchObject({
      kind: 'allow',
      level: 0,
      rules: ['small'],
      reasons: [],
      values: [{ path: 'to', send: 'a' }],
    });
  });

  verifies('DEC-01', 'the first failing stage decides, whatever fails after it', () => {
    for (const [index, [stage, spoil]] of spoiled.entries()) {
      expect(stageOf(decide(spoil(someFacts()))), stage).toBe(stage);
      // Everything from here on fails as well; the call is spoiled once, by its first stage.
      const later = spoiled.slice(index + 1).filter(([other]) => other !== 'provenance');
      const all = later.reduce((facts, [, spoilLater]) => spoilLater(facts), someFacts());
      expect(stageOf(decide(spoil(all))), `${stage} among others`).toBe(stage);
    }
  });

  verifies('DEC-01', 'names all failures of the failing stage', () => {
    const faults = [
      { code: 'CONTRACT_TYPE', path: 'a' },
      { code: 'CONTRACT_INVALID', path: 'b' },
    ] as const;
    expect(decide(someFacts({ call: { kind: 'unreadable', faults } }))).toEqual({
      kind: 'deny',
      stage: 'contract',
      failures: faults,
    });
    const two = callOf(
      aCriticalValue('to[0]', [aFinding()]),
      aCriticalValue('to[1]', [aFinding()]),
    );
    expect((decide(someFacts({ call: two })) as Deny).failures.map(({ path }) => path)).toEqual([
      'to[0]',
      'to[1]',
    ]);
  });

  verifies('DEC-01', 'answers a repeat after provenance and before everything else', () => {
    const repeat = { kind: 'in_flight', opId: 'o' } as const;
    const noScope = { ...mandate, scopes: [] };
    expect(decide(someFacts({ live: { repeat, mandate: noScope } }))).toMatchObject({
      stage: 'execution',
    });
    expect(decide(someFacts({ call: untrusted, live: { repeat } }))).toMatchObject({
      stage: 'provenance',
    });
  });

  it('asks for the verdicts that it needs, one level after the other', () => {
    expect(decide(someFacts({ policy: {} }))).toEqual({ kind: 'incomplete', level: 0 });
    const none = { effect: 'no_permit', rules: [] } as const;
    expect(decide(someFacts({ policy: { 0: none } }))).toEqual({ kind: 'incomplete', level: 1 });
    expect(
      decide(someFacts({ policy: {}, live: { mandate: { ...mandate, levelMin: 2 } } })),
    ).toEqual({
      kind: 'incomplete',
      level: 2,
    });
  });

  it('gives the same answer to the same facts, and changes none of them', () => {
    fc.assert(
      fc.property(factSets, (facts) => {
        const before = JSON.stringify(facts);
        const first = decide(facts);
        expect(decide(facts)).toEqual(first);
        expect(JSON.stringify(facts)).toBe(before);
      }),
      { numRuns: 2_000 },
    );
  });
});

const permit = { effect: 'permit', rules: ['r'] } as const;
const none = { effect: 'no_permit', rules: [] } as const;
const both = { 0: permit, 1: permit };
const atOne = { 0: none, 1: permit };

const verdicts = (effect: PolicyFact['effect']): Facts['policy'] =>
  Object.fromEntries([0, 1, 2].map((level) => [level, { effect, rules: [] }]));

/** Two records with one value in these spellings. */
const twins = (...spellings: readonly string[]): readonly Candidate[] =>
  spellings.map((own, index) => aCandidate({ own, recordId: `r${index}` }));

/** A mail with an entity that nothing explains. */
const mailing = (denies: boolean): CallFact =>
  aReadCall({
    texts: [
      {
        path: 'body',
        onUnknown: denies ? 'deny' : 'ask',
        unknown: denies ? [{ kind: 'email', text: 'x@evil.example', certain: true }] : [],
        secret: false,
      },
    ],
  });

/** A payee that must be that of the record `r1`. */
function bound(recordId: string): CallFact {
  const invoice = aCriticalParam('invoice');
  const iban = aCriticalParam('iban', { record: 'invoice' });
  const from = (id: string) => [aFinding({ byValue: [aCandidate({ recordId: id })] })];
  return aReadCall({
    contract: aContract([invoice, iban]),
    params: [
      { param: invoice, critical: [aCriticalValue('invoice', from('r1'))], free: [] },
      { param: iban, critical: [aCriticalValue('iban', from(recordId))], free: [] },
    ],
  });
}

/** Facts that give the code, and the nearest ones that do not. */
const neighbours: Readonly<Partial<Record<ReasonCode, readonly [fails: Facts, passes: Facts]>>> = {
  AUTHN_TOKEN_INVALID: [someFacts({ live: { mandate: undefined } }), someFacts()],
  AUTHN_TOKEN_EXPIRED: [
    someFacts({ live: { nowMs: 2_000 } }),
    someFacts({ live: { nowMs: 1_999 } }),
  ],
  AUTHN_NOT_YET_VALID: [
    someFacts({ live: { mandate: { ...mandate, notBeforeMs: 1_001 } } }),
    someFacts({ live: { mandate: { ...mandate, notBeforeMs: 1_000 } } }),
  ],
  AUTHN_MANDATE_REVOKED: [
    someFacts({ live: { mandate: { ...mandate, status: 'revoked' } } }),
    someFacts({ live: { mandate: { ...mandate, status: 'active' } } }),
  ],
  AUTHN_MANDATE_SUSPENDED: [
    someFacts({ live: { mandate: { ...mandate, status: 'suspended' } } }),
    someFacts({ live: { mandate: { ...mandate, status: 'active' } } }),
  ],
  RATE_LIMITED: [someFacts({ rateLimited: true }), someFacts({ rateLimited: false })],
  PROVENANCE_UNTRUSTED: [someFacts({ call: untrusted }), someFacts()],
  PROVENANCE_AMBIGUOUS: [
    someFacts({ call: callOf(aCriticalValue('to', [aFinding({ byValue: twins('a', 'b') })])) }),
    someFacts({ call: callOf(aCriticalValue('to', [aFinding({ byValue: twins('a', 'a') })])) }),
  ],
  PROVENANCE_LOOKALIKE: [
    someFacts({ call: callOf(aCriticalValue('to', [aFinding({ lookalike: true })])) }),
    someFacts({
      call: callOf(aCriticalValue('to', [aFinding({ byValue: [aCandidate()], lookalike: true })])),
    }),
  ],
  PROVENANCE_RECORD_MISMATCH: [someFacts({ call: bound('r2') }), someFacts({ call: bound('r1') })],
  PROVENANCE_STALE: [
    someFacts({
      call: callOf(aCriticalValue('to', [aFinding({ byValue: [aCandidate({ stale: true })] })])),
    }),
    someFacts(),
  ],
  PROVENANCE_SOURCE_UNAVAILABLE: [
    someFacts({ call: callOf(aCriticalValue('to', [aFinding({ status: 'unavailable' })])) }),
    someFacts(),
  ],
  PROVENANCE_TEXT_ENTITY: [someFacts({ call: mailing(true) }), someFacts({ call: mailing(false) })],
  DELEGATION_SCOPE_MISSING: [
    someFacts({ live: { mandate: { ...mandate, scopes: ['bank.pays'] } } }),
    someFacts({ live: { mandate: { ...mandate, scopes: ['bank.pay'] } } }),
  ],
  BUDGET_AMOUNT: [
    someFacts({ call: aReadCall({ amount: 11 }), live: { budgets: [poor] } }),
    someFacts({ call: aReadCall({ amount: 10 }), live: { budgets: [poor] } }),
  ],
  BUDGET_CALLS: [
    someFacts({ live: { budgets: [{ ...poor, kind: 'calls', limit: 0 }] } }),
    someFacts({ live: { budgets: [{ ...poor, kind: 'calls', limit: 1 }] } }),
  ],
  BUDGET_PERIOD: [
    someFacts({
      call: aReadCall({ amount: 11 }),
      live: { budgets: [{ ...poor, windowed: true }] },
    }),
    someFacts({
      call: aReadCall({ amount: 10 }),
      live: { budgets: [{ ...poor, windowed: true }] },
    }),
  ],
  AUTHN_CHAIN_BROKEN: [
    someFacts({ live: { ancestors: [mandate, { ...mandate, status: 'suspended' }] } }),
    someFacts({ live: { ancestors: [mandate, mandate] } }),
  ],
  POLICY_NO_PERMIT: [
    someFacts({ policy: verdicts('no_permit') }),
    someFacts({ policy: verdicts('permit') }),
  ],
  POLICY_FORBIDDEN: [
    someFacts({ policy: verdicts('forbidden') }),
    someFacts({ policy: verdicts('permit') }),
  ],
  POLICY_ERROR: [
    someFacts({ policy: verdicts('error') }),
    someFacts({ policy: verdicts('permit') }),
  ],
  APPROVAL_REJECTED: [
    someFacts({ live: { repeat: { kind: 'rejected', opId: 'o' } } }),
    someFacts({
      live: { repeat: { kind: 'granted', opId: 'o', level: 1, changed: [] } },
      policy: both,
    }),
  ],
  APPROVAL_EXPIRED: [
    someFacts({ live: { repeat: { kind: 'ended_untold', opId: 'o', how: 'expired' } } }),
    someFacts({ live: { repeat: { kind: 'none' } } }),
  ],
  APPROVAL_NO_CHANNEL: [
    someFacts({ policy: atOne, channels: { 1: false, 2: true } }),
    someFacts({ policy: atOne, channels: { 1: true, 2: false } }),
  ],
  APPROVAL_TOO_MANY: [
    someFacts({ policy: atOne, live: { openApprovals: 5 } }),
    someFacts({ policy: atOne, live: { openApprovals: 4 } }),
  ],
  EXECUTION_CHANGED: [
    someFacts({
      live: { repeat: { kind: 'granted', opId: 'o', level: 1, changed: ['policy'] } },
      policy: both,
    }),
    someFacts({
      live: { repeat: { kind: 'granted', opId: 'o', level: 1, changed: [] } },
      policy: both,
    }),
  ],
  EXECUTION_DUPLICATE: [
    someFacts({ live: { repeat: { kind: 'in_flight', opId: 'o' } } }),
    someFacts({ live: { repeat: { kind: 'recent_success', opId: 'o' } }, policy: both }),
  ],
};

describe('each reason code of a decision', () => {
  for (const [code, [fails, passes]] of Object.entries(neighbours)) {
    verifies('DEC-07', `${code} is given, and not by the nearest facts`, () => {
      expect((decide(fails) as Deny).failures.map((failure) => failure.code)).toEqual([code]);
      expect(['allow', 'ask']).toContain(decide(passes).kind);
    });
  }
});

describe('values that count once', () => {
  verifies('EXE-16', 'are refused while an operation has them, not after it failed', () => {
    const taken = decide(someFacts({ live: { once: { opId: 'o', state: 'SUCCEEDED' } } }));
    expect(taken).toMatchObject({
      kind: 'deny',
      stage: 'execution',
      failures: [{ code: 'EXECUTION_DUPLICATE', detail: 'once', opId: 'o' }],
    });
    const free = decide(someFacts({ live: { once: { opId: 'o', state: 'FAILED' } } }));
    expect(free.kind).toBe('allow');
  });
});
