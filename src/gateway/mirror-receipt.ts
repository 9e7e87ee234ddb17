// The copy for readers of the 0.5.x receipt file; the log is the evidence, this is not.
import type { Decision } from '../core/decision.ts';
import type { ProposalDraft } from '../core/moves/proposal-draft.ts';
import type { OperationRow } from '../core/operation.ts';
import type { GatewayParts, MirrorEntry } from './gateway-parts.ts';

export function mirrorDecision(
  parts: GatewayParts,
  draft: ProposalDraft,
  decision: Decision,
): void {
  if (parts.mirror === undefined) return;
  const statuses = { allow: 'EXECUTING', ask: 'PENDING', deny: 'DENIED' } as const;
  parts.mirror({
    action: draft.action,
    opId: draft.opId,
    opHash: undefined,
    status: statuses[decision.kind],
    stage: decision.kind === 'deny' ? decision.stage : 'policy',
    reasons:
      decision.kind === 'deny' ? decision.failures.map((failure) => failure.code) : decision.rules,
  });
}

export function mirrorOutcome(
  parts: GatewayParts,
  row: OperationRow,
  state: 'SUCCEEDED' | 'FAILED' | 'UNKNOWN',
): void {
  if (parts.mirror === undefined) return;
  const statuses: Readonly<Record<typeof state, MirrorEntry['status']>> = {
    SUCCEEDED: 'EXECUTED',
    FAILED: 'FAILED',
    UNKNOWN: 'UNKNOWN',
  };
  parts.mirror({
    action: row.action,
    opId: row.opId,
    opHash: row.opHash,
    status: statuses[state],
    stage: 'execution',
    reasons: [],
  });
}
