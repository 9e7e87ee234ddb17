// Holding one call while a person is asked: by a form or a link in the client where it has one, on
// the page in any case, whichever answers first. The wait is short; the question stays open longer.
import type { AnswerReport, PendingApproval } from '../gateway/gateway.ts';
import { judgeForm, type Question, questionParams } from './approval-form.ts';
import type { ClientRequest } from './client-requests.ts';
import type { Exchange } from './exchange.ts';
import type { ProxyContext } from './proxy-context.ts';
import type { Session } from './session.ts';

/** People get this long for a form, but never longer than the approval lives. */
const formMaxMs = 600_000;
const holdMaxSeconds = 45;

export interface ApprovalHoldOptions {
  readonly context: ProxyContext;
  readonly exchange: Exchange;
  readonly session: Session;
  readonly approval: PendingApproval;
  /** Put before the person by this call. */
  readonly question: Question;
  /** A person was asked already, so the longer wait is due. */
  readonly isAsked: boolean;
}

export class ApprovalHold {
  readonly #options: ApprovalHoldOptions;

  constructor(options: ApprovalHoldOptions) {
    this.#options = options;
  }

  /** True when the question is decided, either way; false when the client gets a pending answer. */
  async wait(report: AnswerReport): Promise<boolean> {
    const { context, exchange, session, approval, question, isAsked } = this.#options;
    const { waitSeconds, formWaitSeconds } = context.approvals;
    const isWaitLong = isAsked || question.kind !== 'none';
    const seconds = Math.min(isWaitLong ? formWaitSeconds : waitSeconds, holdMaxSeconds);
    if (question.kind !== 'none') this.#ask(question);
    if (seconds <= 0) return false;
    const { approvalId } = approval;
    session.questions.hold(approvalId);
    const reminder = this.#remind();
    const { gateway } = context;
    const state = await gateway.waitForApproval(approvalId, seconds * 1000, exchange.signal);
    clearInterval(reminder);
    const isLast = session.questions.release(approvalId);
    const isDecided = state !== undefined && state !== 'REQUESTED';
    if (isDecided) this.#settleQuestion();
    else if (exchange.isTakenBack && isLast) await this.#takeBack(report);
    return isDecided;
  }

  /** Answered on the page: a form would ask for nothing, and a client that opened the link may go on. */
  #settleQuestion(): void {
    const { session, approval, question } = this.#options;
    const { approvalId } = approval;
    session.questions.form(approvalId)?.withdraw();
    if (question.kind !== 'link') return;
    session.requests.tell('notifications/elicitation/complete', { elicitationId: approvalId });
  }

  async #takeBack({ opId }: AnswerReport): Promise<void> {
    const { context, session, approval } = this.#options;
    session.questions.form(approval.approvalId)?.withdraw();
    if (opId !== undefined) await context.gateway.cancelApproval(opId, 'client');
  }

  #ask(question: Exclude<Question, { kind: 'none' }>): void {
    const { context, exchange, session, approval } = this.#options;
    if (session.questions.form(approval.approvalId) !== undefined) return;
    const params = questionParams(question, approval, exchange.request.client.revision);
    const timeoutMs = Math.min(formMaxMs, approval.expiresMs - context.nowMs());
    const form = session.requests.ask('elicitation/create', params, Math.max(timeoutMs, 0));
    session.questions.show(approval.approvalId, form);
    // Opening a link answers nothing: the page does.
    if (question.kind === 'form') void this.#takeAnswer(form);
  }

  async #takeAnswer(form: ClientRequest): Promise<void> {
    const { context, approval } = this.#options;
    const reply = await form.reply;
    const verdict = reply.kind === 'result' ? judgeForm(reply.result, reply.afterMs) : 'none';
    if (verdict === 'none') {
      if (reply.kind !== 'withdrawn') {
        context.log('info', `form of approval ${approval.approvalId}: no answer (${reply.kind})`);
      }
      return;
    }
    const answered = await context.gateway.answerApproval({
      approvalId: approval.approvalId,
      opHash: approval.opHash,
      verdict,
      person: context.principal,
      assurance: 'elicitation',
      channel: 'elicitation',
      reason: undefined,
    });
    if (!answered.ok) {
      context.log(
        'info',
        `form of approval ${approval.approvalId}: came too late (${answered.code})`,
      );
    }
  }

  // No values: a progress message may be shown to anybody.
  #remind(): NodeJS.Timeout | undefined {
    const { context, exchange } = this.#options;
    if (!exchange.hasProgressToken) return undefined;
    let count = 0;
    return setInterval(() => {
      count += 1;
      // Far below any progress of the server, which must still rise above it.
      exchange.progress({ progress: count / 1e9, message: 'waiting for a person to confirm' });
    }, context.approvals.reminderSeconds * 1000);
  }
}
