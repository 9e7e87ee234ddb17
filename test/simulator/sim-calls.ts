// The actions of the simulated gateway: the configuration that contracts, policy and the reference
// gateway are all made from.

import type { Contract } from '../../src/core/contract.ts';
import { sha256Hex } from '../../src/core/sha256.ts';
import type { ToolDefinition } from '../../src/gateway/tool-definition.ts';
import type { PolicyEngine } from '../../src/policy/policy-engine.ts';
import { aContract, aParam } from '../../src/testing/contract-builders.ts';

export interface SimAction {
  readonly action: string;
  readonly server: 'bank' | 'shop';
  readonly tool: string;
  readonly effect: 'write' | 'read';
  /** Whether the target recognises a key it has seen. */
  readonly isIdempotent: boolean;
  /** Amounts from here on ask a person; 0 = every call does. */
  readonly asksFrom: number;
  /** For how long it does, where the configuration says so: then it may be sent again. */
  readonly keyLifetimeMs?: number;
  /** Present: it can be asked, and this long after the deadline of a call nothing arrives any more. */
  readonly absenceFinalAfterMs?: number;
  /** Whether a note succeeds once, for ever. */
  readonly isOnce?: boolean;
  /** A tool error is certainly without effect. */
  readonly toolErrorFails: boolean;
  readonly duplicateWindowMs: number;
  readonly weight: number;
}

const never = Number.MAX_SAFE_INTEGER;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const bank = { server: 'bank', effect: 'write', isIdempotent: false } as const;

export const simActions: readonly SimAction[] = [
  {
    ...bank,
    action: 'pay',
    tool: 'pay',
    absenceFinalAfterMs: minuteMs,
    asksFrom: 500,
    toolErrorFails: false,
    duplicateWindowMs: 120_000,
    weight: 5,
  },
  {
    ...bank,
    action: 'wire',
    tool: 'wire',
    asksFrom: 0,
    toolErrorFails: false,
    duplicateWindowMs: 0,
    weight: 4,
  },
  {
    action: 'order',
    server: 'shop',
    tool: 'order',
    effect: 'write',
    isIdempotent: true,
    keyLifetimeMs: 20 * hourMs,
    absenceFinalAfterMs: minuteMs,
    asksFrom: never,
    toolErrorFails: true,
    duplicateWindowMs: 0,
    weight: 4,
  },
  {
    action: 'book',
    server: 'shop',
    tool: 'book',
    effect: 'write',
    isIdempotent: true,
    keyLifetimeMs: 2 * hourMs,
    isOnce: true,
    asksFrom: never,
    toolErrorFails: false,
    duplicateWindowMs: 0,
    weight: 3,
  },
  {
    action: 'look',
    server: 'shop',
    tool: 'look',
    effect: 'read',
    isIdempotent: true,
    asksFrom: never,
    toolErrorFails: false,
    duplicateWindowMs: 0,
    weight: 1,
  },
];

export function simAction(action: string): SimAction {
  const found = simActions.find((each) => each.action === action);
  if (found === undefined) throw new Error(`no action ${action}`);
  return found;
}

/** Arguments of every call. */
export interface SimArguments {
  readonly amount: number;
  readonly note: string;
}

export const simAmounts: readonly number[] = [100, 300, 600];
export const simNotes: readonly string[] = ['a', 'b'];

/** Limits of the mandate: small, so that most histories reach them. */
export const simLimits = { amount: 2_000, calls: 9 } as const;
/** From the commit of an attempt to its deadline. */
export const simAttemptMs: number = 30_000;
export const simMandateMs: number = 86_400_000;
export const simApprovalMs: number = 900_000;
export const simOpenApprovalsMax = 3;
export const simPrincipal = 'alice';

function contractOf(row: SimAction): Contract {
  const params = [
    aParam('amount', { type: 'integer', min: '1' }),
    aParam('note', { text: 'free' }),
  ];
  return aContract(params, {
    action: row.action,
    server: row.server,
    tool: row.tool,
    scope: row.action,
    effect: row.effect,
    levelFloor: row.asksFrom === 0 ? 1 : 0,
    toolError: row.toolErrorFails ? 'failed' : 'unknown',
    duplicateWindowMs: row.duplicateWindowMs,
    expect: { '/amount': 'amount' },
    digest: sha256Hex(row.action),
    ...(row.isOnce === true ? { once: ['note'] } : {}),
    ...(row.keyLifetimeMs === undefined
      ? {}
      : { idempotency: { argument: 'key', lifetimeMs: row.keyLifetimeMs } }),
    ...(row.effect === 'write' ? { budgetParam: 'amount' } : {}),
  });
}

export const simContracts: ReadonlyMap<string, readonly Contract[]> = new Map(
  simActions.map((row) => [`${row.server}\0${row.tool}`, [contractOf(row)]]),
);

const digest = 'cd'.repeat(32);

/** Permits an amount at the level that its action asks for it. */
export const simPolicy: PolicyEngine = {
  policySetSha256: digest,
  schemaSha256: digest,
  engineVersion: '1',
  reads: new Set(),
  evaluate: ({ action, context, level }) => {
    const asks = Number(context.params['amount']) >= simAction(action).asksFrom;
    return { effect: asks && level === 0 ? 'no_permit' : 'permit', rules: ['amounts'] };
  },
};

/** The definition of a tool in the given version. */
export function simDefinition(tool: string, version: number): ToolDefinition {
  return {
    kind: 'current',
    digest: version.toString(16).padStart(64, '0'),
    serverIdentity: 'i',
    definition: { name: tool },
    isKnown: (keys) => keys.every((key) => ['amount', 'note', 'key'].includes(key)),
    validate: () => [],
  };
}
