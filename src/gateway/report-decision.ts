// What the agent is told about a proposal that did not execute.
import type { Contract } from '../core/contract.ts';
import type { Ask, Deny } from '../core/decision.ts';
import type { DecisionPlan } from '../core/moves/plan-decision.ts';
import type { ProposalDraft } from '../core/moves/proposal-draft.ts';
import { type NextStep, reasonCodes } from '../core/reason-codes.ts';
import type { Answer, AnswerReport, Caller } from './gateway.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { pendingApproval } from './pending-approval.ts';
import { reportOf } from './report-failure.ts';

export interface Reporting {
  readonly decided: Extract<DecisionPlan, { kind: 'decided' }>;
  readonly draft: ProposalDraft;
  readonly caller: Caller;
  readonly contract: Contract | undefined;
}

/** A refusal or an open question; repeats are told the newest state of the earlier operation. */
export async function reportDecision(parts: GatewayParts, reporting: Reporting): Promise<Answer> {
  const { decision } = reporting.decided;
  if (decision.kind === 'deny')
    return { kind: 'report', report: await reportDenied(parts, decision, reporting.draft) };
  if (decision.kind === 'ask')
    return { kind: 'report', report: await reportPending(parts, decision, reporting) };
  throw new Error('an allowed proposal is executed, not reported');
}

async function reportDenied(
  parts: GatewayParts,
  deny: Deny,
  draft: ProposalDraft,
): Promise<AnswerReport> {
  const codes = [...new Set(deny.failures.map((failure) => failure.code))];
  const next = [...new Set(codes.flatMap((code): readonly NextStep[] => reasonCodes[code].next))];
  const earlier = deny.failures.find((failure) => failure.opId !== undefined)?.opId;
  const report = reportOf(deny.failures[0].code, {
    decisionId: draft.opId,
    opId: earlier,
    failures: deny.failures,
    next,
  });
  if (earlier === undefined || codes[0] !== 'EXECUTION_DUPLICATE') return { ...report, codes };
  const row = (await parts.store.readOperation(earlier))?.row;
  return {
    ...report,
    status: row?.state === 'UNKNOWN' ? 'unknown' : 'denied',
    unknownSinceMs: row?.state === 'UNKNOWN' ? row.movedMs : undefined,
    reason:
      deny.failures[0].detail === 'once' && row !== undefined
        ? `its values count once, and operation ${earlier} that has them is ${row.state}`
        : undefined,
  };
}

async function reportPending(
  parts: GatewayParts,
  ask: Ask,
  { decided, draft, caller, contract }: Reporting,
): Promise<AnswerReport> {
  const opId = decided.opId ?? draft.opId;
  const operation = await parts.store.readOperation(opId);
  const approval = operation?.approval;
  if (approval === undefined) throw new Error('an asked operation without a request');
  const form =
    caller.form && parts.approvals.formAllowed && contract?.confirm !== 'page' && ask.level === 1;
  return reportOf('APPROVAL_PENDING', {
    decisionId: draft.opId,
    opId,
    status: 'pending',
    approval: await pendingApproval(parts, approval, form),
  });
}
