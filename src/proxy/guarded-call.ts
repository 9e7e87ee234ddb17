// A guarded call: proposed to the gateway, held for a person where that can help, answered once.
import type { JsonObject } from '../core/json-value.ts';
import type { Answer, Caller, ToolCall } from '../gateway/gateway.ts';
import { questionFor } from './approval-form.ts';
import { ApprovalHold } from './approval-hold.ts';
import { forwardedMeta } from './call-meta.ts';
import type { Exchange } from './exchange.ts';
import type { ExposedTool } from './exposed-tool.ts';
import { askByInput, type InputAnswer, readInputAnswer } from './input-required.ts';
import { tooManyCalls } from './own-reports.ts';
import { completeResult } from './passthrough-call.ts';
import type { ProxyContext } from './proxy-context.ts';
import { decisionKey, type ReportContext, reportObject, reportResult } from './report-result.ts';
import type { Session } from './session.ts';

export interface GuardedCallRequest {
  readonly exchange: Exchange;
  readonly session: Session;
  readonly tool: ExposedTool;
  readonly hasOutputSchema: boolean;
  /** Runs a proposal when a slot is free. Undefined: too many wait already. */
  readonly inSlot: (run: () => Promise<Answer>) => Promise<Answer | undefined>;
}

/** Resolves with how it ended, for the log. */
export async function callGuarded(
  context: ProxyContext,
  request: GuardedCallRequest,
): Promise<string> {
  const { exchange, tool } = request;
  const call = toolCall(tool, exchange);
  const input = await readInputAnswer(context, exchange, tool);
  if (input.kind === 'invalid') {
    exchange.refuseParams('Invalid params: `requestState` is not valid for this call');
    return 'refused';
  }
  if (input.kind === 'answered') await tellGateway(context, input);
  const submit = (): Promise<Answer | undefined> =>
    request.inSlot(() => context.gateway.submit(call, callerOf(exchange)));
  const first = await submit();
  const answer = await holdIfPending({ context, request, submit, input, first });
  return deliver(context, request, answer);
}

function toolCall(tool: ExposedTool, exchange: Exchange): ToolCall {
  const args = exchange.request.params['arguments'];
  const rawText = args === undefined ? '' : JSON.stringify(args);
  return { server: tool.server, tool: tool.tool, args, rawText };
}

function callerOf(exchange: Exchange): Caller {
  const { client, params } = exchange.request;
  return {
    channel: 'mcp',
    client: client.name,
    signal: exchange.signal,
    meta: forwardedMeta(params['_meta']),
    onProgress: exchange.hasProgressToken
      ? (progress: JsonObject): void => exchange.progress(progress)
      : undefined,
    form: client.form,
  };
}

async function tellGateway(
  context: ProxyContext,
  { state, verdict }: InputAnswer & { kind: 'answered' },
): Promise<void> {
  if (verdict === 'none') return;
  await context.gateway.answerApproval({
    approvalId: state.approvalId,
    opHash: state.opHash,
    verdict,
    person: context.principal,
    assurance: 'elicitation',
    channel: 'elicitation',
    reason: undefined,
  });
}

async function holdIfPending(about: {
  readonly context: ProxyContext;
  readonly request: GuardedCallRequest;
  readonly submit: () => Promise<Answer | undefined>;
  readonly input: InputAnswer;
  readonly first: Answer | undefined;
}): Promise<Answer | { readonly kind: 'asked' } | undefined> {
  const { context, request, submit, input, first } = about;
  if (first?.kind !== 'report' || first.report.status !== 'pending') return first;
  const { approval } = first.report;
  if (approval === undefined) return first;
  const { exchange, session, tool } = request;
  const { client } = exchange.request;
  const question = questionFor(client, approval);
  const isAsked = input.kind === 'answered';
  if (client.era === 'modern' && question.kind !== 'none') {
    // Asked once per call: a form that was put away is not shown again at once.
    if (isAsked && question.kind === 'form') return first;
    if (!isAsked) {
      const about = { exchange, tool, report: first.report, approval, question };
      exchange.answer(askByInput(context, about));
      return { kind: 'asked' };
    }
  }
  const hold = new ApprovalHold({
    context,
    exchange,
    session,
    approval,
    question: client.era === 'modern' ? { kind: 'none' } : question,
    isAsked,
  });
  const isDecided = await hold.wait(first.report);
  if (exchange.isCancelled) return { kind: 'dropped' };
  return isDecided ? await submit() : first;
}

function deliver(
  context: ProxyContext,
  { exchange, hasOutputSchema }: GuardedCallRequest,
  answer: Answer | { readonly kind: 'asked' } | undefined,
): string {
  const reports: ReportContext = { hasOutputSchema, hasOwnTools: context.hasOwnTools };
  if (answer === undefined) {
    exchange.answer(completeResult(exchange, reportResult(tooManyCalls, reports)));
    return 'denied RATE_LIMITED';
  }
  switch (answer.kind) {
    case 'asked':
      return 'asked';
    case 'dropped':
      return 'dropped';
    case 'report': {
      const { report } = answer;
      exchange.answer(completeResult(exchange, reportResult(report, reports)));
      return `${report.status} ${report.codes.join(' ')}`;
    }
    case 'executed':
      exchange.answer(completeResult(exchange, executedResult(answer, reports)));
      return 'executed';
  }
}

/** The server's own result; only an unknown outcome or an earlier answer adds something. */
function executedResult(answer: Answer & { kind: 'executed' }, reports: ReportContext): JsonObject {
  const { result, report, earlier } = answer;
  if (report === undefined && earlier === undefined) return result;
  const meta = result['_meta'];
  const own: JsonObject = {
    ...(report === undefined ? {} : { [decisionKey]: reportObject(report, reports) }),
    ...(earlier === undefined
      ? {}
      : { 'io.intentplane/earlier': { op_id: earlier.opId, at: isoTime(earlier.atMs) } }),
  };
  const withMeta = { ...result, _meta: { ...(meta as JsonObject | undefined), ...own } };
  if (earlier === undefined) return withMeta;
  const text = `This is the answer of operation ${earlier.opId}, which ended at ${isoTime(earlier.atMs)}. Nothing was sent now.`;
  const content = Array.isArray(result['content']) ? result['content'] : [];
  return { ...withMeta, content: [...content, { type: 'text', text }] };
}

const isoTime = (ms: number): string => new Date(ms).toISOString();
