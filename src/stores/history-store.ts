// What a store knows of earlier operations and requests: comparisons, figures and drafts.
import type { AmendmentDraft, ApprovalFigures, OperationHistory } from '../core/history.ts';

/** Part of the contract of every store. */
export interface HistoryStore {
  /** What an operation is compared with; undefined for a proposal that was refused. */
  readHistory(opId: string): Promise<OperationHistory | undefined>;
  /** Requests made since then, oldest first, with their answers. */
  readApprovalFigures(of: { readonly sinceMs: number }): Promise<ApprovalFigures>;
  /** Drafts that are neither dismissed nor over, oldest first. */
  readDrafts(): Promise<readonly AmendmentDraft[]>;
  /**
   * Drafts an amendment of the mandate when this approval makes enough equal ones (APR-25). Undefined,
   * and nothing is written, when it does not.
   */
  draftAmendment(approvalId: string, draftId: string): Promise<AmendmentDraft | undefined>;
}
