// The report of an earlier decision of this mandate, from its leaves.
import type { Failure } from '../core/decision.ts';
import { type ReasonCode, reasonCodes } from '../core/reason-codes.ts';
import type { AnswerReport } from './gateway.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { reportOf } from './report-failure.ts';

const decoder = new TextDecoder();

/** Undefined for ids of other mandates and for ids that nobody made: the two look alike. */
export async function explainDecision(
  parts: GatewayParts,
  decisionId: string,
  mandateId: string,
): Promise<AnswerReport | undefined> {
  if (!/^[0-9a-f]{32}$/.test(decisionId)) return undefined;
  const leaves = await parts.store.readLeaves({ opId: decisionId });
  const decision = leaves.find((leaf) => leaf.type === 'decision');
  if (decision === undefined) return undefined;
  const open = JSON.parse(decoder.decode(decision.bytes)) as { code?: string; mandate?: string };
  if (open.mandate !== mandateId) return undefined;
  const row = (await parts.store.readOperation(decisionId))?.row;
  if (row?.state === 'UNKNOWN')
    return reportOf('EXECUTION_UNKNOWN', {
      decisionId,
      opId: decisionId,
      status: 'unknown',
      unknownSinceMs: row.movedMs,
    });
  if (row?.state === 'FAILED')
    return reportOf('EXECUTION_FAILED', { decisionId, opId: decisionId, status: 'failed' });
  const code = open.code;
  if (code === undefined || !Object.hasOwn(reasonCodes, code)) return undefined;
  return reportOf(code as ReasonCode, {
    decisionId,
    opId: row?.opId,
    status: code === 'APPROVAL_PENDING' ? 'pending' : 'denied',
    failures: failuresOf(decision.payload['reasons']?.value),
  });
}

/** Payloads may be erased: then only the code is left. */
function failuresOf(text: string | undefined): readonly Failure[] {
  return text === undefined ? [] : (JSON.parse(text) as readonly Failure[]);
}
