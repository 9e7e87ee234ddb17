// A success that its caller was never told answers the next identical call, once, instead of a second execution.
import type { Deny } from '../core/decision.ts';
import type { JsonObject } from '../core/json-value.ts';
import type { ProposalDraft } from '../core/moves/proposal-draft.ts';
import type { OutcomeClass } from '../core/operation.ts';
import type { Answer } from './gateway.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { reportOf } from './report-failure.ts';

export async function tellSuccess(
  parts: GatewayParts,
  told: { readonly decision: Deny; readonly draft: ProposalDraft; readonly opId: string },
): Promise<Answer> {
  const { draft, opId, decision } = told;
  const stored = await parts.store.readOperation(opId);
  if (stored?.result === undefined || !isAnswerOfSuccess(stored.row.outcome)) {
    const report = reportOf('EXECUTION_DUPLICATE', {
      decisionId: draft.opId,
      opId,
      failures: decision.failures,
      reason: 'it succeeded; its answer was not kept',
    });
    return { kind: 'report', report };
  }
  return {
    kind: 'executed',
    decisionId: draft.opId,
    opId,
    result: JSON.parse(stored.result) as JsonObject,
    report: undefined,
    earlier: { opId, atMs: stored.row.movedMs },
  };
}

/** A person may know that it succeeded although all that came back was an error: that is no answer to hand on. */
function isAnswerOfSuccess(outcome: OutcomeClass | undefined): boolean {
  return outcome === 'SUCCESS' || outcome === 'ODD_ANSWER';
}
