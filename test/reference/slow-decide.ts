// A second decision, slow and obvious, written from the rules and not from the code it checks.
// It answers one line of text per fact set, so that a difference can be read.
import type {
  BudgetFact,
  Candidate,
  CriticalValue,
  Facts,
  MandateFact,
  ParamFact,
  RepeatFact,
  SourceFinding,
} from '../../src/core/facts.ts';

/** `allow 0`, `ask 1`, `deny STAGE CODE,CODE`, `incomplete 1`; repeats add the operation they are about. */
export function slowDecide(facts: Facts): string {
  const { live, call } = facts;
  const { mandate, repeat } = live;
  const authn = slowAuthn(facts);
  if (authn !== undefined || mandate === undefined) return `deny authn ${authn}`;
  if (call.kind === 'unreadable') {
    return `deny contract ${call.faults.map((fault) => fault.code).join(',')}`;
  }
  const failures = [...slowProvenance(call), ...slowTexts(call)];
  if (failures.length > 0) return `deny provenance ${failures.join(',')}`;
  // A repeat is answered before anything else is asked.
  const repeated = slowRepeat(repeat);
  if (repeated !== undefined) return repeated;
  if (!mandate.scopes.some((scope) => scope === call.contract.scope)) {
    return 'deny delegation DELEGATION_SCOPE_MISSING';
  }
  const short = slowBudget(facts, call);
  if (short.length > 0) return `deny budget ${short.join(',')}`;
  const level = slowPolicy(facts, slowFloor(call, mandate, repeat));
  return typeof level === 'string' ? level : slowApproval(facts, level);
}

type ReadCall = Extract<Facts['call'], { kind: 'read' }>;

function slowAuthn({ live, rateLimited }: Facts): string | undefined {
  const { mandate, nowMs } = live;
  if (mandate === undefined) return 'AUTHN_TOKEN_INVALID';
  if (mandate.status === 'revoked') return 'AUTHN_MANDATE_REVOKED';
  if (mandate.status === 'suspended') return 'AUTHN_MANDATE_SUSPENDED';
  if (mandate.notBeforeMs > nowMs) return 'AUTHN_NOT_YET_VALID';
  if (mandate.expiresMs <= nowMs) return 'AUTHN_TOKEN_EXPIRED';
  if (slowChain(live)) return 'AUTHN_CHAIN_BROKEN';
  return rateLimited ? 'RATE_LIMITED' : undefined;
}

/** Six mandates at most, the acting one among them, and each of the others usable now. */
function slowChain({ ancestors, nowMs }: Facts['live']): boolean {
  if (1 + ancestors.length > 6) return true;
  for (const each of ancestors) {
    if (each === undefined) return true;
    const isUsable =
      each.status === 'active' && each.notBeforeMs <= nowMs && nowMs < each.expiresMs;
    if (!isUsable) return true;
  }
  return false;
}

function slowTexts(call: ReadCall): readonly string[] {
  const codes: string[] = [];
  for (const text of call.texts) {
    const count = text.secret ? 1 : text.onUnknown === 'deny' ? text.unknown.length : 0;
    for (let n = 0; n < count; n += 1) codes.push('PROVENANCE_TEXT_ENTITY');
  }
  return codes;
}

/** Codes of own budgets one by one, of ancestors once for each code and reason. */
function slowBudget({ live }: Facts, call: ReadCall): readonly string[] {
  const short: string[] = [];
  const told = new Set<string>();
  for (const budget of live.budgets) {
    const why = slowShortage(budget, call, live.isClockBack);
    if (why === undefined) continue;
    const code =
      why === 'currency' || !budget.windowed
        ? budget.kind === 'calls'
          ? 'BUDGET_CALLS'
          : 'BUDGET_AMOUNT'
        : 'BUDGET_PERIOD';
    if (budget.owner === 'ancestor' && told.has(`${code} ${why}`)) continue;
    if (budget.owner === 'ancestor') told.add(`${code} ${why}`);
    short.push(code);
  }
  return short;
}

function slowShortage(
  budget: BudgetFact,
  { amount, currency }: ReadCall,
  isClockBack: boolean,
): string | undefined {
  const isCalls = budget.kind === 'calls';
  const wanted = isCalls ? 1 : (amount ?? 0);
  if (wanted === 0) return undefined;
  if (budget.frozen) return 'frozen';
  const isOther = !isCalls && budget.currency !== undefined && budget.currency !== currency;
  if (isOther) return 'currency';
  if (isClockBack && budget.windowed) return 'clock';
  return wanted > budget.limit - budget.reserved - budget.spent ? 'limit' : undefined;
}

/** The highest level that anything demands. */
function slowFloor(call: ReadCall, mandate: MandateFact, repeat: RepeatFact): number {
  const demands: number[] = [call.contract.levelFloor, mandate.levelMin];
  if (call.texts.some((text) => text.unknown.length > 0)) demands.push(1);
  if (repeat.kind === 'recent_success') demands.push(1);
  if (repeat.kind === 'unknown') demands.push(1);
  if (repeat.kind === 'open' || repeat.kind === 'granted') demands.push(repeat.level);
  return Math.max(...demands);
}

function slowPolicy(facts: Facts, floor: number): number | string {
  for (let level = floor; level <= 2; level += 1) {
    const verdict = facts.policy[level as 0 | 1 | 2];
    if (verdict === undefined) return `incomplete ${level}`;
    if (verdict.effect === 'error') return 'deny policy POLICY_ERROR';
    if (verdict.effect === 'permit') return level;
  }
  return slowPolicyRefusal(facts, 2);
}

