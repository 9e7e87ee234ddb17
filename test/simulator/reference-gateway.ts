// A slow, obvious gateway: no leaves, no policies, no lookups, one thing after the other. It is told
// each committed transaction and says how every row must stand now and what must have been answered.
// Nothing here is shared with the product but the names of states and codes.

import { ReferenceChecks } from './reference-checks.ts';
import type {
  Expected,
  ReferenceApproval,
  ReferenceMandate,
  ReferenceOperation,
  Situation,
  Waiting,
} from './reference-rows.ts';
import { certainState, chargeOf, isAbsentForGood, isOpen, isToolError } from './reference-rules.ts';
import { freshRow, refusedByHolder, situationOf } from './reference-situation.ts';
import {
  simAction,
  simApprovalMs,
  simAttemptMs,
  simOpenApprovalsMax,
  simPrincipal,
} from './sim-calls.ts';
import type { StoreEvent } from './store-call.ts';

type Event<Kind extends StoreEvent['kind']> = Extract<StoreEvent, { kind: Kind }>;

const rejectBlockMs = 10 * 60_000;
const rejectWindowMs = 60 * 60_000;

export class ReferenceGateway {
  operations: ReadonlyMap<string, ReferenceOperation> = new Map();
  approvals: ReadonlyMap<string, ReferenceApproval> = new Map();
  mandates: ReadonlyMap<string, ReferenceMandate> = new Map();
  readonly #checks = new ReferenceChecks();
  /** By decision. */
  expected: ReadonlyMap<string, Expected> = new Map();

  /** Remembers everything as it is now; the result puts it back. */
  keep(): () => void {
    const { operations, approvals, mandates, expected } = this;
    const undoChecks = this.#checks.keep();
    return () => {
      Object.assign(this, { operations, approvals, mandates, expected });
      undoChecks();
    };
  }

  /** Returns what the transaction must have answered, in one line. */
  apply(event: StoreEvent, nowMs: number): string {
    switch (event.kind) {
      case 'start':
      case 'heartbeat':
        return this.#bury(event, nowMs);
      case 'join':
        return this.#join(event, nowMs);
      case 'decide':
        return this.#decide(event, nowMs);
      case 'finish':
        return this.#finish(event, nowMs);
      case 'reconcile':
        return this.#reconcile(event, nowMs);
      case 'resend':
        return this.#resend(event, nowMs);
      case 'claim':
        return this.#checks.claim(this.operations, event, nowMs);
      case 'checked':
        return this.#checks.checked(this.operations, event);
      case 'answer':
        return this.#answer(event, nowMs);
      case 'cancel':
        return this.#cancel(event, nowMs);
      case 'expire':
        return this.#expire(nowMs);
      case 'suspend':
        this.#putMandate(event.mandateId, { status: 'suspended' });
        return 'suspended';
      case 'resume':
        return this.#resume(event);
      case 'read operation':
      case 'read budgets':
        return '';
    }
  }

  /** What is used of a budget: by what is known to have happened, and by what may have. */
  used(
    root: string,
    kind: 'amount' | 'calls',
  ): { readonly reserved: number; readonly spent: number } {
    const sum = (states: readonly string[]): number =>
      [...this.operations.values()]
        .filter((each) => each.root === root && states.includes(each.state))
        .reduce((total, each) => total + chargeOf(each, kind), 0);
    return { reserved: sum(['DISPATCHING', 'UNKNOWN']), spent: sum(['SUCCEEDED']) };
  }

