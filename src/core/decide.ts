// How a proposal is decided: the stages in their order, the first failing one decides.
// Pure and synchronous; the same facts give the same decision. Nothing else orders stages.
import { decideApproval } from './checks/approval.ts';
import { checkAuthn } from './checks/authn.ts';
import { checkBudget } from './checks/budget.ts';
import { checkDelegation } from './checks/delegation.ts';
import { levelFloor } from './checks/level-floor.ts';
import { checkOnce } from './checks/once.ts';
import { findLevel } from './checks/policy-level.ts';
import { resolveCall } from './checks/provenance.ts';
import { checkRepeat } from './checks/repeat.ts';
import type { Decision, Deny, Failure, Level, LevelReason } from './decision.ts';
import type { Facts, MandateFact } from './facts.ts';
import type { Stage } from './reason-codes.ts';

/** A decision, or the level whose policy verdict must be gathered before there is one. */
export type Judgement = Decision | { readonly kind: 'incomplete'; readonly level: Level };

/** Allow, ask or deny, with every failure of the first stage that fails. */
export function decide(facts: Facts): Judgement {
  const authn = refusal('authn', checkAuthn(facts));
  if (authn !== undefined) return authn;
  // INVARIANT: checkAuthn refuses a missing mandate.
  const mandate = facts.live.mandate as MandateFact;

  const { call } = facts;
  if (call.kind === 'unreadable') return refusal('contract', call.faults) as Deny;

  const { values, failures } = resolveCall(call);
  const untrusted = refusal('provenance', failures);
  if (untrusted !== undefined) return untrusted;

  const repeated = checkRepeat(facts.live.repeat);
  if (repeated !== undefined) return repeated;

  const taken = refusal('execution', checkOnce(facts.live.once));
  if (taken !== undefined) return taken;

  const undelegated = refusal('delegation', checkDelegation(call.contract, mandate));
  if (undelegated !== undefined) return undelegated;

  const overspent = refusal('budget', checkBudget(facts.live, call));
  if (overspent !== undefined) return overspent;

  const { floor, reasons } = levelFloor(call, mandate, facts.live.repeat);
  const search = findLevel(facts.policy, floor);
  if (search.kind === 'missing') return { kind: 'incomplete', level: search.level };
  if (search.kind === 'refused') return refusal('policy', [search.failure]) as Deny;

  const why = search.level > floor ? [...reasons, policyReason(search.rules)] : reasons;
  return decideApproval({ level: search.level, values, rules: search.rules, reasons: why }, facts);
}

/** No policy permits below this level: the rules that permit here are why a person is asked. */
const policyReason = (rules: readonly string[]): LevelReason => ({
  kind: 'policy',
  detail: rules.join(', '),
});

function refusal(stage: Stage, failures: readonly Failure[]): Deny | undefined {
  const [first, ...rest] = failures;
  return first === undefined ? undefined : { kind: 'deny', stage, failures: [first, ...rest] };
}
