// Rows of one transaction in memory: what was read becomes rows that planners work on, and what
// became of them becomes statements.

import type { AmendmentDraft, Denial, HistoryRow } from '../../core/history.ts';
import { recordKey } from '../../core/kept-record.ts';
import type { AppendStamp } from '../../core/log-append.ts';
import type { Writes } from '../../core/moves/writes.ts';
import type { AgedEntries, BudgetMove, BudgetRow } from '../../core/operation.ts';
import { addToRepeats, putApproval, tellApproval, tellOperation } from '../apply-writes.ts';
import { createRowTables, type RowTables } from '../row-tables.ts';
import { TableRows } from '../table-rows.ts';
import { insertApprovals, updateApprovals } from './approval-table.ts';
import {
  ageEntries,
  markBudgets,
  moveEntries,
  overrunOf,
  putBudget,
  updateBudgets,
} from './budget-table.ts';
import { countDenials, insertDrafts, insertHistory } from './history-table.ts';
import type { Loaded } from './load-rows.ts';
import { TransactionLog } from './log-state.ts';
import { insertMandates, updateMandates } from './mandate-table.ts';
import { insertOnce, passOnce } from './once-table.ts';
import { type Changed, insertOperations, updateOperations } from './operation-table.ts';
import type { Statement } from './statement.ts';

export class PlannedRows extends TableRows {
  readonly #before: RowTables;
  readonly #tables: RowTables;
  readonly #log: TransactionLog;
  readonly #moves: BudgetMove[] = [];
  readonly #aging: AgedEntries[] = [];
  readonly #history: HistoryRow[] = [];
  readonly #denials: Denial[] = [];
  readonly #drafts: AmendmentDraft[] = [];
  /** Of each counter, what had aged when it was read and was not subtracted yet. */
  readonly #aged: Map<string, AgedEntries>;
  #changes = 0;

  private constructor(loaded: Loaded, log: TransactionLog) {
    const tables = toTables(loaded);
    super(tables, log);
    this.#before = toTables(loaded);
    this.#tables = tables;
    this.#log = log;
    this.#aged = new Map(loaded.aged.map((each) => [each.budgetId, each]));
  }

  /** Fresh rows as they were read; nothing of an earlier plan is in them. */
  static of(
    loaded: Loaded,
    time: { readonly stamp: AppendStamp; readonly clockMs: number },
  ): PlannedRows {
    const decisions = loaded.operations.flatMap(({ row, decision }) =>
      decision === undefined ? [] : [[row.opId, decision] as const],
    );
    return new PlannedRows(loaded, new TransactionLog(loaded.log, time, new Map(decisions)));
  }

  /** Times that rows were changed: a plan that failed at once has changed none. */
  get changes(): number {
    return this.#changes;
  }

  get logSize(): number {
    return this.#log.size;
  }

  override apply(writes: Writes): void {
    super.apply(writes);
    this.#changes += 1;
    this.#moves.push(...writes.budgetMoves);
    this.#aging.push(...writes.ageBudgets);
    this.#history.push(...writes.insertHistory);
    this.#denials.push(...writes.countDenials);
    this.#drafts.push(...writes.insertDrafts);
    for (const { budgetId } of writes.ageBudgets) this.#aged.delete(budgetId);
  }

  protected override aged({ budgetId }: BudgetRow): AgedEntries | undefined {
    return this.#aged.get(budgetId);
  }

  /** Marks a final state, or the end of its request, as told. Nothing moves, so no leaf is written. */
  tell(opId: string): void {
    this.#changes += 1;
    tellOperation(this.#tables, opId);
    const approvalId = this.#tables.approvalIdOf.get(opId);
    if (approvalId !== undefined) tellApproval(this.#tables, approvalId);
  }

  /** Writes every row once, as it is now, on the condition that it is still what was read. */
  statements(): readonly Statement[] {
    const mandates = differences(this.#before.mandates, this.#tables.mandates);
    const budgets = differences(this.#before.budgets, this.#tables.budgets);
    const operations = differences(this.#before.operations, this.#tables.operations);
    const once = differences(this.#before.once, this.#tables.once);
    const approvals = differences(this.#before.approvals, this.#tables.approvals);
    return [
      ...updateMandates(mandates.changed),
      ...insertMandates(mandates.added),
      ...budgetStatements(budgets, this.#moves),
      ...insertOperations(
        operations.added.map((row) => ({ n: this.#log.proposalOf(row.opId), row })),
      ),
      ...insertHistory(this.#history.map((row) => ({ n: this.#log.proposalOf(row.opId), row }))),
      ...updateOperations(operations.changed),
      ...insertOnce(once.added),
      ...passOnce(once.changed),
      ...insertApprovals(approvals.added),
      ...updateApprovals(approvals.changed),
      ...ageEntries(this.#aging),
      ...moveEntries(this.#moves),
      ...countDenials(this.#denials),
      ...insertDrafts(this.#drafts),
      ...this.#log.statements(),
    ];
  }
}

function toTables({ mandates, budgets, operations, once, records }: Loaded): RowTables {
  const tables = createRowTables();
  for (const record of records) tables.records.set(recordKey(record), record);
  for (const holder of once) tables.once.set(holder.once, holder);
  for (const row of mandates) tables.mandates.set(row.mandateId, row);
  for (const row of budgets) tables.budgets.set(row.budgetId, row);
  for (const { row, approval, reserved } of operations) {
    tables.operations.set(row.opId, row);
    addToRepeats(tables, row);
    if (approval !== undefined) putApproval(tables, approval);
    if (reserved.length > 0) tables.reserved.set(row.opId, reserved);
  }
  return tables;
}

interface Differences<T> {
  readonly added: readonly T[];
  readonly changed: readonly Changed<T>[];
}

/** Rows are replaced and never changed: another object is another row. */
function differences<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): Differences<T> {
  const added: T[] = [];
  const changed: Changed<T>[] = [];
  for (const [id, to] of after) {
    const from = before.get(id);
    if (from === undefined) added.push(to);
    else if (from !== to) changed.push({ from, to });
  }
  return { added, changed };
}

/** Terms first, since a reservation is checked against the new ones; a freeze last, since it was made after them. */
function budgetStatements(
  { added, changed }: Differences<BudgetRow>,
  moves: readonly BudgetMove[],
): readonly Statement[] {
  const limited = changed.filter(({ from, to }) => hasOtherTerms(from, to));
  const fresh = added.map((to) => ({ from: { ...to, reserved: 0, spent: 0 }, to }));
  const moved = [...fresh, ...changed].filter(
    ({ from, to }) => from.reserved !== to.reserved || from.spent !== to.spent,
  );
  const marked = changed.filter(
    ({ from, to }) => from.frozen !== to.frozen || from.clockAlarmMs !== to.clockAlarmMs,
  );
  return [
    ...[...added, ...limited.map(({ to }) => to)].map(putBudget),
    ...markBudgets(marked.filter(({ to }) => !to.frozen)),
    ...updateBudgets(
      moved.map((change) => ({ ...change, overrun: overrunIn(moves, change.to.budgetId) })),
    ),
    ...markBudgets(marked.filter(({ to }) => to.frozen)),
  ];
}

const hasOtherTerms = (from: BudgetRow, to: BudgetRow): boolean =>
  from.limit !== to.limit ||
  from.currency !== to.currency ||
  from.spread !== to.spread ||
  from.endsMs !== to.endsMs;

const overrunIn = (moves: readonly BudgetMove[], budgetId: string): number =>
  moves.reduce((sum, move) => sum + (move.budgetId === budgetId ? overrunOf(move) : 0), 0);
