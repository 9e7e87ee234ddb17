// Rows in memory as the transactions of the contract read and write them.
import { type AnswerRows, isOpen, rejectWindowMs } from '../core/moves/plan-answer.ts';
import type { DecisionRows } from '../core/moves/plan-decision.ts';
import type { ProposalDraft } from '../core/moves/proposal-draft.ts';
import { noRepeat, type RepeatRows } from '../core/moves/repeat-fact.ts';
import type { Writes } from '../core/moves/writes.ts';
import type { ApprovalRow, BudgetRow, MandateRow, OperationRow } from '../core/operation.ts';
import { applyWrites } from './apply-writes.ts';
import { type RowLog, type RowTables, repeatKey } from './row-tables.ts';
import type { Reservation, Rows } from './rows.ts';
import type { BudgetSum } from './store.ts';

export class TableRows implements Rows {
  readonly #tables: RowTables;
  readonly #log: RowLog;

  constructor(tables: RowTables, log: RowLog) {
    this.#tables = tables;
    this.#log = log;
  }

  get nowMs(): number {
    return this.#log.nowMs;
  }

  decisionRows(draft: ProposalDraft): DecisionRows {
    const mandate = this.#tables.mandates.get(draft.mandateId);
    const repeat = this.#repeatRows(draft.fingerprint, mandate?.line ?? draft.mandateId);
    return {
      nowMs: this.nowMs,
      mandate,
      budgets: mandate === undefined ? [] : budgetsOf(this.#tables, mandate.budgetRoot),
      repeat,
      ...this.#onceHolder(draft.once),
      openApprovals: openApprovalsOf(this.#tables, draft.mandateId, this.nowMs).length,
      unresolvedReserved:
        repeat.unresolved === undefined ? [] : this.reserved(repeat.unresolved.opId),
    };
  }

  #repeatRows(fingerprint: string | undefined, mandateLine: string): RepeatRows {
    // Reads have no fingerprint: they may be repeated.
    if (fingerprint === undefined || fingerprint === '') return noRepeat;
    const { repeats, operations } = this.#tables;
    const found = repeats.get(repeatKey(fingerprint, mandateLine));
    if (found === undefined) return noRepeat;
    const row = (opId: string | undefined): OperationRow | undefined =>
      opId === undefined ? undefined : operations.get(opId);
    return {
      newest: this.#newest(found.newest),
      unresolved: row(lastOf(found.unresolved)),
      untold: row(lastOf(found.untold)),
      success: row(found.success),
    };
  }

  #onceHolder(once: string | undefined): Pick<DecisionRows, 'once'> {
    const holder = once === undefined ? undefined : this.#tables.once.get(once);
    if (holder === undefined) return {};
    const { opId } = holder;
    return { once: { opId, state: this.operation(opId)?.state ?? holder.state } };
  }

  #newest(opId: string): RepeatRows['newest'] {
    const operation = this.operation(opId);
    if (operation === undefined) return undefined;
    const approval = this.approvalOf(opId);
    const isGranted = approval?.state === 'GRANTED';
    return {
      operation,
      approval,
      preimage: isGranted ? this.#log.decisionText(opId, 'preimage') : undefined,
      call: isGranted ? this.#log.decisionText(opId, 'call') : undefined,
    };
  }

  operation(opId: string): OperationRow | undefined {
    return this.#tables.operations.get(opId);
  }

  reserved(opId: string): readonly Reservation[] {
    return this.#tables.reserved.get(opId) ?? [];
  }

  answerRows(approvalId: string): AnswerRows {
    const { approvals, operations, mandates } = this.#tables;
    const approval = approvals.get(approvalId);
    return {
      nowMs: this.nowMs,
      approval,
      operation: approval && operations.get(approval.opId),
      mandate: approval && mandates.get(approval.mandateId),
      recentRejects: approval === undefined ? 0 : this.#recentRejects(approval.mandateId),
    };
  }

  #recentRejects(mandateId: string): number {
    const sinceMs = this.nowMs - rejectWindowMs;
    let count = 0;
    for (const approval of this.#tables.approvals.values()) {
      if (approval.mandateId !== mandateId || approval.state !== 'REJECTED') continue;
      if ((approval.endedMs ?? 0) > sinceMs) count += 1;
    }
    return count;
  }

  approvalOf(opId: string): ApprovalRow | undefined {
    const approvalId = this.#tables.approvalIdOf.get(opId);
    return approvalId === undefined ? undefined : this.#tables.approvals.get(approvalId);
  }

  dueApprovals(): readonly ApprovalRow[] {
    return openApprovals(this.#tables).filter((approval) => approval.expiresMs <= this.nowMs);
  }

  mandate(mandateId: string): MandateRow | undefined {
    return this.#tables.mandates.get(mandateId);
  }

  newestMandate(principal: string, agent: string): MandateRow | undefined {
    return [...this.#tables.mandates.values()].findLast(
      (mandate) => mandate.principal === principal && mandate.agent === agent,
    );
  }

  orphans(liveProcesses: readonly string[]): readonly OperationRow[] {
    const live = new Set<string | undefined>(liveProcesses);
    return [...this.#tables.operations.values()].filter(
      ({ state, owner }) => state === 'DISPATCHING' && !live.has(owner),
    );
  }

  apply(writes: Writes): void {
    applyWrites(this.#tables, writes, this.#log);
  }
}

/** Both budgets of a mandate and of those it amends. */
export function budgetsOf(tables: RowTables, budgetRoot: string): readonly BudgetRow[] {
  return (['amount', 'calls'] as const).flatMap(
    (kind) => tables.budgets.get(`${budgetRoot}/${kind}`) ?? [],
  );
}

/** What is spent has no entries here: it is what it is. */
export function budgetSums(tables: RowTables): readonly BudgetSum[] {
  const held = [...tables.reserved.values()].flat();
  return [...tables.budgets.values()].map((budget) => ({
    budget,
    reserved: held
      .filter(({ budgetId }) => budgetId === budget.budgetId)
      .reduce((sum, { amount }) => sum + amount, 0),
    spent: budget.spent,
  }));
}

/** Requests of one mandate that somebody could still answer or use. */
export function openApprovalsOf(
  tables: RowTables,
  mandateId: string,
  nowMs: number,
): readonly ApprovalRow[] {
  return openApprovals(tables).filter(
    (approval) => approval.mandateId === mandateId && nowMs < approval.expiresMs,
  );
}

function openApprovals(tables: RowTables): readonly ApprovalRow[] {
  return [...tables.openApprovals].flatMap((id) => tables.approvals.get(id) ?? []).filter(isOpen);
}

function lastOf(set: ReadonlySet<string>): string | undefined {
  return [...set].at(-1);
}
