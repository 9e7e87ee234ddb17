// Contracts and facts with one word changed at a time.
import type { Contract, ParamContract } from '../core/contract.ts';
import type { CallFact, Candidate, CriticalValue, Facts, SourceFinding } from '../core/facts.ts';

/** A free text parameter `name` at the top of the arguments. */
export function aParam(name: string, changes: Partial<ParamContract> = {}): ParamContract {
  return {
    name,
    path: [{ kind: 'key', key: name }],
    type: 'string',
    critical: false,
    sources: [],
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
    ...changes,
  };
}

/** A critical parameter of one registry. */
export function aCriticalParam(name: string, changes: Partial<ParamContract> = {}): ParamContract {
  const sources = [{ kind: 'registry', name: 'registry:payees', registry: 'payees' }] as const;
  return aParam(name, { critical: true, sources, ...changes });
}

/** `bank.pay` with the given parameters. */
export function aContract(
  params: readonly ParamContract[],
  changes: Partial<Contract> = {},
): Contract {
  return {
    action: 'bank.pay',
    server: 'bank',
    tool: 'pay',
    when: {},
    params,
    undeclared: 'entities',
    onUnknown: 'ask',
    effect: 'write',
    levelFloor: 0,
    scope: 'bank.pay',
    volatile: [],
    duplicateWindowMs: 120_000,
    toolError: 'unknown',
    expect: {},
    confirm: 'any',
    digest: '0'.repeat(64),
    ...changes,
  };
}

/** The record `r1` with the value `A`, spelled `a` by its owner. */
export function aCandidate(changes: Partial<Candidate> = {}): Candidate {
  return {
    canonical: 'A',
    display: 'A',
    own: 'a',
    recordId: 'r1',
    version: '1',
    stale: false,
    ...changes,
  };
}

/** What `registry:payees` says of a value: nothing, unless the changes say more. */
export function aFinding(changes: Partial<SourceFinding> = {}): SourceFinding {
  return {
    source: 'registry:payees',
    status: 'ready',
    origin: 'system_of_record',
    byValue: [],
    byReference: [],
    lookalike: false,
    ...changes,
  };
}

/** A value at `path` with what the sources know of it. */
export function aCriticalValue(
  path: string,
  findings: readonly SourceFinding[],
  changes: Partial<CriticalValue> = {},
): CriticalValue {
  const normalised = { ok: true, canonical: 'A', display: 'A', warnings: [] } as const;
  return { path, given: 'A', normalised, findings, ...changes };
}

type ReadCall = Extract<CallFact, { kind: 'read' }>;

/** A call of `bank.pay` whose one critical value is trusted. */
export function aReadCall(changes: Partial<ReadCall> = {}): ReadCall {
  const to = aCriticalParam('to');
  const trusted = aCriticalValue('to', [aFinding({ byValue: [aCandidate()] })]);
  return {
    kind: 'read',
    contract: aContract([to]),
    params: [{ param: to, critical: [trusted], free: [] }],
    texts: [],
    ...changes,
  };
}

/** Facts that `decide` allows at level 0; changes of `live` are merged into it. */
export function someFacts(
  changes: Partial<Omit<Facts, 'live'>> & { readonly live?: Partial<Facts['live']> } = {},
): Facts {
  return {
    rateLimited: false,
    call: aReadCall(),
    policy: { 0: { effect: 'permit', rules: ['small'] } },
    channels: { 1: true, 2: false },
    eligible: { 1: true, 2: true },
    openApprovalsMax: 5,
    ...changes,
    live: {
      nowMs: 1_000,
      mandate: {
        id: 'm1',
        status: 'active',
        notBeforeMs: 0,
        expiresMs: 2_000,
        scopes: ['bank.pay'],
        levelMin: 0,
      },
      isClockBack: false,
      ancestors: [],
      budgets: [],
      repeat: { kind: 'none' },
      openApprovals: 0,
      ...changes.live,
    },
  };
}
