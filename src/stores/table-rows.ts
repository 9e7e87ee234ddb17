// Rows in memory as the transactions of the contract read and write them.

import type { AmendmentRows } from '../core/moves/plan-amendment.ts';
import { type AnswerRows, isOpen, rejectWindowMs } from '../core/moves/plan-answer.ts';
import type { DecisionRows } from '../core/moves/plan-decision.ts';
import type { ProposalDraft } from '../core/moves/proposal-draft.ts';
import { noRepeat, type RepeatRows } from '../core/moves/repeat-fact.ts';
import type { Writes } from '../core/moves/writes.ts';
import type {
  AgedEntries,
  ApprovalRow,
  BudgetHold,
  BudgetRow,
  MandateRow,
  OperationRow,
} from '../core/operation.ts';
import { type People, readPeople } from '../core/person.ts';
import { applyWrites } from './apply-writes.ts';
import { hasAged } from './changed-ledger.ts';
import { type RowLog, type RowTables, repeatKey } from './row-tables.ts';
import type { Rows } from './rows.ts';
import { type BudgetSum, conflict } from './store.ts';
import { amendmentRows } from './table-history.ts';

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
    const ancestors = (mandate?.ancestors ?? []).map((line) => this.#newestOf(line));
    const budgets = this.#budgetsOf([mandate, ...ancestors]);
    return {
      nowMs: this.nowMs,
      clockBehindMs: this.#log.clockBehindMs,
      mandate,
      ancestors,
      budgets,
      aged: budgets.flatMap((budget) => this.aged(budget) ?? []),
      repeat,
      ...this.#onceHolder(draft.once),
      openApprovals: openApprovalsOf(this.#tables, draft.mandateId, this.nowMs).length,
      unresolvedReserved:
        repeat.unresolved === undefined ? [] : this.reserved(repeat.unresolved.opId),
    };
  }

  #newestOf(line: string): MandateRow | undefined {
    return [...this.#tables.mandates.values()].findLast((mandate) => mandate.line === line);
  }

  /** With the periods of calendar windows that are not over. */
  #budgetsOf(mandates: readonly (MandateRow | undefined)[]): readonly BudgetRow[] {
    const roots = new Set(mandates.flatMap((each) => (each ? [each.budgetRoot, each.line] : [])));
    return [...this.#tables.budgets.values()].filter(
      ({ budgetRoot, endsMs }) =>
        roots.has(budgetRoot) && (endsMs === undefined || endsMs > this.nowMs),
    );
  }

  /** What has aged of one counter. */
  protected aged({ budgetId, window }: BudgetRow): AgedEntries | undefined {
    if (window.kind !== 'rolling') return undefined;
    return agedOf(this.#tables, budgetId, this.nowMs);
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
      people: isGranted ? this.#people() : undefined,
    };
  }

  operation(opId: string): OperationRow | undefined {
    return this.#tables.operations.get(opId);
  }

  reserved(opId: string): readonly BudgetHold[] {
    return (this.#tables.reserved.get(opId) ?? []).map(({ budgetId, amount }) => {
      const budget = this.budget(budgetId);
      if (budget === undefined) throw conflict(`budget ${budgetId}`);
      const used = budget.reserved + budget.spent;
      return { budgetId, amount, kind: budget.kind, used };
    });
  }

  budget(budgetId: string): BudgetRow | undefined {
    return this.#tables.budgets.get(budgetId);
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
      people: this.#people(),
    };
  }

  #people(): People {
    return readPeople([...this.#tables.records.values()]);
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

  amendmentRows(approvalId: string): AmendmentRows {
    return amendmentRows(this.#tables, approvalId, this.nowMs);
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

/** Entries of one counter that count no longer; undefined when there are none. */
function agedOf(tables: RowTables, budgetId: string, nowMs: number): AgedEntries | undefined {
  const aged = (tables.spent.get(budgetId) ?? []).filter((entry) => hasAged(entry, nowMs));
  if (aged.length === 0) return undefined;
  return { budgetId, untilMs: nowMs, entries: aged.length, amount: sumOf(aged) };
}

/** Of every counter that has any. */
export function agedEntries(tables: RowTables, nowMs: number): readonly AgedEntries[] {
  return [...tables.spent.keys()].flatMap((budgetId) => agedOf(tables, budgetId, nowMs) ?? []);
}

export function budgetSums(tables: RowTables): readonly BudgetSum[] {
  const held = [...tables.reserved.values()].flat();
  return [...tables.budgets.values()].map((budget) => ({
    budget,
    reserved: sumOf(held.filter(({ budgetId }) => budgetId === budget.budgetId)),
    spent: sumOf(tables.spent.get(budget.budgetId) ?? []),
  }));
}

const sumOf = (entries: readonly { readonly amount: number }[]): number =>
  entries.reduce((sum, { amount }) => sum + amount, 0);

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
