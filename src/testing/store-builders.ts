// Proposals, mandates and settings for tests of stores and of the moves they carry out.

import { createHash, randomUUID } from 'node:crypto';
import { oneApprover, principalAlone } from '../core/checks/quorum.ts';
import type { Contract, ParamContract } from '../core/contract.ts';
import type { Level } from '../core/decision.ts';
import type { CallFact, PolicyFact, StaticFacts } from '../core/facts.ts';
import type { ApprovalAnswer } from '../core/moves/plan-answer.ts';
import type { MandateDraft } from '../core/moves/plan-mandate.ts';
import type { OutcomeReport } from '../core/moves/plan-outcome.ts';
import type { ProposalDraft } from '../core/moves/proposal-draft.ts';
import type { StoreSettings } from '../stores/store.ts';

/** 64 hex digits that mean nothing. */
export const testDigest: string = 'ab'.repeat(32);

/** A clock that moves only when told. */
export interface TestClock {
  nowMs: number;
}

let seed = 0;

/** Bytes that look random and are the same in every run of one test file. */
export function testBytes(size: number): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < size; at += 32) {
    seed += 1;
    parts.push(createHash('sha256').update(`test bytes ${seed}`).digest());
  }
  return Uint8Array.from(Buffer.concat(parts).subarray(0, size));
}

/** An id of 128 bits. */
export function testId(): string {
  return Buffer.from(testBytes(16)).toString('hex');
}

/** Settings of one process; every process is alive unless a test says otherwise. */
export function aStoreSettings(clock: TestClock, over: Partial<StoreSettings> = {}): StoreSettings {
  return {
    identity: {
      processId: randomUUID(),
      host: 'host',
      bootId: 'boot',
      pid: process.pid,
      pidStart: '1',
    },
    isAlive: () => true,
    nowMs: () => clock.nowMs,
    random: testBytes,
    origin: 'example.com/gateway',
    gatewayVersion: '0.1.0',
    configDigest: testDigest,
    ...over,
  };
}

export function aMandateDraft(over: Partial<MandateDraft> = {}): MandateDraft {
  return {
    mandateId: randomUUID(),
    principal: 'alice',
    tenant: 'acme-supplies',
    agent: 'bookkeeper',
    scopes: ['payments'],
    levelMin: 0,
    validForMs: 86_400_000,
    terms: testDigest,
    budgets: [
      { kind: 'amount', limit: 1_000 },
      { kind: 'calls', limit: 100 },
    ],
    ...over,
  };
}

/** What a test wants of a call. */
export interface CallChoice {
  /** Lowest level of the contract. */
  readonly level?: Level;
  readonly effect?: Contract['effect'];
  readonly amount?: number;
  readonly currency?: string;
  readonly iban?: string;
  readonly duplicateWindowMs?: number;
  readonly policy?: StaticFacts['policy'];
  readonly openApprovalsMax?: number;
}

const permit: PolicyFact = { effect: 'permit', rules: ['small-payments'] };

/** A resolved `payment.send`: permitted at every level, amount 10. */
export function aCall(choice: CallChoice = {}): StaticFacts {
  return {
    rateLimited: false,
    call: readCall(choice),
    policy: choice.policy ?? { 0: permit, 1: permit, 2: permit },
    channels: { 1: true, 2: true },
    eligible: { 1: true, 2: true },
    openApprovalsMax: choice.openApprovalsMax ?? 20,
  };
}

function readCall({ iban = 'DE89370400440532013000', ...choice }: CallChoice): CallFact {
  const amount = choice.amount ?? 10;
  const record = {
    canonical: iban,
    display: iban,
    own: iban,
    recordId: 'v-17',
    version: '3',
    changedAtMs: 1_700_000_000_000,
    stale: false,
  };
  const finding = {
    source: 'registry:vendors',
    status: 'ready',
    origin: 'system_of_record',
    byValue: [record],
    byReference: [],
    lookalike: false,
  } as const;
  const normalised = { ok: true, canonical: iban, display: iban, warnings: [] } as const;
  const value = { path: 'iban', given: iban, normalised, findings: [finding] };
  const sum = { path: 'amount', canonical: amount, display: String(amount), send: amount };
  return {
    kind: 'read',
    contract: aContract(choice),
    params: [
      { param: aParam('iban', { critical: true }), critical: [value], free: [] },
      { param: aParam('amount', { type: 'integer' }), critical: [], free: [sum] },
    ],
    texts: [],
    amount,
    ...(choice.currency === undefined ? {} : { currency: choice.currency }),
  };
}