function slowApproval(facts: Facts, level: number): string {
  const { repeat, openApprovals } = facts.live;
  if (repeat.kind === 'granted' && repeat.level >= level) {
    return `allow ${repeat.level} consumes ${repeat.opId}`;
  }
  if (level === 0) return 'allow 0';
  if (repeat.kind === 'open' && repeat.level >= level) {
    return `ask ${repeat.level} joins ${repeat.opId}`;
  }
  const isReachable = level === 1 ? facts.channels[1] : facts.channels[2];
  if (!isReachable) return 'deny approval APPROVAL_NO_CHANNEL';
  if (!(level === 1 ? facts.eligible[1] : facts.eligible[2])) {
    return 'deny approval APPROVAL_NOT_ELIGIBLE';
  }
  if (openApprovals >= facts.openApprovalsMax) return 'deny approval APPROVAL_TOO_MANY';
  return `ask ${level}`;
}

function slowPolicyRefusal(facts: Facts, level: 0 | 1 | 2): string {
  return facts.policy[level]?.effect === 'forbidden'
    ? 'deny policy POLICY_FORBIDDEN'
    : 'deny policy POLICY_NO_PERMIT';
}

function slowRepeat(repeat: RepeatFact): string | undefined {
  if (repeat.kind === 'in_flight') return 'deny execution EXECUTION_DUPLICATE';
  if (repeat.kind === 'unknown' && !repeat.toolError) return 'deny execution EXECUTION_DUPLICATE';
  if (repeat.kind === 'untold_success')
    return `deny execution EXECUTION_DUPLICATE tells ${repeat.opId}`;
  if (repeat.kind === 'rejected') return 'deny approval APPROVAL_REJECTED';
  if (repeat.kind === 'ended_untold' && repeat.how === 'expired')
    return 'deny approval APPROVAL_EXPIRED';
  if (repeat.kind === 'ended_untold') return 'deny execution EXECUTION_CHANGED';
  if (repeat.kind === 'granted' && repeat.changed.length > 0)
    return 'deny execution EXECUTION_CHANGED';
  return undefined;
}

type Found =
  | { readonly candidate: Candidate; readonly registry: string }
  | { readonly code: string };

/** Codes of all values in the order of the call. */
function slowProvenance(call: ReadCall): string[] {
  const found = slowFindings(call);
  const codes: string[] = [];
  for (const fact of call.params) {
    for (const value of fact.critical) {
      const result = found.get(value);
      if (result !== undefined && 'code' in result) codes.push(result.code);
    }
  }
  return codes.length > 0 ? codes : call.params.flatMap((fact) => slowTwins(fact, found));
}

/** A parameter is looked at after the one whose record it is bound to. */
function slowFindings(call: ReadCall): ReadonlyMap<CriticalValue, Found> {
  const found = new Map<CriticalValue, Found>();
  const records = new Map<string, string>();
  const free = call.params.filter(({ param }) => param.record === undefined);
  const bound = call.params.filter(({ param }) => param.record !== undefined);
  for (const fact of [...free, ...bound]) {
    for (const value of fact.critical) {
      const result = slowResolve({ call, fact, records }, value);
      found.set(value, result);
      if ('candidate' in result) {
        records.set(fact.param.name, `${result.registry} ${result.candidate.recordId}`);
      }
    }
  }
  return found;
}

/** The same value again in one list. */
function slowTwins(fact: ParamFact, found: ReadonlyMap<CriticalValue, Found>): readonly string[] {
  const canonicals = fact.critical.map((value) => {
    const result = found.get(value);
    return result !== undefined && 'candidate' in result ? result.candidate.canonical : undefined;
  });
  return canonicals
    .filter((canonical, index) => canonicals.indexOf(canonical) < index)
    .map(() => 'PROVENANCE_AMBIGUOUS');
}

interface Resolving {
  readonly call: ReadCall;
  readonly fact: ParamFact;
  readonly records: ReadonlyMap<string, string>;
}

function slowResolve({ call, fact, records }: Resolving, value: CriticalValue): Found {
  const { param } = fact;
  const registryOf = (finding: SourceFinding): string =>
    finding.source.startsWith('registry:x') ? 'x' : finding.source.replace('registry:', '');
  for (const finding of value.findings) {
    const fits = (candidate: Candidate): boolean => {
      if (typeof candidate.own !== 'string') return false;
      if (param.record === undefined) return true;
      return records.get(param.record) === `${registryOf(finding)} ${candidate.recordId}`;
    };
    const exact = finding.byValue.filter(fits);
    const all = exact.length > 0 ? exact : finding.byReference.filter(fits);
    const [first] = all;
    if (first === undefined) continue;
    const isSelector = call.contract.params.some((other) => other.record === param.name);
    const isNamed = exact.length === 0;
    const differ = new Set(all.map((candidate) => candidate.own)).size > 1;
    if (all.length > 1 && (isSelector || isNamed || differ))
      return { code: 'PROVENANCE_AMBIGUOUS' };
    if (first.stale) return { code: 'PROVENANCE_STALE' };
    return { candidate: first, registry: registryOf(finding) };
  }
  return { code: slowMiss(fact, value) };
}

function slowMiss({ param }: ParamFact, { findings }: CriticalValue): string {
  if (findings.some((finding) => finding.lookalike)) return 'PROVENANCE_LOOKALIKE';
  const known = findings.flatMap(({ byValue, byReference }) => [...byValue, ...byReference]);
  const isElsewhere = known.some((candidate) => typeof candidate.own === 'string');
  if (param.record !== undefined && isElsewhere) return 'PROVENANCE_RECORD_MISMATCH';
  const isDown = findings.some((finding) => finding.status === 'unavailable');
  return isDown ? 'PROVENANCE_SOURCE_UNAVAILABLE' : 'PROVENANCE_UNTRUSTED';
}
