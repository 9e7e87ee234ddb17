// The actions of the simulated gateway: the configuration that contracts, policy and the reference
// gateway are all made from.

import type { Contract } from '../../src/core/contract.ts';
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
  /** A tool error is certainly without effect. */
  readonly toolErrorFails: boolean;
  readonly duplicateWindowMs: number;
  readonly weight: number;
}

const never = Number.MAX_SAFE_INTEGER;
const bank = { server: 'bank', effect: 'write', isIdempotent: false } as const;

export const simActions: readonly SimAction[] = [
  {
    ...bank,
    action: 'pay',
    tool: 'pay',
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
    asksFrom: never,
    toolErrorFails: true,
    duplicateWindowMs: 0,
    weight: 4,
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
    isKnown: (keys) => keys.length === 1 && (keys[0] === 'amount' || keys[0] === 'note'),
    validate: () => [],
  };
}
