// The leaves of one decision: what stands openly in the log and what is only committed.
import type { CanonicalValue } from '../canonical-json.ts';
import type { Ask, Decision, Failure, ResolvedValue } from '../decision.ts';
import type { StaticFacts } from '../facts.ts';
import type { LeafDraft } from '../leaf.ts';
import type {
  ApprovalRow,
  ApprovalTerms,
  BudgetMove,
  OperationRow,
  OperationState,
} from '../operation.ts';
import { attemptKey } from '../operation.ts';
import { sha256Hex } from '../sha256.ts';
import type { ProposalDraft } from './proposal-draft.ts';

/** Longest argument text that is kept; a longer one is committed by its hash. */
export const rawKeptMax = 65_536;

/** A proposal has arrived. */
export function proposalLeaf(draft: ProposalDraft): LeafDraft {
  return {
    type: 'proposal',
    opId: draft.opId,
    open: { action: draft.action, channel: draft.channel, raw_bytes: draft.rawBytes },
    committed: {
      ...(draft.raw === undefined ? { raw_sha256: draft.rawHash ?? '' } : { raw: draft.raw }),
      ...(draft.client === undefined ? {} : { client: draft.client }),
    },
  };
}

interface DecisionContext {
  readonly facts: StaticFacts;
  readonly draft: ProposalDraft;
  /** Only for a new operation. */
  readonly preimage?: string;
  readonly opHash?: string;
}

/** Allow, ask or deny, with everything it rests on. */
export function decisionLeaf(decision: Decision, context: DecisionContext): LeafDraft {
  const { draft } = context;
  const code = codeOf(decision);
  return {
    type: 'decision',
    opId: draft.opId,
    state: stateOf(decision),
    ...(code === undefined ? {} : { code }),
    open: openFields(decision, context),
    committed:
      decision.kind === 'deny' ? deniedFields(decision.failures) : grantedFields(decision, context),
  };
}

function codeOf(decision: Decision): string | undefined {
  if (decision.kind === 'deny') return decision.failures[0].code;
  return decision.kind === 'ask' ? 'APPROVAL_PENDING' : undefined;
}

function stateOf(decision: Decision): string {
  if (decision.kind === 'deny') return 'DENIED';
  return decision.kind === 'ask' ? 'ASKING' : 'DISPATCHING';
}

function openFields(decision: Decision, context: DecisionContext): Record<string, CanonicalValue> {
  const { binding, mandateId } = context.draft;
  return {
    decision: decision.kind,
    mode: 'enforce',
    ...(decision.kind === 'deny' ? { stage: decision.stage } : { level: decision.level }),
    codes: decision.kind === 'deny' ? decision.failures.map((failure) => failure.code) : [],
    contract_sha256: binding.contractDigest,
    policy_sha256: binding.policySet,
    schema_sha256: binding.policySchema,
    cedar: binding.policyEngine,
    mandate: mandateId,
    mandate_sha256: binding.mandateHash,
    ...(context.opHash === undefined ? {} : { op_hash: context.opHash }),
    ...earlierOperation(decision),
  };
}

/** The operation that this proposal joins, carries out or repeats. */
function earlierOperation(decision: Decision): Record<string, CanonicalValue> {
  const joins = decision.kind === 'ask' ? decision.joins : undefined;
  if (joins !== undefined) return { joins };
  const repeats =
    decision.kind === 'allow'
      ? decision.consumes
      : decision.kind === 'deny'
        ? decision.failures.find((failure) => failure.opId !== undefined)?.opId
        : undefined;
  return repeats === undefined ? {} : { repeats };
}

function deniedFields(failures: readonly Failure[]): Record<string, CanonicalValue> {
  return { reasons: failures.map(failureRecord) };
}

function failureRecord(failure: Failure): CanonicalValue {
  return {
    code: failure.code,
    ...(failure.path === undefined ? {} : { path: failure.path }),
    ...(failure.detail === undefined ? {} : { detail: failure.detail }),
    ...(failure.rules === undefined ? {} : { rules: [...failure.rules] }),
    ...(failure.triedSources === undefined ? {} : { sources: [...failure.triedSources] }),
  };
}

