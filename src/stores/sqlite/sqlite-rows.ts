// The tables as the transactions of the contract read and write them.
import type { RecordChange } from '../../core/kept-record.ts';
import type { LeafDraft } from '../../core/leaf.ts';
import type { AppendStamp } from '../../core/log-append.ts';
import { findIllegalMove } from '../../core/moves/legal-writes.ts';
import type { AmendmentRows } from '../../core/moves/plan-amendment.ts';
import { type AnswerRows, rejectWindowMs } from '../../core/moves/plan-answer.ts';
import type { DecisionRows } from '../../core/moves/plan-decision.ts';
import type { ProposalDraft } from '../../core/moves/proposal-draft.ts';
import { noRepeat, type RepeatRows } from '../../core/moves/repeat-fact.ts';
import { noWrites, type Writes } from '../../core/moves/writes.ts';
import type {
  ApprovalRow,
  BudgetHold,
  BudgetRow,
  MandateRow,
  OperationRow,
} from '../../core/operation.ts';
import { nobody } from '../../core/person.ts';
import type { CheckDone, CheckJob, CheckWish } from '../check-job.ts';
import type { Rows } from '../rows.ts';
import { conflict, StoreError } from '../store.ts';
import type { NumberedOperation } from './operation-table.ts';
import type { Tables } from './tables.ts';

export class SqliteRows implements Rows {
  readonly #tables: Tables;
  readonly #stamp: AppendStamp;
  readonly #clockMs: number;

  constructor(tables: Tables, stamp: AppendStamp, clockMs: number) {
    this.#tables = tables;
    this.#stamp = stamp;
    this.#clockMs = clockMs;
  }

  get nowMs(): number {
    return this.#stamp.ts;
  }

  decisionRows(draft: ProposalDraft): DecisionRows {
    const { mandates } = this.#tables;
    const { mandate, openApprovals } = mandates.withOpenApprovals(draft.mandateId, this.nowMs);
    const repeat = this.#repeatRows(draft.fingerprint, mandate?.line ?? draft.mandateId);
    const { unresolved } = repeat;
    const ancestors = (mandate?.ancestors ?? []).map((line) => mandates.newestOf(line));
    return {
      nowMs: this.nowMs,
      clockBehindMs: this.nowMs - this.#clockMs,
      mandate,
      ancestors,
      ...this.#budgetsOf(mandate, ancestors),
      repeat,
      ...this.#onceHolder(draft.once),
      openApprovals,
      unresolvedReserved: unresolved === undefined ? [] : this.reserved(unresolved.opId),
    };
  }

