// A person's answer: every reason not to take it, in order, and then the one choke point.
import type { Assurance } from '../core/operation.ts';
import type { AnswerResult } from '../gateway/gateway.ts';
import { type AnswerBody, answerBodySchema } from './answer-body.ts';
import { answerForm } from './csrf-token.ts';
import { type FoundApproval, findApproval } from './find-approval.ts';
import { busyAnswer, type FormCall, readForm, servedMs } from './form-request.ts';
import { faultAnswer, type HttpAnswer, jsonAnswer } from './http-answer.ts';
import type { PageContext } from './page-context.ts';
import { closedTexts } from './render-approval.ts';
import { countMiss, noSession } from './session.ts';
import { isEnd } from './typed-end.ts';

export interface AnswerCall extends FormCall {
  readonly approvalId: string;
}

interface Step extends AnswerCall {
  readonly found: FoundApproval;
  readonly body: AnswerBody;
}

export async function answerRequest(context: PageContext, call: AnswerCall): Promise<HttpAnswer> {
  const form = await readForm(context, call, answerBodySchema);
  if (!form.ok) return form.error;
  const body = form.value;
  const found = await findApproval(context, call.approvalId, call.session);
  if (found === undefined) return faultAnswer('NOT_FOUND');
  const step = { ...call, found, body };
  return (
    refuseBody(context, step) ?? (await refuseHaste(context, step)) ?? takeAnswer(context, step)
  );
}

function refuseBody(context: PageContext, step: Step): HttpAnswer | undefined {
  const { approval, detail, state } = step.found;
  const { body, session } = step;
  if (body.op_hash !== approval.opHash) return faultAnswer('EXECUTION_CHANGED', { state });
  if (pageTimeMs(context, step) === undefined) return faultAnswer('FORBIDDEN');
  const takesAnswer = state === 'REQUESTED' || (state === 'GRANTED' && body.verdict === 'reject');
  if (!takesAnswer) return faultAnswer('ENDED', { state });
  const proofs = [body.passcode, body.assertion].filter((proof) => proof !== undefined);
  // Without a session the passcode says who it is; a reject in a session needs no more than that.
  const isSilent = session !== undefined && body.verdict === 'reject' && proofs.length === 0;
  if (proofs.length !== 1 && !isSilent) return faultAnswer('BAD_REQUEST');
  if (body.verdict === 'reject') {
    return body.assertion === undefined ? undefined : faultAnswer('BAD_REQUEST');
  }
  if (session === undefined && (approval.level === 2 || body.assertion !== undefined)) {
    return faultAnswer('SIGN_IN_NEEDED');
  }
  const opened = new Set(body.opened);
  const isComplete = [...closedTexts(detail)].every((text) => opened.has(text));
  return isComplete ? undefined : faultAnswer('PREVIEW_INCOMPLETE');
}

function pageTimeMs(context: PageContext, step: Step): number | undefined {
  const { approvalId, opHash } = step.found.approval;
  return servedMs(context, step, { form: answerForm(approvalId, opHash), token: step.body.csrf });
}

/** Level 2: read for a while, and say for whom it is. */
async function refuseHaste(context: PageContext, step: Step): Promise<HttpAnswer | undefined> {
  const { found, body, session } = step;
  if (found.approval.level === 1 || body.verdict === 'reject' || session === undefined) {
    return undefined;
  }
  const openedMs = pageTimeMs(context, step) ?? 0;
  if (context.clock().nowMs < openedMs + context.dwellMs) return faultAnswer('TOO_FAST');
  const { typed } = found.detail;
  if (typed === undefined || isEnd(body.typed ?? '', typed.canonical)) return undefined;
  const isOver = await countMiss(context, session);
  if (!isOver) return faultAnswer('TYPED_WRONG');
  return faultAnswer('SESSION_ENDED', { headers: { 'Set-Cookie': noSession(context) } });
}

async function takeAnswer(context: PageContext, step: Step): Promise<HttpAnswer> {
  const { body, session, found } = step;
  const { person } = found;
  if (person === undefined) return faultAnswer('APPROVAL_NOT_ELIGIBLE');
  if (body.passcode !== undefined) {
    const refused = await refusePasscode(context, step, body.passcode);
    if (refused !== undefined) return refused;
    return record(context, step, { person: person.handle, assurance: 'passcode' });
  }
  if (body.assertion === undefined) {
    const assurance = session?.factor ?? 'passcode';
    return record(context, step, { person: person.handle, assurance });
  }
  const untilMs = context.limit.count(context.clock().nowMs);
  if (untilMs !== undefined) return busyAnswer(context, 'TOO_MANY_TRIES', untilMs);
  return record(context, step, { person: person.handle, assurance: 'passkey' });
}

async function refusePasscode(
  context: PageContext,
  { approvalId, found }: Step,
  passcode: string,
): Promise<HttpAnswer | undefined> {
  if (found.person === undefined) return faultAnswer('APPROVAL_NOT_ELIGIBLE');
  const verdict = await context.passcodes.check(found.person, passcode);
  if (verdict.kind === 'right') return undefined;
  context.log('warn', 'approval page: passcode not accepted', {
    approval: approvalId,
    verdict: verdict.kind,
  });
  if (verdict.kind === 'wrong') return faultAnswer('PASSCODE_WRONG');
  const code = verdict.kind === 'locked' ? 'PASSCODE_LOCKED' : 'TOO_MANY_TRIES';
  return busyAnswer(context, code, verdict.untilMs);
}

async function record(
  context: PageContext,
  { approvalId, body }: Step,
  who: { readonly person: string; readonly assurance: Assurance },
): Promise<HttpAnswer> {
  const result = await context.gateway.answerApproval({
    approvalId,
    opHash: body.op_hash,
    verdict: body.verdict,
    ...who,
    channel: 'page',
    reason: body.reason === '' ? undefined : body.reason,
    ...(body.assertion === undefined ? {} : { assertion: body.assertion }),
  });
  context.log('info', 'approval page: answered', {
    approval: approvalId,
    verdict: body.verdict,
    result: result.ok ? result.state : result.code,
  });
  return resultAnswer(result);
}

function resultAnswer(result: AnswerResult): HttpAnswer {
  if (result.ok) return jsonAnswer({ ok: true, state: result.state });
  return faultAnswer(result.code, result.state === undefined ? {} : { state: result.state });
}
