// One guarded call from arrival to answer: read, decide and commit, then execute or report.
import { canBeAnswered } from '../core/checks/quorum.ts';
import type { ParamContract } from '../core/contract.ts';
import type { Decision, Level } from '../core/decision.ts';
import type { PolicyFact, StaticFacts } from '../core/facts.ts';
import type { DecisionPlan } from '../core/moves/plan-decision.ts';
import type { ProposalDraft } from '../core/moves/proposal-draft.ts';
import type { MandateRow } from '../core/operation.ts';
import type { People } from '../core/person.ts';
import { StoreError } from '../stores/store.ts';
import { askPolicy } from './ask-policy.ts';
import { draftProposal } from './draft-proposal.ts';
import { executeOperation } from './execute-operation.ts';
import type { Answer, Caller, ToolCall } from './gateway.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { mirrorDecision } from './mirror-receipt.ts';
import type { PeopleDirectory } from './people-directory.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { type ReadProposal, readProposal } from './read-proposal.ts';
import { reportDecision } from './report-decision.ts';
import { internalReport, storeReport, uncosignedReport } from './report-failure.ts';
import type { SessionMandate } from './session-mandate.ts';
import { tellSuccess } from './tell-success.ts';

/** What lives as long as the gateway. */
export interface GatewayState {
  readonly parts: GatewayParts;
  readonly session: SessionMandate;
  readonly limiter: RateLimiter;
  readonly people: PeopleDirectory;
}

type Decided = Extract<DecisionPlan, { kind: 'decided' }>;

/** Never throws: what breaks is a refusal, and an error never becomes an allow. */
export function submitProposal(
  state: GatewayState,
  call: ToolCall,
  caller: Caller,
): Promise<Answer> {
  return submitAs(state, { call, caller, opId: undefined });
}

/** The same; `opId` is the id that the proposal must have: of two with one id only one is decided. */
export async function submitAs(
  state: GatewayState,
  {
    call,
    caller,
    opId,
  }: {
    readonly call: ToolCall;
    readonly caller: Caller;
    readonly opId: string | undefined;
  },
): Promise<Answer> {
  const { parts, limiter } = state;
  try {
    const mandate = await state.session.current();
    if (limiter.isExhausted()) return limiter.refuse();
    if (parts.isUncosigned?.() === true) return uncosignedReport();
    await settleSources(parts, call);
    const proposal = readProposal(call, parts, mandate.tenant);
    const draft = draftProposal(parts, { call, caller, proposal, mandate, opId });
    if (caller.signal?.aborted === true) return { kind: 'dropped' };
    const decided = await decideOnStore(state, { proposal, draft, mandate, caller });
    limiter.count(decided.decision);
    mirrorDecision(parts, draft, decided.decision);
    logDecision(parts, draft, decided.decision);
    return await carryOut(state, { decided, proposal, draft, caller });
  } catch (error) {
    return refuseBroken(parts, error);
  }
}

/** Registries look at their files again; a server that is listing its tools is waited for. */
async function settleSources(parts: GatewayParts, call: ToolCall): Promise<void> {
  const contracts = parts.contracts.get(`${call.server}\0${call.tool}`) ?? [];
  for (const name of new Set(
    contracts.flatMap((contract) => contract.params.flatMap(registriesOf)),
  )) {
    const registry = parts.registries.get(name);
    registry?.refresh();
    if (registry?.ready === false) await registry.settled();
  }
  await parts.listed(call.server, call.tool);
}

/** Registries that a parameter's values or texts are compared with. */
const registriesOf = (param: ParamContract): readonly string[] => [
  ...param.textSources,
  ...param.sources.flatMap((source) => (source.kind === 'registry' ? [source.registry] : [])),
];

interface Deciding {
  readonly proposal: ReadProposal;
  readonly draft: ProposalDraft;
  readonly mandate: MandateRow;
  readonly caller: Caller;
}