  #budgetsOf(
    mandate: MandateRow | undefined,
    ancestors: readonly (MandateRow | undefined)[],
  ): Pick<DecisionRows, 'budgets' | 'aged'> {
    const table = this.#tables.budgets;
    const all = ancestors.length === 0 ? [mandate] : [mandate, ...ancestors];
    const budgets = all.flatMap((each) =>
      each === undefined ? [] : table.ofRoots(each, this.nowMs),
    );
    return { budgets, aged: table.aged(budgets, this.nowMs) };
  }

  #repeatRows(fingerprint: string | undefined, mandateLine: string): RepeatRows {
    // Reads have no fingerprint: they may be repeated.
    if (fingerprint === undefined || fingerprint === '') return noRepeat;
    const { operations } = this.#tables;
    const newest = operations.newest(fingerprint, mandateLine);
    if (newest === undefined) return noRepeat;
    return { newest: this.#newest(newest), ...operations.others(newest) };
  }

  #onceHolder(once: string | undefined): Pick<DecisionRows, 'once'> {
    const holder = once === undefined ? undefined : this.#tables.once.holder(once);
    return holder === undefined ? {} : { once: holder };
  }

  #newest({ n, row }: NumberedOperation): RepeatRows['newest'] {
    const { approvals, log } = this.#tables;
    log.rememberProposal(row.opId, n);
    // Only a question makes a level above 0.
    const approval = row.level === 0 ? undefined : approvals.byOperation(row.opId);
    const granted = approval?.state === 'GRANTED' ? log.payloadOf(n, 'decision') : {};
    const text = (field: string): string | undefined => granted[field] as string | undefined;
    const people = approval?.state === 'GRANTED' ? this.#tables.records.people() : undefined;
    return { operation: row, approval, preimage: text('preimage'), call: text('call'), people };
  }

  operation(opId: string): OperationRow | undefined {
    const found = this.#tables.operations.byId(opId);
    if (found !== undefined) this.#tables.log.rememberProposal(opId, found.n);
    return found?.row;
  }

  reserved(opId: string): readonly BudgetHold[] {
    return this.#tables.budgets.reserved(this.numberOf(opId));
  }

  budget(budgetId: string): BudgetRow | undefined {
    return this.#tables.budgets.byId(budgetId);
  }

  answerRows(approvalId: string): AnswerRows {
    const { approvals, mandates } = this.#tables;
    const approval = approvals.byId(approvalId);
    const { nowMs } = this;
    if (approval === undefined) {
      const none = { operation: undefined, mandate: undefined, recentRejects: 0, people: nobody };
      return { nowMs, approval, ...none };
    }
    const { opId, mandateId } = approval;
    return {
      nowMs,
      approval,
      operation: this.operation(opId),
      mandate: mandates.byId(mandateId),
      recentRejects: approvals.countRejects(mandateId, nowMs - rejectWindowMs),
      people: this.#tables.records.people(),
    };
  }

  amendmentRows(approvalId: string): AmendmentRows {
    const { approvals, history: table, drafts } = this.#tables;
    const { nowMs } = this;
    const approval = approvals.byId(approvalId);
    const operation = approval && this.operation(approval.opId);
    const history = operation && table.own(this.numberOf(operation.opId), operation.opId);
    if (operation === undefined || history === undefined) {
      return { nowMs, approval, operation, history: undefined, equal: [], drafts: [] };
    }
    const { mandateLine } = operation;
    return {
      nowMs,
      approval,
      operation,
      history,
      equal: table.equal(history, { mandateLine, nowMs }),
      drafts: drafts.ofRecipient(history.recipientKey, mandateLine),
    };
  }

  approvalOf(opId: string): ApprovalRow | undefined {
    return this.#tables.approvals.byOperation(opId);
  }

  dueApprovals(): readonly ApprovalRow[] {
    return this.#tables.approvals.due(this.nowMs);
  }

  mandate(mandateId: string): MandateRow | undefined {
    return this.#tables.mandates.byId(mandateId);
  }

  newestMandate(principal: string, agent: string): MandateRow | undefined {
    return this.#tables.mandates.newest(principal, agent);
  }

  orphans(liveProcesses: readonly string[]): readonly OperationRow[] {
    const live = new Set<string | undefined>(liveProcesses);
    return this.#tables.operations
      .inState('DISPATCHING')
      .map(({ row }) => row)
      .filter((row) => !live.has(row.owner));
  }

  apply(writes: Writes): void {
    const illegal = findIllegalMove(writes);
    if (illegal !== undefined) throw new StoreError('ILLEGAL_MOVE', `no such move: ${illegal}`);
    const { log, operations, budgets, once, history, denials, drafts } = this.#tables;
    log.announce(writes.leaves);
    this.#applyMandates(writes);
    for (const row of writes.insertOperations) operations.insert(this.numberOf(row.opId), row);
    for (const row of writes.insertHistory) history.insert(this.numberOf(row.opId), row);
    for (const move of writes.moveOperations) operations.move(this.numberOf(move.to.opId), move);
    for (const take of writes.takeOnce) once.take(take);
    for (const denial of writes.countDenials) denials.count(denial);
    for (const draft of writes.insertDrafts) drafts.insert(draft);
    for (const opId of writes.tellOperations) {
      if (!operations.tell(this.numberOf(opId))) throw noOperation(opId);
    }
    this.#applyApprovals(writes);
    for (const aged of writes.ageBudgets) budgets.age(aged);
    for (const move of writes.budgetMoves) budgets.move(this.numberOf(move.opId), move);
    for (const mark of writes.markBudgets) budgets.mark(mark);
    log.append(writes.leaves, this.#stamp);
  }

  /** Marks a final state, or the end of its request, as told. Nothing moves, so no leaf is written. */
  tell(opId: string): void {
    const n = this.#tables.log.proposalOf(opId);
    if (n === undefined) return;
    this.#tables.operations.tell(n);
    this.#tables.approvals.tellOfOperation(opId);
  }

  /** Throws `STORE_CONFLICT` when a document is not what was read. */
  changeRecords(changes: readonly RecordChange[], leaves: readonly LeafDraft[]): void {
    const { records } = this.#tables;
    records.forgetExpired(this.nowMs);
    if (!changes.every((change) => records.change(change))) throw conflict('a document');
    this.apply({ ...noWrites, leaves });
  }

  claimCheck(wish: CheckWish, processId: string): CheckJob | undefined {
    return this.#tables.checks.claim(wish, { processId, nowMs: this.nowMs });
  }

  finishCheck(done: CheckDone, processId: string): boolean {
    const state = this.#tables.checks.finish(this.numberOf(done.opId), done, processId);
    if (state !== 'UNKNOWN') return false;
    this.apply({ ...noWrites, leaves: done.leaves });
    return true;
  }

  #applyMandates({ insertMandates, putBudgets, updateMandates }: Writes): void {
    const { mandates, budgets } = this.#tables;
    for (const row of updateMandates) mandates.update(row);
    for (const row of insertMandates) mandates.insert(row);
    for (const terms of putBudgets) budgets.put(terms);
  }

  #applyApprovals({ insertApprovals, moveApprovals, tellApprovals }: Writes): void {
    const { approvals } = this.#tables;
    for (const row of insertApprovals) approvals.insert(row);
    for (const move of moveApprovals) approvals.move(move);
    for (const id of tellApprovals) approvals.tell(id);
  }

  /** Number of an operation: `seq` of its proposal leaf. */
  numberOf(opId: string): number {
    const n = this.#tables.log.proposalOf(opId);
    if (n === undefined) throw noOperation(opId);
    return n;
  }
}

function noOperation(opId: string): StoreError {
  return new StoreError('STORE_CONFLICT', `no operation \`${opId}\``);
}
