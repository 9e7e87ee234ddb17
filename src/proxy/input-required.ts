// Our approval form for clients of revision 2026-07-28: the question is a result, and the answer
// comes with a repeat of the call that hands back our sealed state.
import { randomBytes } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../core/json-value.ts';
import { sha256Hex } from '../core/sha256.ts';
import { canonicalDefinition } from '../gateway/definition-digest.ts';
import type { AnswerReport, PendingApproval } from '../gateway/gateway.ts';
import { type FormVerdict, judgeForm, type Question, questionParams } from './approval-form.ts';
import type { Exchange } from './exchange.ts';
import type { ExposedTool } from './exposed-tool.ts';
import type { ProxyContext } from './proxy-context.ts';
import { openRequestState, type RequestState, sealRequestState } from './request-state.ts';

const inputKey = 'intentplane_approval';
const stateMaxMs = 15 * 60_000;

export type InputAnswer =
  | { readonly kind: 'absent' }
  | { readonly kind: 'answered'; readonly state: RequestState; readonly verdict: FormVerdict }
  /** Not sealed by us, for another call, expired, or used before. */
  | { readonly kind: 'invalid' };

/** The result that asks. */
export function askByInput(
  context: ProxyContext,
  about: {
    readonly exchange: Exchange;
    readonly tool: ExposedTool;
    readonly report: AnswerReport;
    readonly approval: PendingApproval;
    readonly question: Exclude<Question, { kind: 'none' }>;
  },
): JsonObject {
  const { exchange, tool, report, approval, question } = about;
  const issuedMs = context.nowMs();
  const state: RequestState = {
    principal: context.principal,
    server: tool.server,
    tool: tool.tool,
    digest: callDigest(exchange),
    opId: report.opId ?? '',
    approvalId: approval.approvalId,
    opHash: approval.opHash,
    nonce: randomBytes(16).toString('hex'),
    issuedMs,
    expiresMs: Math.min(issuedMs + stateMaxMs, approval.expiresMs),
  };
  const params = questionParams(question, approval, exchange.request.client.revision);
  return {
    resultType: 'input_required',
    inputRequests: { [inputKey]: { method: 'elicitation/create', params } },
    requestState: sealRequestState(state, context.sealKey),
  };
}

/** What a call hands back, if anything. A valid state is used up by this. */
export async function readInputAnswer(
  context: ProxyContext,
  exchange: Exchange,
  tool: ExposedTool,
): Promise<InputAnswer> {
  const { requestState, inputResponses } = exchange.request.params;
  if (requestState === undefined || exchange.request.client.era === 'legacy') {
    return { kind: 'absent' };
  }
  if (typeof requestState !== 'string') return { kind: 'invalid' };
  const state = openRequestState(requestState, context.sealKey);
  if (state === undefined || !isFor(state, { context, exchange, tool })) return { kind: 'invalid' };
  if (!(await context.useNonce(state.nonce, state.expiresMs))) return { kind: 'invalid' };
  const answer = isJsonObject(inputResponses) ? inputResponses[inputKey] : undefined;
  return { kind: 'answered', state, verdict: judgeForm(answer, context.nowMs() - state.issuedMs) };
}

function isFor(
  state: RequestState,
  about: {
    readonly context: ProxyContext;
    readonly exchange: Exchange;
    readonly tool: ExposedTool;
  },
): boolean {
  const { context, exchange, tool } = about;
  return (
    state.principal === context.principal &&
    state.server === tool.server &&
    state.tool === tool.tool &&
    state.digest === callDigest(exchange) &&
    state.expiresMs > context.nowMs()
  );
}

// Method and params without what changes from hop to hop and from try to try.
function callDigest(exchange: Exchange): string {
  const { method, params } = exchange.request;
  const { _meta, requestState: _state, inputResponses: _responses, ...rest } = params;
  return sha256Hex(`${method}\n${canonicalDefinition(rest)}`);
}