function grantedFields(
  decision: Extract<Decision, { kind: 'allow' | 'ask' }>,
  context: DecisionContext,
): Record<string, CanonicalValue> {
  const fields: Record<string, CanonicalValue> = {};
  for (const value of decision.values) fields[`param.${value.path}`] = valueRecord(value);
  if (decision.rules.length > 0) fields['rules'] = [...decision.rules];
  if (decision.reasons.length > 0) fields['reasons'] = decision.reasons.map(reasonRecord);
  if (context.preimage !== undefined) fields['preimage'] = context.preimage;
  if (context.preimage !== undefined && context.draft.call !== undefined) {
    fields['call'] = context.draft.call;
  }
  return fields;
}

function valueRecord(value: ResolvedValue): CanonicalValue {
  return {
    // In canonical order: nothing is sorted later.
    canonical: value.canonical,
    ...(value.recordId === undefined ? {} : { record: value.recordId }),
    source: value.source,
    ...(value.recordVersion === undefined ? {} : { version: value.recordVersion }),
    ...(value.warnings.length === 0 ? {} : { warnings: [...value.warnings] }),
  };
}

function reasonRecord(reason: Ask['reasons'][number]): CanonicalValue {
  return {
    kind: reason.kind,
    ...(reason.path === undefined ? {} : { path: reason.path }),
    ...(reason.detail === undefined ? {} : { detail: reason.detail }),
    ...(reason.opId === undefined ? {} : { op: reason.opId }),
  };
}

/** A person is asked. What is shown is committed as one canonical text. */
export function requestLeaf(
  ask: Ask,
  context: {
    readonly draft: ProposalDraft;
    readonly approval: ApprovalRow;
    readonly opHash: string;
  },
): LeafDraft {
  const { draft, approval, opHash } = context;
  return {
    type: 'approval.request',
    opId: draft.opId,
    prev: 'ASKING',
    state: 'ASKING',
    open: {
      request: approval.approvalId,
      op_hash: opHash,
      level: ask.level,
      quorum: votesNeeded(approval.terms),
      expires: approval.expiresMs,
    },
    committed: {
      view: viewOf(ask, draft),
      ...(approval.terms.exclude.length === 0 ? {} : { exclude: [...approval.terms.exclude] }),
    },
  };
}

/** Approvals that a request needs. */
function votesNeeded({ count, includeUser, soloWaitMs }: ApprovalTerms): number {
  return soloWaitMs === undefined ? count + (includeUser ? 1 : 0) : 2;
}

/** What a person sees, as data: the page renders nothing else. */
function viewOf(ask: Ask, draft: ProposalDraft): CanonicalValue {
  return {
    sentence: draft.sentence,
    summary: draft.summary,
    values: ask.values.map((value) => ({
      label: draft.labels[value.param] ?? value.param,
      path: value.path,
      display: value.display,
      source: value.source,
      ...(value.recordId === undefined ? {} : { record: value.recordId }),
      ...(value.recordVersion === undefined ? {} : { version: value.recordVersion }),
      ...(value.recordChangedAtMs === undefined ? {} : { changed: value.recordChangedAtMs }),
      warnings: [...value.warnings],
    })),
    ...(draft.rest === undefined ? {} : { rest: draft.rest }),
    reasons: ask.reasons.map(reasonRecord),
  };
}

/** The intent, before anything leaves. */
export function attemptLeaf(
  draft: ProposalDraft,
  context: {
    readonly operation: OperationRow;
    readonly call: string;
    readonly moves: readonly BudgetMove[];
    readonly approvals: readonly string[];
    readonly prev: OperationState | undefined;
  },
): LeafDraft {
  const { operation, call, moves, approvals, prev } = context;
  return {
    type: 'attempt',
    opId: operation.opId,
    ...(prev === undefined ? {} : { prev }),
    state: 'DISPATCHING',
    open: {
      attempt: operation.attempt,
      connector: draft.binding.connector,
      key: attemptKey(operation.opId),
      deadline: operation.deadlineMs ?? 0,
      approvals: [...approvals],
    },
    committed: {
      call_sha256: sha256Hex(call),
      ...(moves.length === 0
        ? {}
        : { reserved: moves.map(({ budgetId, amount }) => ({ amount, budget: budgetId })) }),
    },
  };
}
