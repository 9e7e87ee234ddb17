// Random fact sets: every stage can fail, and often more than one does.
import fc from 'fast-check';
import type { Contract, ParamContract, SourceRef } from '../../src/core/contract.ts';
import type {
  BudgetFact,
  CallFact,
  Candidate,
  CriticalValue,
  Facts,
  MandateFact,
  PolicyFact,
  RepeatFact,
  TextFact,
} from '../../src/core/facts.ts';

const often = <T>(value: T, others: fc.Arbitrary<T>, weight = 6): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: others });

const level = fc.constantFrom(0 as const, 1 as const, 2 as const);
const askLevel = fc.constantFrom(1 as const, 2 as const);

const candidate: fc.Arbitrary<Candidate> = fc.record({
  canonical: fc.constantFrom('A', 'B'),
  display: fc.constant('a'),
  // A record of another type is no value of a text parameter.
  own: often<string | number>('a', fc.constantFrom<string | number>('A ', 7)),
  recordId: fc.constantFrom('r1', 'r2', ''),
  version: fc.constant('1'),
  stale: often(false, fc.constant(true)),
});

/** Two fields of one registry, another registry with the same record ids, and a claim. */
const sources: readonly SourceRef[] = [
  { kind: 'registry', name: 'registry:x', registry: 'x' },
  { kind: 'registry', name: 'registry:x.field', registry: 'x', field: 'field' },
  { kind: 'registry', name: 'registry:z', registry: 'z' },
  { kind: 'mandate', name: 'mandate:y', claim: 'y' },
];

const criticalValue: fc.Arbitrary<CriticalValue> = fc.record({
  path: fc.constantFrom('p', 'p[0]', 'p[1]'),
  given: fc.constant('a'),
  normalised: fc.constant({ ok: true, canonical: 'A', display: 'a', warnings: [] } as const),
  findings: fc.array(
    fc.record({
      source: fc.constantFrom(...sources.map(({ name }) => name)),
      status: often('ready' as const, fc.constant('unavailable' as const)),
      origin: fc.constant('system_of_record' as const),
      byValue: often([], fc.array(candidate, { maxLength: 2 }), 1),
      byReference: often([], fc.array(candidate, { maxLength: 2 }), 4),
      lookalike: often(false, fc.constant(true), 9),
    }),
    { minLength: 1, maxLength: 2 },
  ),
});

const baseParam: ParamContract = {
  name: 'p',
  path: [{ kind: 'key', key: 'p' }],
  type: 'string',
  critical: true,
  sources,
  each: false,
  settings: {},
  scale: 1,
  optional: false,
  text: 'entities',
  onUnknown: 'ask',
  multiline: false,
  textAllow: [],
  textSources: [],
  textDomains: [],
  textTemplates: [],
};

const baseContract: Contract = {
  action: 'a.b',
  server: 'a',
  tool: 'b',
  when: {},
  params: [],
  undeclared: 'entities',
  onUnknown: 'ask',
  effect: 'write',
  levelFloor: 0,
  scope: 'a.b',
  volatile: [],
  duplicateWindowMs: 120_000,
  toolError: 'unknown',
  expect: {},
  confirm: 'any',
  digest: '0'.repeat(64),
};

const texts: fc.Arbitrary<readonly TextFact[]> = fc.array(
  fc.record({
    path: fc.constant('body'),
    onUnknown: fc.constantFrom('ask' as const, 'deny' as const),
    unknown: fc.array(fc.constant({ kind: 'email', text: 'x@y.example', certain: true }), {
      maxLength: 2,
    }),
    secret: often(false, fc.constant(true), 9),
  }),
  { maxLength: 2 },
);

const readCall: fc.Arbitrary<CallFact> = fc
  .record({
    levelFloor: often<0 | 1 | 2>(0, level),
    scope: often('a.b', fc.constant('other'), 12),
    first: often<readonly CriticalValue[]>([], fc.array(criticalValue, { maxLength: 3 }), 1),
    second: often<readonly CriticalValue[]>([], fc.array(criticalValue, { maxLength: 1 }), 2),
    isBound: fc.boolean(),
    texts: often<readonly TextFact[]>([], texts, 4),
    amount: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
  })
  .map(({ levelFloor, scope, first, second, isBound, texts: found, amount }) => {
    const bound = { ...baseParam, name: 'q', ...(isBound ? { record: 'p' } : {}) };
    return {
      kind: 'read' as const,
      contract: { ...baseContract, params: [bound, baseParam], levelFloor, scope },
      params: [
        { param: bound, critical: second, free: [] },
        { param: baseParam, critical: first, free: [] },
      ],
      texts: found,
      ...(amount === undefined ? {} : { amount }),
    };
  });