function aParam(name: string, over: Partial<ParamContract>): ParamContract {
  return {
    name,
    path: [{ kind: 'key', key: name }],
    type: 'string',
    critical: false,
    sources: [{ kind: 'registry', name: 'registry:vendors', registry: 'vendors' }],
    each: false,
    settings: {},
    scale: 1,
    optional: false,
    text: 'free',
    onUnknown: 'ask',
    multiline: false,
    textAllow: [],
    textSources: [],
    textDomains: [],
    textTemplates: [],
    ...over,
  };
}

function aContract({ level = 0, effect = 'write', duplicateWindowMs = 0 }: CallChoice): Contract {
  return {
    action: 'payment.send',
    server: 'bank',
    tool: 'send_money',
    when: {},
    params: [],
    budgetParam: 'amount',
    undeclared: 'refuse',
    onUnknown: 'ask',
    effect,
    levelFloor: level,
    scope: 'payments',
    volatile: [],
    duplicateWindowMs,
    toolError: 'unknown',
    expect: {},
    confirm: 'any',
    digest: testDigest,
  };
}

/** Who asks: the mandate and the process that would dispatch. */
export interface Asking {
  readonly mandateId: string;
  readonly owner: string;
}

/** A draft with ids and a fingerprint of its own. */
export function aProposal(
  { mandateId, owner }: Asking,
  over: Partial<ProposalDraft> = {},
): ProposalDraft {
  const call = '{"iban":"DE89370400440532013000","amount":10}';
  return {
    opId: testId(),
    approvalId: testId(),
    nonce: Buffer.from(testBytes(32)).toString('base64url'),
    channel: 'mcp-stdio',
    client: 'a client',
    action: 'payment.send',
    raw: call,
    rawHash: undefined,
    rawBytes: call.length,
    mandateId,
    fingerprint: Buffer.from(testBytes(32)).toString('base64url'),
    binding: {
      gateway: 'example.com/gateway',
      contractDigest: testDigest,
      principal: 'alice',
      agent: 'bookkeeper',
      mandateHash: testDigest,
      policySet: testDigest,
      policySchema: testDigest,
      policyEngine: '4.13.0',
      connector: 'mcp',
      connectorVersion: '0.1.0',
      server: 'bank',
      definition: testDigest,
    },
    call,
    rest: undefined,
    sentence: 'Pay 10 to DE89370400440532013000',
    summary: 'Pay 10 to vendor 17',
    labels: { amount: 'Amount' },
    owner,
    attemptTimeoutMs: 30_000,
    approvalExpiresMs: { 1: 600_000, 2: 3_600_000 },
    approvalTerms: { 1: principalAlone, 2: oneApprover },
    ...over,
  };
}

/** What came back for the first attempt of a proposal. */
export function aReport(
  { opId, owner }: Pick<ProposalDraft, 'opId' | 'owner'>,
  over: Partial<OutcomeReport> = {},
): OutcomeReport {
  return {
    opId,
    attempt: 1,
    owner,
    class: 'SUCCESS',
    result: '{"content":[{"type":"text","text":"sent"}]}',
    resultHash: undefined,
    reason: undefined,
    toolErrorFails: false,
    told: true,
    ...over,
  };
}

/** The principal's answer to a request. */
export function anAnswer(
  { approvalId, opHash }: Pick<ApprovalAnswer, 'approvalId' | 'opHash'>,
  over: Partial<ApprovalAnswer> = {},
): ApprovalAnswer {
  return {
    approvalId,
    opHash,
    verdict: 'approve',
    person: 'alice',
    assurance: 'passcode',
    channel: 'page',
    reason: undefined,
    evidence: '{"mac":"x"}',
    evidenceHash: testDigest,
    ...over,
  };
}