  #put(opId: string, change: Partial<ReferenceOperation>): void {
    const row = { ...this.operations.get(opId), ...change } as ReferenceOperation;
    this.operations = new Map(this.operations).set(opId, row);
  }

  #putApproval(approvalId: string, change: Partial<ReferenceApproval>): void {
    const row = { ...this.approvals.get(approvalId), ...change } as ReferenceApproval;
    this.approvals = new Map(this.approvals).set(approvalId, row);
  }

  #putMandate(mandateId: string, change: Partial<ReferenceMandate>): void {
    const row = { ...this.mandates.get(mandateId), ...change } as ReferenceMandate;
    this.mandates = new Map(this.mandates).set(mandateId, row);
  }

  /** What dead processes left, and silent ones when nothing can come any more: nobody knows, but a read has nothing to know. */
  #bury({ standing: { live, silent } }: Event<'start' | 'heartbeat'>, nowMs: number): string {
    const lost = [...this.operations.values()].filter(({ state, owner = '', deadlineMs }) => {
      const isAwaited = silent.includes(owner) && nowMs < deadlineMs;
      return state === 'DISPATCHING' && !live.includes(owner) && !isAwaited;
    });
    for (const { opId, action } of lost) {
      const state = simAction(action).effect === 'read' ? 'FAILED' : 'UNKNOWN';
      this.#put(opId, { state, outcome: 'AMBIGUOUS', told: true, movedMs: nowMs });
    }
    const unknown = lost.filter(({ action }) => simAction(action).effect === 'write');
    return `unknown: ${unknown.map(({ opId }) => opId).join()}`;
  }

  #join({ draft }: Event<'join'>, nowMs: number): string {
    const newest = [...this.mandates.values()].at(-1);
    if (newest?.status === 'suspended') return newest.mandateId;
    if (newest !== undefined && nowMs < newest.expiresMs) return newest.mandateId;
    if (newest !== undefined) this.#putMandate(newest.mandateId, { status: 'superseded' });
    const { mandateId } = draft;
    this.#putMandate(mandateId, {
      mandateId,
      line: newest?.line ?? mandateId,
      root: mandateId,
      status: 'active',
      expiresMs: nowMs + draft.validForMs,
      limits: Object.fromEntries(draft.budgets.map(({ kind, limit }) => [kind, limit])),
    });
    return mandateId;
  }

  #resume({ mandateId }: Event<'resume'>): string {
    if (this.mandates.get(mandateId)?.status !== 'suspended') return 'nothing';
    this.#putMandate(mandateId, { status: 'active' });
    return mandateId;
  }

  #decide({ draft }: Event<'decide'>, nowMs: number): string {
    const { opId } = draft;
    const found = situationOf(this, draft, nowMs);
    const refused = this.#refusedAtOnce(found);
    if (refused === undefined && found.untold !== undefined) {
      this.#endWaiting(found, true);
      this.#put(found.untold.opId, { told: true });
      this.#expect(opId, { kind: 'told', opId: found.untold.opId });
      return `deny EXECUTION_DUPLICATE tells ${found.untold.opId}`;
    }
    const code =
      refused ??
      this.#refusedByQuestion(found) ??
      refusedByHolder(found) ??
      this.#refusedByLimits(found);
    if (code !== undefined) {
      this.#endWaiting(found, false);
      this.#expect(opId, { kind: 'denied', code });
      return `deny ${code}`;
    }
    if (found.waiting !== undefined) return this.#goOn(found, found.waiting);
    return this.#asks(found) ? this.#ask(found) : this.#dispatch(found);
  }

  /** The mandate, and calls that may be under way. */
  #refusedAtOnce({ mandate, nowMs, unresolved }: Situation): string | undefined {
    if (mandate.status === 'superseded') return 'AUTHN_MANDATE_REVOKED';
    if (mandate.status === 'suspended') return 'AUTHN_MANDATE_SUSPENDED';
    if (nowMs >= mandate.expiresMs) return 'AUTHN_TOKEN_EXPIRED';
    const isInTheWay = unresolved !== undefined && !isToolError(unresolved);
    return isInTheWay ? 'EXECUTION_DUPLICATE' : undefined;
  }

  /** A question that is over or about something else; a reject holds ten minutes, another end is told once. */
  #refusedByQuestion({ draft, newest, question, waiting, nowMs }: Situation): string | undefined {
    if (waiting !== undefined) {
      if (nowMs >= waiting.question.expiresMs) return 'APPROVAL_EXPIRED';
      const isChanged = draft.binding.definition !== waiting.operation.definition;
      return waiting.question.state === 'GRANTED' && isChanged ? 'EXECUTION_CHANGED' : undefined;
    }
    if (newest?.state !== 'CLOSED' || question === undefined) return undefined;
    const { state, told, endedMs, approvalId } = question;
    const isRejected = state === 'REJECTED' && nowMs < endedMs + rejectBlockMs;
    const isUntold = !told && (state === 'EXPIRED' || state === 'VOIDED');
    if (!isRejected && !isUntold) return undefined;
    this.#putApproval(approvalId, { told: true });
    if (isRejected) return 'APPROVAL_REJECTED';
    return state === 'EXPIRED' ? 'APPROVAL_EXPIRED' : 'EXECUTION_CHANGED';
  }

  #refusedByLimits(found: Situation): string | undefined {
    const { mandate, draft, amount, nowMs, waiting } = found;
    const charge = chargeOf({ action: draft.action, amount }, 'amount');
    if (charge > 0 && !this.#holds(mandate, 'amount', charge)) return 'BUDGET_AMOUNT';
    if (!this.#holds(mandate, 'calls', 1)) return 'BUDGET_CALLS';
    if (waiting !== undefined || !this.#asks(found)) return undefined;
    const open = [...this.approvals.values()].filter(
      (each) => each.mandateId === mandate.mandateId && isOpen(each) && nowMs < each.expiresMs,
    );
    return open.length >= simOpenApprovalsMax ? 'APPROVAL_TOO_MANY' : undefined;
  }

  #asks({ draft, amount, unresolved, success, nowMs }: Situation): boolean {
    const { asksFrom, duplicateWindowMs } = simAction(draft.action);
    const isRepeat = success !== undefined && nowMs < success.movedMs + duplicateWindowMs;
    // What is unresolved and no refusal is a tool error: a person saw it.
    return amount >= asksFrom || isRepeat || unresolved !== undefined;
  }

  /** The question is open, or it was granted: then the grant is used up, and what failed before it is settled. */
  #goOn({ draft, nowMs, unresolved }: Situation, { operation, question }: Waiting): string {
    const { opId, attempt } = operation;
    if (question.state !== 'GRANTED') {
      this.#expect(draft.opId, { kind: 'pending', opId });
      return `ask ${opId}`;
    }
    if (unresolved !== undefined) this.#put(unresolved.opId, { state: 'FAILED', movedMs: nowMs });
    const { owner } = draft;
    const sent = { owner, movedMs: nowMs, firstSentMs: nowMs, deadlineMs: nowMs + simAttemptMs };
    this.#put(opId, { state: 'DISPATCHING', attempt: attempt + 1, ...sent });
    this.#putApproval(question.approvalId, { state: 'CONSUMED', told: true });
    this.#expect(draft.opId, { kind: 'dispatched', opId });
    return `dispatch ${opId}`;
  }

  #dispatch(found: Situation): string {
    const { draft, nowMs } = found;
    const { opId, owner } = draft;
    const sent = { owner, movedMs: nowMs, firstSentMs: nowMs, deadlineMs: nowMs + simAttemptMs };
    this.#put(opId, { ...freshRow(found), state: 'DISPATCHING', attempt: 1, ...sent });
    this.#expect(opId, { kind: 'dispatched', opId });
    return `dispatch ${opId}`;
  }

  #ask(found: Situation): string {
    const { draft, nowMs, mandate } = found;
    const { opId, approvalId } = draft;
    const row = { state: 'ASKING', attempt: 0, owner: undefined, movedMs: nowMs };
    this.#put(opId, { ...freshRow(found), ...row });
    this.#putApproval(approvalId, {
      approvalId,
      opId,
      mandateId: mandate.mandateId,
      state: 'REQUESTED',
      expiresMs: Math.min(nowMs + simApprovalMs, mandate.expiresMs),
      endedMs: 0,
      told: false,
    });
    this.#expect(opId, { kind: 'pending', opId });
    return `ask ${opId}`;
  }

  #expect(decisionId: string, expected: Expected): void {
    this.expected = new Map(this.expected).set(decisionId, expected);
  }

  /** A refusal uses up what it met: a grant is void, and so is a question that a success answers. */
  #endWaiting({ waiting, nowMs }: Situation, isPointless: boolean): void {
    if (waiting === undefined) return;
    const { operation, question } = waiting;
    const isOver = nowMs >= question.expiresMs;
    if (!isOver && !isPointless && question.state !== 'GRANTED') return;
    const state = isOver ? 'EXPIRED' : 'VOIDED';
    this.#putApproval(question.approvalId, { state, endedMs: nowMs, told: true });
    this.#put(operation.opId, { state: 'CLOSED', movedMs: nowMs });
  }

  #holds(mandate: ReferenceMandate, kind: 'amount' | 'calls', charge: number): boolean {
    const { reserved, spent } = this.used(mandate.root, kind);
    return reserved + spent + charge <= (mandate.limits[kind] ?? 0);
  }

  #finish({ report }: Event<'finish'>, nowMs: number): string {
    const row = this.operations.get(report.opId);
    if (row === undefined) return 'late UNKNOWN';
    const certain = certainState(row, report);
    const isOwn =
      row.state === 'DISPATCHING' && row.attempt === report.attempt && row.owner === report.owner;
    const { told } = report;
    const outcome = report.class;
    if (isOwn) {
      const isRead = simAction(row.action).effect === 'read';
      const state = certain ?? (isRead ? 'FAILED' : 'UNKNOWN');
      this.#put(report.opId, { state, outcome, told, movedMs: nowMs });
      return state;
    }
    const isAbout =
      certain === 'SUCCEEDED' ? report.attempt <= row.attempt : report.attempt === row.attempt;
    if (row.state !== 'UNKNOWN' || !isAbout || certain === undefined) return `late ${row.state}`;
    this.#put(report.opId, { state: certain, outcome, told, movedMs: nowMs });
    return `late ${certain}`;
  }

  #reconcile({ finding }: Event<'reconcile'>, nowMs: number): string {
    const row = this.operations.get(finding.opId);
    if (row?.state !== 'UNKNOWN') return `not unknown: ${row?.state}`;
    if ((finding.attempt ?? row.attempt) !== row.attempt) return 'not unknown: UNKNOWN';
    if (finding.finding === 'absent' && !isAbsentForGood(row, finding.lookedMs ?? nowMs)) {
      return 'not unknown: UNKNOWN';
    }
    const state = finding.finding === 'succeeded' ? 'SUCCEEDED' : 'FAILED';
    this.#put(finding.opId, { state, told: finding.isTold, movedMs: nowMs });
    return state;
  }

  #resend({ request }: Event<'resend'>, nowMs: number): string {
    const row = this.operations.get(request.opId);
    if (row?.state !== 'UNKNOWN' || row.attempt !== request.attempt) return 'refused: moved';
    const why = this.#notAgain(row, request.because, nowMs);
    if (why !== undefined) return `refused: ${why}`;
    const { owner } = request;
    const attempt = row.attempt + 1;
    const sent = { owner, movedMs: nowMs, deadlineMs: nowMs + simAttemptMs, told: true };
    this.#put(row.opId, { state: 'DISPATCHING', attempt, ...sent });
    return `attempt ${attempt}`;
  }

  #notAgain(row: ReferenceOperation, because: string, nowMs: number): string | undefined {
    const { keyLifetimeMs } = simAction(row.action);
    if (keyLifetimeMs === undefined) return 'not_idempotent';
    if (row.attempt >= 3) return 'attempts';
    if (nowMs - row.firstSentMs >= (keyLifetimeMs * 9) / 10) return 'lifetime';
    const mandate = this.mandates.get(row.mandateId);
    if (mandate?.status !== 'active' || nowMs >= mandate.expiresMs) return 'mandate';
    return because === 'absent' && !isAbsentForGood(row, nowMs) ? 'absence' : undefined;
  }

  #answer({ answer }: Event<'answer'>, nowMs: number): string {
    const question = this.approvals.get(answer.approvalId);
    if (question === undefined) return 'NOT_FOUND';
    const { approvalId, opId, mandateId, state } = question;
    const end = (how: string, told: boolean): void => {
      this.#putApproval(approvalId, { state: how, endedMs: nowMs, told });
      this.#put(opId, { state: 'CLOSED', movedMs: nowMs });
    };
    if (isOpen(question) && nowMs >= question.expiresMs) {
      end('EXPIRED', false);
      return 'ENDED EXPIRED';
    }
    if (!isOpen(question)) return `ENDED ${state}`;
    if (answer.opHash === 'changed') return `EXECUTION_CHANGED ${state}`;
    if (answer.person !== simPrincipal) return `APPROVAL_NOT_ELIGIBLE ${state}`;
    if (answer.verdict === 'approve') {
      if (state === 'GRANTED') return 'ENDED GRANTED';
      this.#putApproval(approvalId, { state: 'GRANTED' });
      return 'GRANTED';
    }
    const rejects = [...this.approvals.values()].filter(
      (each) =>
        each.mandateId === mandateId &&
        each.state === 'REJECTED' &&
        each.endedMs > nowMs - rejectWindowMs,
    );
    end('REJECTED', false);
    const isThird = rejects.length + 1 >= 3;
    if (isThird && this.mandates.get(mandateId)?.status === 'active') {
      this.#putMandate(mandateId, { status: 'suspended' });
    }
    return 'REJECTED';
  }

  #cancel({ opId }: Event<'cancel'>, nowMs: number): string {
    const question = [...this.approvals.values()].find((each) => each.opId === opId);
    if (question === undefined || !isOpen(question)) return 'nothing';
    this.#putApproval(question.approvalId, { state: 'CANCELLED', endedMs: nowMs });
    this.#put(opId, { state: 'CLOSED', movedMs: nowMs });
    return 'CANCELLED';
  }

  #expire(nowMs: number): string {
    const due = [...this.approvals.values()].filter(
      (each) => isOpen(each) && each.expiresMs <= nowMs,
    );
    for (const { approvalId, opId } of due) {
      this.#putApproval(approvalId, { state: 'EXPIRED', endedMs: nowMs });
      this.#put(opId, { state: 'CLOSED', movedMs: nowMs });
    }
    return due.map(({ approvalId }) => approvalId).join();
  }
}