const unreadable: fc.Arbitrary<CallFact> = fc
  .array(fc.constantFrom('CONTRACT_TYPE' as const, 'CONTRACT_INVALID' as const), {
    minLength: 1,
    maxLength: 3,
  })
  .map((codes) => {
    const [first, ...rest] = codes.map((code) => ({ code }));
    return {
      kind: 'unreadable' as const,
      faults: [first ?? { code: 'CONTRACT_TYPE' as const }, ...rest],
    };
  });

const repeat: fc.Arbitrary<RepeatFact> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ kind: 'none' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'in_flight', opId: 'o' } as const) },
  {
    weight: 1,
    arbitrary: fc
      .boolean()
      .map((toolError) => ({ kind: 'unknown', opId: 'o', toolError }) as const),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'untold_success', opId: 'o' } as const) },
  {
    weight: 1,
    arbitrary: askLevel.map((value) => ({ kind: 'open', opId: 'o', level: value }) as const),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        level: askLevel,
        changed: often<readonly string[]>([], fc.constant(['policy']), 2),
      })
      .map((fields) => ({ kind: 'granted', opId: 'o', ...fields }) as const),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'rejected', opId: 'o' } as const) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('expired' as const, 'changed' as const)
      .map((how) => ({ kind: 'ended_untold', opId: 'o', how }) as const),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'recent_success', opId: 'o' } as const) },
);

const verdict: fc.Arbitrary<PolicyFact> = fc.record({
  effect: fc.oneof(
    { weight: 4, arbitrary: fc.constant('permit' as const) },
    { weight: 3, arbitrary: fc.constantFrom('no_permit' as const, 'forbidden' as const) },
    { weight: 1, arbitrary: fc.constant('error' as const) },
  ),
  rules: fc.constant(['r']),
});

const policy = fc
  .tuple(
    fc.option(verdict, { nil: undefined, freq: 12 }),
    fc.option(verdict, { nil: undefined, freq: 12 }),
    fc.option(verdict, { nil: undefined, freq: 12 }),
  )
  .map((verdicts) =>
    Object.fromEntries(
      verdicts.flatMap((each, index) => (each === undefined ? [] : [[index, each]])),
    ),
  );

const budget: fc.Arbitrary<BudgetFact> = fc.record({
  id: fc.constant('b'),
  kind: fc.constantFrom('amount' as const, 'calls' as const),
  limit: fc.integer({ min: 0, max: 40 }),
  reserved: fc.integer({ min: 0, max: 10 }),
  spent: fc.integer({ min: 0, max: 10 }),
  frozen: often(false, fc.constant(true), 12),
  windowed: often(false, fc.constant(true), 4),
  currency: often(undefined, fc.constantFrom('EUR', 'JPY') as never, 6),
  owner: often('own' as const, fc.constant('ancestor' as const) as never, 4),
});

const ancestor: fc.Arbitrary<MandateFact | undefined> = fc.option(
  fc.record({
    id: fc.constant('above'),
    status: often('active' as const, fc.constantFrom('suspended', 'revoked') as never, 12),
    notBeforeMs: often(0, fc.constantFrom(1_000, 1_001), 12),
    expiresMs: often(2_000, fc.constantFrom(1_000, 1_001), 12),
    scopes: fc.constant(['a.b']),
    levelMin: fc.constant(0 as const),
  }),
  { nil: undefined, freq: 20 },
);

/** Facts in which most stages pass, so that the later ones are reached too. */
export const factSets: fc.Arbitrary<Facts> = fc.record({
  rateLimited: often(false, fc.constant(true), 30),
  call: fc.oneof({ weight: 12, arbitrary: readCall }, { weight: 1, arbitrary: unreadable }),
  policy,
  channels: fc.record({ 1: often(true, fc.constant(false), 4), 2: fc.boolean() }),
  eligible: fc.record({ 1: often(true, fc.constant(false), 6), 2: fc.boolean() }),
  openApprovalsMax: fc.constant(5),
  live: fc.record({
    nowMs: fc.constant(1_000),
    mandate: often(
      {
        id: 'm',
        status: 'active' as const,
        notBeforeMs: 0,
        expiresMs: 2_000,
        scopes: ['a.b'],
        levelMin: 0 as const,
      },
      fc.option(
        fc.record({
          id: fc.constant('m'),
          status: fc.constantFrom('active' as const, 'suspended' as const, 'revoked' as const),
          notBeforeMs: fc.constantFrom(999, 1_000, 1_001),
          expiresMs: fc.constantFrom(999, 1_000, 1_001),
          scopes: fc.constant(['a.b']),
          levelMin: level,
        }),
        { nil: undefined },
      ) as never,
      8,
    ),
    isClockBack: often(false, fc.constant(true), 12),
    ancestors: often([], fc.array(ancestor, { maxLength: 6 }) as never, 8),
    budgets: fc.array(budget, { maxLength: 3 }),
    repeat,
    openApprovals: often(0, fc.constantFrom(4, 5, 6), 4),
  }),
}) as fc.Arbitrary<Facts>;