/** Verdicts are gathered level by level, only as far as the decision needs them. */
async function decideOnStore(state: GatewayState, deciding: Deciding): Promise<Decided> {
  const policy: Partial<Record<Level, PolicyFact>> = {};
  const people = await state.people.current();
  let level: Level = 0;
  for (let round = 0; round < 4; round += 1) {
    await gatherVerdict(state, deciding, { policy, level });
    const facts = staticFacts(state, deciding, { policy, people });
    const plan = await state.parts.store.decide(facts, deciding.draft);
    if (plan.kind === 'decided') return plan;
    level = plan.level;
  }
  // INVARIANT: each round adds the one verdict that was missing, and there are three.
  throw new Error('no decision after all levels were asked');
}

async function gatherVerdict(
  { parts }: GatewayState,
  { proposal, mandate, caller }: Deciding,
  { policy, level }: { policy: Partial<Record<Level, PolicyFact>>; level: Level },
): Promise<void> {
  const { call, resolved } = proposal;
  if (call.kind !== 'read' || resolved === undefined) return;
  const budgets = parts.policy.reads.has('budget')
    ? ((await parts.store.readStatus(mandate.mandateId))?.budgets ?? [])
    : [];
  const subject = {
    call,
    resolved,
    mandate,
    channel: caller.channel,
    nowMs: parts.nowMs(),
    budgets,
  };
  policy[level] = askPolicy(parts, subject, level);
}

function staticFacts(
  { parts }: GatewayState,
  { proposal, caller, mandate }: Deciding,
  { policy, people }: { policy: Partial<Record<Level, PolicyFact>>; people: People },
): StaticFacts {
  const { approvals } = parts;
  const isAnswerable = (level: 1 | 2): boolean => {
    const question = { terms: approvals.terms[level], principal: mandate.principal, people };
    return canBeAnswered(question, parts.nowMs());
  };
  const formServes = caller.form && approvals.formAllowed && proposal.contract?.confirm !== 'page';
  return {
    rateLimited: false,
    call: proposal.call,
    policy: { ...policy },
    channels: { 1: formServes || approvals.pageAnswers(), 2: approvals.pageAnswers() },
    eligible: { 1: isAnswerable(1), 2: isAnswerable(2) },
    openApprovalsMax: approvals.openMax,
  };
}

interface CarryingOut {
  readonly decided: Decided;
  readonly proposal: ReadProposal;
  readonly draft: ProposalDraft;
  readonly caller: Caller;
}

async function carryOut(state: GatewayState, step: CarryingOut): Promise<Answer> {
  const { decided, proposal, draft, caller } = step;
  const { decision } = decided;
  if (decision.kind === 'deny' && decision.tells !== undefined) {
    return tellSuccess(state.parts, { decision, draft, opId: decision.tells });
  }
  if (decision.kind !== 'allow' || decided.opId === undefined) {
    return reportDecision(state.parts, { decided, draft, caller, contract: proposal.contract });
  }
  // INVARIANT: only a call with a contract is allowed.
  if (proposal.contract === undefined) throw new Error('allowed without a contract');
  return executeOperation(state.parts, {
    opId: decided.opId,
    attempt: attemptOf(decided),
    decisionId: draft.opId,
    contract: proposal.contract,
    values: decision.values,
    caller,
  });
}

/** Number of the attempt that the committed writes began. */
function attemptOf({ opId, writes }: Decided): number {
  const rows = [...writes.insertOperations, ...writes.moveOperations.map(({ to }) => to)];
  return rows.find((row) => row.opId === opId)?.attempt ?? 1;
}

function logDecision(parts: GatewayParts, draft: ProposalDraft, decision: Decision): void {
  parts.log('info', 'decided', {
    op: draft.opId,
    action: draft.action,
    decision: decision.kind,
    code: decision.kind === 'deny' ? decision.failures[0].code : undefined,
    level: decision.kind === 'deny' ? undefined : decision.level,
  });
}

function refuseBroken(parts: GatewayParts, error: unknown): Answer {
  if (error instanceof StoreError) {
    if (error.fatal) parts.onFatal(error);
    parts.log('error', `store: ${error.message}`, { code: error.code });
    return storeReport(error);
  }
  parts.log('error', error instanceof Error ? (error.stack ?? error.message) : String(error));
  return internalReport();
}
