// What a synchronous store reads and writes inside one transaction. Only stores implement it and
// only `store-methods.ts` calls it; nothing outside `stores` sees a row change by itself.
import type { AmendmentRows } from '../core/moves/plan-amendment.ts';
import type { AnswerRows } from '../core/moves/plan-answer.ts';
import type { DecisionRows } from '../core/moves/plan-decision.ts';
import type { ProposalDraft } from '../core/moves/proposal-draft.ts';
import type { Writes } from '../core/moves/writes.ts';
import type {
  ApprovalRow,
  BudgetHold,
  BudgetRow,
  MandateRow,
  OperationRow,
} from '../core/operation.ts';

export interface Rows {
  /** Store time: the later of the clock and the time of the last leaf. */
  readonly nowMs: number;
  decisionRows(draft: ProposalDraft): DecisionRows;
  operation(opId: string): OperationRow | undefined;
  /** What is still held by an operation. */
  reserved(opId: string): readonly BudgetHold[];
  /** Everything an answer depends on. */
  answerRows(approvalId: string): AnswerRows;
  /** Everything a draft depends on. */
  amendmentRows(approvalId: string): AmendmentRows;
  approvalOf(opId: string): ApprovalRow | undefined;
  /** Open and granted requests whose time is over. */
  dueApprovals(): readonly ApprovalRow[];
  mandate(mandateId: string): MandateRow | undefined;
  /** A budget, or one of its periods. */
  budget(budgetId: string): BudgetRow | undefined;
  newestMandate(principal: string, agent: string): MandateRow | undefined;
  /** Every operation in this state whose owner is not in the list of live processes. */
  orphans(liveProcesses: readonly string[]): readonly OperationRow[];
  /** Applies all of it or throws `StoreError`. */
  apply(writes: Writes): void;
}
