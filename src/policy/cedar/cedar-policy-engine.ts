// Answers one question at one level. Each action has its own slice of the set: a rule whose head
// names other actions is false for this one before any condition of it is looked at, so leaving it
// out changes no answer and no error, and the cost does not grow with the other actions' rules.
import type { AuthorizationAnswer, Context } from '@cedar-policy/cedar-wasm/nodejs';
import type {
  PolicyActionShape,
  PolicyEngine,
  PolicyQuestion,
  PolicyVerdict,
} from '../policy-engine.ts';
import { buildContext, type ContextPlan, isText, planContext } from './cedar-context.ts';
import { type CedarPolicies, preparedSetName, withCedar } from './cedar-instance.ts';
import type { CedarRule } from './parse-policy-file.ts';

/** What identifies a set in receipts. */
export interface PolicyIdentity {
  readonly policySetSha256: string;
  readonly schemaSha256: string;
  readonly engineVersion: string;
  readonly reads: ReadonlySet<string>;
}

interface ActionPlan {
  readonly servers: ReadonlySet<string>;
  /** Position of the action's rules among the slices; undefined = no rule can match. */
  readonly slice: number | undefined;
  readonly context: ContextPlan;
}

interface LoadedSet {
  readonly plans: ReadonlyMap<string, ActionPlan>;
  readonly policiesOf: (slice: number) => CedarPolicies;
  /** Rule id → the name that answers give. */
  readonly names: ReadonlyMap<string, string>;
  /** Question → verdict: Cedar knows nothing but the question, so the same one has the same answer. */
  readonly verdicts: Map<string, PolicyVerdict>;
}

/** Verdicts that are kept; rules that read no amount or text need only a few. */
const verdictsMax = 256;

/** Rules that all slices together may hold, at about 4 KiB each; beyond it there is one slice. */
const slicedRulesMax = 2_000;
/** A detail is for receipt and log: enough to find the rule, not a dump. */
const detailMaxChars = 500;

/** An engine over rules that parsed and validated. */
export function createCedarPolicyEngine(
  rules: readonly CedarRule[],
  actions: readonly PolicyActionShape[],
  identity: PolicyIdentity,
): PolicyEngine {
  const set = loadSet(rules, actions);
  return {
    ...identity,
    evaluate: (question) => {
      try {
        return evaluate(set, question);
      } catch (error) {
        return failed([], `the question cannot be read: ${String(error)}`);
      }
    },
  };
}

function evaluate(set: LoadedSet, question: PolicyQuestion): PolicyVerdict {
  const plan = set.plans.get(question.action);
  if (plan === undefined) return failed([], 'no contract has this action');
  if (!plan.servers.has(question.resource)) return failed([], 'the action has no such server');
  if (!isText(question.principal)) return failed([], 'the principal is not a text');
  if (!question.scopes.every(isText)) return failed([], 'a scope is not a text');
  const context = buildContext(plan.context, question);
  if (!context.ok) return failed([], context.error);
  if (plan.slice === undefined) return { effect: 'no_permit', rules: [] };
  const call = { question, plan, slice: plan.slice, context: context.value };
  const { principal, scopes, action, resource } = question;
  const key = JSON.stringify([
    principal,
    plan.context.scopes ? scopes : [],
    action,
    resource,
    call.context,
  ]);
  const known = set.verdicts.get(key);
  if (known !== undefined) return known;
  const answer = ask(set, call);
  const verdict = typeof answer === 'string' ? failed([], answer) : verdictOf(answer, set.names);
  if (set.verdicts.size >= verdictsMax) set.verdicts.clear();
  if (verdict.effect !== 'error') set.verdicts.set(key, verdict);
  return verdict;
}

interface Call {
  readonly question: PolicyQuestion;
  readonly plan: ActionPlan;
  readonly slice: number;
  readonly context: Context;
}

// Returns why there is no answer when the engine broke.
function ask(set: LoadedSet, call: Call): AuthorizationAnswer | string {
  const principal = { type: 'Principal', id: call.question.principal };
  const scopes = [...call.question.scopes];
  const preparsedPolicySetId = preparedSetName(set, call.slice, set.policiesOf);
  try {
    return withCedar((cedar) =>
      cedar.statefulIsAuthorized({
        principal,
        action: { type: 'Action', id: call.question.action },
        resource: { type: 'Resource', id: call.question.resource },
        context: call.context,
        preparsedPolicySetId,
        entities: call.plan.context.scopes
          ? [{ uid: principal, attrs: { scopes }, parents: [] }]
          : [],
      }),
    );
  } catch (error) {
    return `the engine failed: ${String(error)}`;
  }
}

function verdictOf(answer: AuthorizationAnswer, names: ReadonlyMap<string, string>): PolicyVerdict {
  if (answer.type === 'failure') {
    return failed([], answer.errors.map((error) => error.message).join('; '));
  }
  const { decision, diagnostics } = answer.response;
  if (diagnostics.errors.length > 0) {
    const rules = namesOf(
      diagnostics.errors.map((error) => error.policyId),
      names,
    );
    return failed(rules, diagnostics.errors.map((error) => error.error.message).join('; '));
  }
  const rules = namesOf(diagnostics.reason, names);
  if (decision === 'allow') return { effect: 'permit', rules };
  return { effect: rules.length > 0 ? 'forbidden' : 'no_permit', rules };
}

function namesOf(ids: readonly string[], names: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set(ids.map((id) => names.get(id) ?? id))].sort();
}

function failed(rules: readonly string[], detail: string): PolicyVerdict {
  return { effect: 'error', rules, detail: detail.slice(0, detailMaxChars) };
}

function loadSet(rules: readonly CedarRule[], actions: readonly PolicyActionShape[]): LoadedSet {
  const slices: (readonly CedarRule[])[] = [];
  const positions = new Map<string, number>();
  const plans = new Map<string, ActionPlan>();
  const perAction = (action: string): readonly CedarRule[] =>
    rules.filter((rule) => rule.actions?.has(action) ?? true);
  const isSliced = slicedRulesCount(actions, perAction) <= slicedRulesMax;
  for (const shape of actions) {
    const own = perAction(shape.action);
    const slice = isSliced ? own : rules;
    const key = slice.map((rule) => rule.id).join();
    if (!positions.has(key)) positions.set(key, slices.push(slice) - 1);
    plans.set(shape.action, {
      servers: new Set([...(plans.get(shape.action)?.servers ?? []), shape.server]),
      slice: own.length === 0 ? undefined : positions.get(key),
      context: planContext(
        shape,
        own.map((rule) => rule.reads),
      ),
    });
  }
  const policiesOf = (position: number): CedarPolicies =>
    Object.fromEntries((slices[position] ?? []).map((rule) => [rule.id, rule.text]));
  const names = new Map(rules.map((rule) => [rule.id, rule.name]));
  return { plans, policiesOf, names, verdicts: new Map() };
}

function slicedRulesCount(
  actions: readonly PolicyActionShape[],
  perAction: (action: string) => readonly CedarRule[],
): number {
  return actions.reduce((count, shape) => count + perAction(shape.action).length, 0);
}
