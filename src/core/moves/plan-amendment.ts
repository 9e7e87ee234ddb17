// What a person approved again and again becomes a drafted amendment of the mandate. A draft allows
// nothing: the principal has to sign it as an act of its own.
import type { AmendmentDraft, HistoryRow } from '../history.ts';
import type { LeafDraft } from '../leaf.ts';
import type { ApprovalRow, OperationRow } from '../operation.ts';
import { noWrites, type Writes } from './writes.ts';

/** Equal approvals that make a draft. */
const approvalsToDraft = 3;
/** How far back they count, and how long the draft would allow: 30 days. */
export const amendmentWindowMs = 2_592_000_000;

/** One approval of an operation with the action, recipient, currency and mandate line at hand. */
export interface EqualApproval {
  readonly approvalId: string;
  readonly amount: number;
}

/** What the store reads for it. */
export interface AmendmentRows {
  readonly nowMs: number;
  /** The request that was just approved. */
  readonly approval: ApprovalRow | undefined;
  readonly operation: OperationRow | undefined;
  readonly history: HistoryRow | undefined;
  /** Level 1, granted or used, of the last `amendmentWindowMs`, oldest first. */
  readonly equal: readonly EqualApproval[];
  /** Earlier drafts for this recipient, whatever their state. */
  readonly drafts: readonly AmendmentDraft[];
}

/** The draft that was made, if any. */
export interface AmendmentPlan {
  readonly draft: AmendmentDraft | undefined;
  readonly writes: Writes;
}

/** An operation as a draft would judge it. */
export interface CoveredOperation {
  readonly mandateLine: string;
  readonly recipientKey: string;
  readonly amount: number;
  readonly currency: string | undefined;
  readonly atMs: number;
}

/** Whether what is drafted would reach this operation: same line, action, recipient and currency, up to the ceiling. */
export function isCovered(draft: AmendmentDraft, operation: CoveredOperation): boolean {
  return (
    draft.mandateLine === operation.mandateLine &&
    draft.recipientKey === operation.recipientKey &&
    draft.currency === operation.currency &&
    operation.amount <= draft.ceiling &&
    operation.atMs < draft.expiresMs
  );
}

const nothing: AmendmentPlan = { draft: undefined, writes: noWrites };

/**
 * Approvals that an earlier draft reaches do not count again. Only level 1: what needs another
 * person is not the principal's to allow. Only with an amount: a draft without a ceiling would be a
 * blank cheque.
 */
export function planAmendment(draftId: string, rows: AmendmentRows): AmendmentPlan {
  const { approval, operation, history, nowMs } = rows;
  if (approval?.level !== 1 || operation === undefined) return nothing;
  if (approval.state !== 'GRANTED' && approval.state !== 'CONSUMED') return nothing;
  if (history === undefined || history.recipientKey === '') return nothing;
  const { recipientKey, recipientPaths, currency } = history;
  const { mandateLine, action } = operation;
  const fresh = rows.equal.filter(({ amount }) => {
    const reached = { mandateLine, recipientKey, amount, currency, atMs: nowMs };
    return !rows.drafts.some((draft) => isCovered(draft, reached));
  });
  const basis = fresh.slice(-approvalsToDraft);
  if (basis.length < approvalsToDraft) return nothing;
  const draft: AmendmentDraft = {
    draftId,
    mandateId: approval.mandateId,
    mandateLine,
    action,
    recipientKey,
    recipientPaths,
    ceiling: Math.max(...basis.map(({ amount }) => amount)),
    currency,
    basis: basis.map(({ approvalId }) => approvalId),
    state: 'drafted',
    createdMs: nowMs,
    expiresMs: nowMs + amendmentWindowMs,
  };
  return { draft, writes: { ...noWrites, insertDrafts: [draft], leaves: [draftLeaf(draft)] } };
}

/**
 * An alarm: somebody should look, and nothing has changed. A `config.change` would say that a
 * configuration is in effect, a mandate leaf that an authority is another one.
 */
function draftLeaf(draft: AmendmentDraft): LeafDraft {
  const { draftId, mandateId, action, ceiling, currency, basis } = draft;
  return {
    type: 'alarm',
    open: { kind: 'amendment_drafted', figures: { approvals: basis.length } },
    committed: {
      action,
      basis: [...basis],
      ceiling,
      ...(currency === undefined ? {} : { currency }),
      draft: draftId,
      mandate: mandateId,
    },
  };
}
