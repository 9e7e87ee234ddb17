// What one transaction writes. Planned by pure functions, applied by a store as it stands.
import type { AmendmentDraft, Denial, HistoryRow } from '../history.ts';
import type { LeafDraft } from '../leaf.ts';
import type {
  AgedEntries,
  ApprovalRow,
  ApprovalState,
  BudgetMove,
  BudgetTerms,
  MandateRow,
  OperationRow,
  OperationState,
} from '../operation.ts';

/** A conditional update of one operation. No row in that state with that attempt: nothing at all is written. */
export interface OperationMove {
  readonly from: OperationState;
  readonly attempt: number;
  readonly to: OperationRow;
}

/** A conditional update of one approval: from that state, with as many votes as were read. */
export interface ApprovalMove {
  readonly from: ApprovalState;
  readonly votes: number;
  readonly to: ApprovalRow;
}

/** What is noted on one budget beside its sums; an absent field stays what it is. */
export interface BudgetMark {
  readonly budgetId: string;
  readonly frozen?: boolean;
  readonly clockAlarmMs?: number;
}

/** A once key goes to an operation that is dispatched. */
export interface OnceTake {
  readonly once: string;
  readonly opId: string;
  /** The failed operation that had it; undefined = nobody. Another holder: nothing at all is written. */
  readonly from: string | undefined;
}

/** Everything one transaction writes; all or nothing. A failing condition is `STORE_CONFLICT`. */
export interface Writes {
  readonly insertOperations: readonly OperationRow[];
  /** What later requests compare new operations with. */
  readonly insertHistory: readonly HistoryRow[];
  readonly moveOperations: readonly OperationMove[];
  /** Operations whose final state is told now. */
  readonly tellOperations: readonly string[];
  readonly insertApprovals: readonly ApprovalRow[];
  readonly moveApprovals: readonly ApprovalMove[];
  /** Approvals whose end is told now. */
  readonly tellApprovals: readonly string[];
  /** Entries that count no longer; subtracted before anything is reserved. */
  readonly ageBudgets: readonly AgedEntries[];
  readonly budgetMoves: readonly BudgetMove[];
  readonly markBudgets: readonly BudgetMark[];
  readonly takeOnce: readonly OnceTake[];
  readonly countDenials: readonly Denial[];
  readonly insertDrafts: readonly AmendmentDraft[];
  readonly insertMandates: readonly MandateRow[];
  /** A new row, or another limit on an existing one (used sums stay). */
  readonly putBudgets: readonly BudgetTerms[];
  readonly updateMandates: readonly MandateRow[];
  /** Appended last, in this order, with consecutive `seq`. */
  readonly leaves: readonly LeafDraft[];
}

/** A transaction that writes nothing; the start of every plan. */
export const noWrites: Writes = {
  insertOperations: [],
  insertHistory: [],
  moveOperations: [],
  tellOperations: [],
  insertApprovals: [],
  moveApprovals: [],
  tellApprovals: [],
  ageBudgets: [],
  budgetMoves: [],
  markBudgets: [],
  takeOnce: [],
  countDenials: [],
  insertDrafts: [],
  insertMandates: [],
  putBudgets: [],
  updateMandates: [],
  leaves: [],
};
