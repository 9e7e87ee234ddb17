// The policy's verdict for one resolved call at one level.

import { pythonJson } from '../core/checks/rest-text.ts';
import type { ParamContract } from '../core/contract.ts';
import type { Level, Origin, ResolvedValue } from '../core/decision.ts';
import type { CallFact, PolicyFact } from '../core/facts.ts';
import type { BudgetRow, MandateRow } from '../core/operation.ts';
import { type PolicyContext, type PolicyValue, restParam } from '../policy/policy-engine.ts';
import type { GatewayParts } from './gateway-parts.ts';
import type { ResolvedCall } from './read-proposal.ts';

/** What a policy may see of the call. */
export interface PolicySubject {
  readonly call: Extract<CallFact, { kind: 'read' }>;
  readonly resolved: ResolvedCall;
  readonly mandate: MandateRow;
  readonly channel: string;
  readonly nowMs: number;
  /** Only read when a policy asks for what is left. */
  readonly budgets: readonly BudgetRow[];
}

export function askPolicy(parts: GatewayParts, subject: PolicySubject, level: Level): PolicyFact {
  const { contract } = subject.call;
  return parts.policy.evaluate({
    principal: subject.mandate.principal,
    scopes: subject.mandate.scopes,
    action: contract.action,
    resource: contract.server,
    context: contextOf(parts, subject),
    level,
  });
}

function contextOf(parts: GatewayParts, subject: PolicySubject): PolicyContext {
  const params: Record<string, PolicyValue> = {};
  const origin: Record<string, Origin> = {};
  for (const param of subject.call.contract.params) {
    if (param.type === 'list' || param.type === 'object') continue;
    const values = subject.resolved.values.filter((value) => value.param === param.name);
    const value = policyValue(values, param);
    if (value === undefined) continue;
    params[param.name] = value;
    origin[param.name] = originOf(values);
  }
  if (parts.policy.reads.has(restParam)) {
    params[restParam] = pythonJson(subject.resolved.rest);
    origin[restParam] = 'untrusted';
  }
  const { mandateId, agent } = subject.mandate;
  return {
    params,
    origin,
    mandate: { id: mandateId, agent },
    budget: budgetLeft(subject.budgets),
    nowMs: subject.nowMs,
    channel: subject.channel,
  };
}

const isMany = (param: {
  readonly each: boolean;
  readonly path: readonly { readonly kind: string }[];
}): boolean => param.each || param.path.some((step) => step.kind === 'each');

/** An absent optional parameter is absent for the policy too; an empty list that the contract allows is an empty set. */
function policyValue(
  values: readonly ResolvedValue[],
  param: ParamContract,
): PolicyValue | undefined {
  const plain = values.map(policyScalar);
  if (!isMany(param)) return plain[0];
  if (plain.length === 0 && param.optional) return undefined;
  return plain.every((value) => typeof value === 'number') ? plain : plain.map(String);
}

/** Policies see what is sent for texts (the record's own spelling) and the scaled integer for numbers. */
function policyScalar(value: ResolvedValue): string | number | boolean {
  return typeof value.canonical === 'string' && value.replaced
    ? String(value.send)
    : value.canonical;
}

function originOf(values: readonly ResolvedValue[]): Origin {
  if (values.some((value) => value.origin === 'user_channel')) return 'user_channel';
  return values.some((value) => value.origin === 'untrusted') ? 'untrusted' : 'system_of_record';
}

function budgetLeft(budgets: readonly BudgetRow[]): { left?: number; callsLeft?: number } {
  const left = (kind: BudgetRow['kind']): number | undefined => {
    const all = budgets.filter((row) => row.kind === kind);
    if (all.length === 0) return undefined;
    return Math.min(...all.map(({ limit, reserved, spent }) => limit - reserved - spent));
  };
  const amount = left('amount');
  const calls = left('calls');
  return {
    ...(amount === undefined ? {} : { left: amount }),
    ...(calls === undefined ? {} : { callsLeft: calls }),
  };
}
