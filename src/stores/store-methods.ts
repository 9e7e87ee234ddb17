// The transactions of the contract over the rows of one store: read, plan, apply. Each function
// runs inside one transaction; what it throws undoes the whole of it.
import type { StaticFacts } from '../core/facts.ts';
import type { AmendmentDraft } from '../core/history.ts';
import { planAmendment } from '../core/moves/plan-amendment.ts';
import {
  type AnswerPlan,
  type ApprovalAnswer,
  isOpen,
  planAnswer,
  planEnd,
} from '../core/moves/plan-answer.ts';
import { type ChildPlan, planChild } from '../core/moves/plan-child.ts';
import { type DecisionPlan, planDecision } from '../core/moves/plan-decision.ts';
import { type MandateDraft, planMandate, planResume } from '../core/moves/plan-mandate.ts';
import { planOrphan } from '../core/moves/plan-orphan.ts';
import { type OutcomePlan, type OutcomeReport, planOutcome } from '../core/moves/plan-outcome.ts';
import { type Finding, planReconcile, type ReconcilePlan } from '../core/moves/plan-reconcile.ts';
import { planResend, type ResendPlan, type ResendRequest } from '../core/moves/plan-resend.ts';
import { planUnfreeze, type UnfreezePlan } from '../core/moves/plan-unfreeze.ts';
import type { ProposalDraft } from '../core/moves/proposal-draft.ts';
import { noWrites } from '../core/moves/writes.ts';
import type { ApprovalRow, MandateRow } from '../core/operation.ts';
import type { Rows } from './rows.ts';
import type { Standing } from './sort-processes.ts';

export function decideProposal(rows: Rows, facts: StaticFacts, draft: ProposalDraft): DecisionPlan {
  const plan = planDecision(facts, draft, rows.decisionRows(draft));
  if (plan.kind === 'decided') rows.apply(plan.writes);
  return plan;
}

export function finishAttempt(rows: Rows, report: OutcomeReport): OutcomePlan {
  const operation = rows.operation(report.opId);
  const reserved = operation === undefined ? [] : rows.reserved(report.opId);
  const plan = planOutcome(report, { nowMs: rows.nowMs, operation, reserved });
  rows.apply(plan.writes);
  return plan;
}

export function reconcileOperation(rows: Rows, finding: Finding): ReconcilePlan {
  const operation = rows.operation(finding.opId);
  const reserved = operation === undefined ? [] : rows.reserved(finding.opId);
  const plan = planReconcile(finding, { nowMs: rows.nowMs, operation, reserved });
  rows.apply(plan.writes);
  return plan;
}

export function resendOperation(rows: Rows, request: ResendRequest): ResendPlan {
  const operation = rows.operation(request.opId);
  const plan = planResend(request, {
    nowMs: rows.nowMs,
    operation,
    mandate: operation === undefined ? undefined : rows.mandate(operation.mandateId),
    reserved: operation === undefined ? [] : rows.reserved(request.opId),
  });
  rows.apply(plan.writes);
  return plan;
}

export function answerRequest(rows: Rows, answer: ApprovalAnswer): AnswerPlan {
  const plan = planAnswer(answer, rows.answerRows(answer.approvalId));
  rows.apply(plan.writes);
  return plan;
}

export function draftAmendment(
  rows: Rows,
  approvalId: string,
  draftId: string,
): AmendmentDraft | undefined {
  const plan = planAmendment(draftId, rows.amendmentRows(approvalId));
  rows.apply(plan.writes);
  return plan.draft;
}

export function cancelRequest(rows: Rows, opId: string, reason: string): ApprovalRow | undefined {
  const approval = rows.approvalOf(opId);
  if (approval === undefined || !isOpen(approval)) return undefined;
  return endRequest(rows, approval, { state: 'CANCELLED', reason });
}

export function expireRequests(rows: Rows): readonly ApprovalRow[] {
  return rows
    .dueApprovals()
    .map((approval) => endRequest(rows, approval, { state: 'EXPIRED', reason: 'expired' }));
}

function endRequest(
  rows: Rows,
  approval: ApprovalRow,
  end: { readonly state: 'EXPIRED' | 'CANCELLED'; readonly reason: string },
): ApprovalRow {
  const operation = rows.operation(approval.opId);
  // INVARIANT: a request is inserted together with its operation, and neither is ever deleted.
  if (operation === undefined) throw new Error('a request without its operation');
  const writes = planEnd({ approval, operation }, { ...end, nowMs: rows.nowMs });
  rows.apply(writes);
  return writes.moveApprovals[0]?.to ?? approval;
}

export function joinMandate(rows: Rows, draft: MandateDraft): MandateRow {
  const newest = rows.newestMandate(draft.principal, draft.agent);
  const plan = planMandate(draft, { nowMs: rows.nowMs, newest });
  rows.apply(plan.writes);
  return plan.mandate;
}

export function delegateMandate(rows: Rows, parentId: string, draft: MandateDraft): ChildPlan {
  const parent = rows.mandate(parentId);
  const budgets = (parent?.budgetIds ?? []).flatMap((id) => rows.budget(id) ?? []);
  const plan = planChild(draft, { nowMs: rows.nowMs, parent, budgets });
  rows.apply(plan.writes);
  return plan;
}

export function unfreezeBudget(rows: Rows, budgetId: string, person: string): UnfreezePlan {
  const plan = planUnfreeze(rows.budget(budgetId), person);
  rows.apply(plan.writes);
  return plan;
}

export function resumeMandate(
  rows: Rows,
  mandateId: string,
  person: string,
): MandateRow | undefined {
  const mandate = rows.mandate(mandateId);
  const plan = mandate === undefined ? undefined : planResume(mandate, person);
  if (plan === undefined) return undefined;
  rows.apply(plan.writes);
  return plan.mandate;
}

/** What became of the processes that a store knows, and of what they had sent. */
export interface Burial {
  /** Operations that are UNKNOWN now; a read has no effect to wait for and is FAILED. */
  readonly orphans: readonly string[];
  /** Processes that own nothing any more. */
  readonly gone: readonly string[];
}

/** Settles what dead processes left. A call of a silent one is waited for until its deadline. */
export function buryProcesses(
  rows: Rows,
  { live, silent, dead }: Omit<Standing, 'others'>,
): Burial {
  const waiting = new Set<string | undefined>(silent);
  const open = new Set<string | undefined>();
  const orphans = rows.orphans(live).flatMap((operation) => {
    const { opId, owner, deadlineMs = 0 } = operation;
    if (waiting.has(owner) && rows.nowMs < deadlineMs) {
      open.add(owner);
      return [];
    }
    const writes = planOrphan(operation, { nowMs: rows.nowMs, reserved: rows.reserved(opId) });
    rows.apply(writes);
    return writes.moveOperations.some(({ to }) => to.state === 'UNKNOWN') ? [opId] : [];
  });
  const gone = [...dead, ...silent.filter((processId) => !open.has(processId))];
  if (gone.length > 0) noteUncleanStop(rows, { processes: gone.length, orphans: orphans.length });
  return { orphans, gone };
}

function noteUncleanStop(
  rows: Rows,
  figures: { readonly processes: number; readonly orphans: number },
): void {
  const open = { kind: 'unclean_stop', figures };
  rows.apply({ ...noWrites, leaves: [{ type: 'alarm', open, committed: {} }] });
}
