// A person's answer: every reason not to take it, in order, and then the one choke point.
import type { IncomingMessage } from 'node:http';
import type { PasscodeVerdict } from '../approvals/passcode-gate.ts';
import type { AnswerResult } from '../gateway/gateway.ts';
import { type AnswerBody, answerBodySchema } from './answer-body.ts';
import { type FoundApproval, findApproval } from './find-approval.ts';
import { faultAnswer, type HttpAnswer, jsonAnswer } from './http-answer.ts';
import type { PageContext } from './page-context.ts';
import { readJsonBody } from './read-body.ts';
import { closedTexts } from './render-approval.ts';

export interface AnswerCall {
  readonly approvalId: string;
  readonly request: IncomingMessage;
  /** The only origin whose script may answer. */
  readonly origin: string;
}

export async function answerRequest(context: PageContext, call: AnswerCall): Promise<HttpAnswer> {
  const refused = refuseHeaders(call);
  if (refused !== undefined) return refused;
  const json = await readJsonBody(call.request, context.bodyTimeoutMs);
  if (!json.ok) return faultAnswer(json.error, closing);
  const body = answerBodySchema.safeParse(json.value);
  if (!body.success) return faultAnswer('BAD_REQUEST');
  const found = await findApproval(context, call.approvalId);
  if (found === undefined) return faultAnswer('NOT_FOUND');
  return refuseBody(context, found, body.data) ?? answerWithPasscode(context, found, body.data);
}

const closing = { headers: { Connection: 'close' } };

/** Only a script of this very page can send all three. */
function refuseHeaders({ request, origin }: AnswerCall): HttpAnswer | undefined {
  const only = (name: string): string | undefined => {
    const values = request.headersDistinct[name];
    return values?.length === 1 ? values[0] : undefined;
  };
  if (only('origin') !== origin || only('sec-fetch-site') !== 'same-origin') {
    return faultAnswer('FORBIDDEN');
  }
  const isJson = /^application\/json(?:;\s*charset=utf-8)?$/i.test(only('content-type') ?? '');
  return isJson ? undefined : faultAnswer('UNSUPPORTED_TYPE');
}

function refuseBody(
  { csrf }: PageContext,
  { approval, detail, state }: FoundApproval,
  body: AnswerBody,
): HttpAnswer | undefined {
  const { approvalId, opHash } = approval;
  if (body.op_hash !== opHash) return faultAnswer('EXECUTION_CHANGED', { state });
  if (!csrf.isValid(body.csrf, { approvalId, opHash })) return faultAnswer('FORBIDDEN');
  const takesAnswer = state === 'REQUESTED' || (state === 'GRANTED' && body.verdict === 'reject');
  if (!takesAnswer) return faultAnswer('ENDED', { state });
  if (body.verdict === 'reject') return undefined;
  const opened = new Set(body.opened);
  const isComplete = [...closedTexts(detail)].every((text) => opened.has(text));
  return isComplete ? undefined : faultAnswer('PREVIEW_INCOMPLETE');
}

async function answerWithPasscode(
  context: PageContext,
  { approval }: FoundApproval,
  body: AnswerBody,
): Promise<HttpAnswer> {
  const { approvalId } = approval;
  const verdict = await context.gate.check(body.passcode);
  if (verdict.kind !== 'right') {
    context.log('warn', 'approval page: passcode not accepted', {
      approval: approvalId,
      verdict: verdict.kind,
    });
    return refusePasscode(verdict, context.clock().nowMs);
  }
  const result = await context.gateway.answerApproval({
    approvalId,
    opHash: body.op_hash,
    verdict: body.verdict,
    person: context.principal,
    assurance: 'passcode',
    channel: 'page',
    reason: body.reason === '' ? undefined : body.reason,
  });
  context.log('info', 'approval page: answered', {
    approval: approvalId,
    verdict: body.verdict,
    result: result.ok ? result.state : result.code,
  });
  return resultAnswer(result);
}

function refusePasscode(
  verdict: Exclude<PasscodeVerdict, { kind: 'right' }>,
  nowMs: number,
): HttpAnswer {
  if (verdict.kind === 'wrong') return faultAnswer('PASSCODE_WRONG');
  const seconds = Math.max(1, Math.ceil((verdict.untilMs - nowMs) / 1_000));
  const code = verdict.kind === 'locked' ? 'PASSCODE_LOCKED' : 'TOO_MANY_TRIES';
  return faultAnswer(code, { headers: { 'Retry-After': String(seconds) } });
}

function resultAnswer(result: AnswerResult): HttpAnswer {
  if (result.ok) return jsonAnswer({ ok: true, state: result.state });
  return faultAnswer(result.code, result.state === undefined ? {} : { state: result.state });
}
