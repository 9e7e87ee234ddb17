// Drafting an amendment: one transaction under the lock of the log, so that no two processes draft
// the same one.
import type { AmendmentDraft, HistoryRow } from '../../core/history.ts';
import {
  type AmendmentRows,
  amendmentWindowMs,
  type EqualApproval,
  planAmendment,
} from '../../core/moves/plan-amendment.ts';
import { approvalColumns, approvalWidth, toApproval } from './approval-table.ts';
import { draftsOf, historyColumns, toHistory } from './history-table.ts';
import { operationColumns, operationWidth, toOperation } from './operation-table.ts';
import type { Read } from './read-stored.ts';
import type { Transaction } from './transaction.ts';

/** Equal approvals that are looked at: more than this in 30 days are no other habit. */
const equalMax = 100;

export async function draftAmendment(
  transaction: Transaction,
  { approvalId, draftId, nowMs }: Wish,
): Promise<AmendmentDraft | undefined> {
  const { lastMs } = await transaction.lockLog();
  const rows = await readRows(transaction, approvalId, Math.max(nowMs, lastMs));
  const { draft, writes } = planAmendment(draftId, rows);
  if (draft !== undefined) await transaction.change({}, (fresh) => fresh.apply(writes));
  return draft;
}

interface Wish {
  readonly approvalId: string;
  readonly draftId: string;
  readonly nowMs: number;
}

async function readRows(
  transaction: Transaction,
  approvalId: string,
  nowMs: number,
): Promise<AmendmentRows> {
  const [subject] = await readAll(transaction, subjectOf(approvalId));
  const { approval, operation, history } = subject ?? noSubject;
  if (operation === undefined || history === undefined) {
    return { nowMs, approval, operation, history, equal: [], drafts: [] };
  }
  const { mandateLine } = operation;
  const equal = await readAll(transaction, equalTo(history, { mandateLine, nowMs }));
  const drafts = await readAll(transaction, draftsOf(history.recipientKey, mandateLine));
  return { nowMs, approval, operation, history, equal: equal.toReversed(), drafts };
}

async function readAll<T>(transaction: Transaction, read: Read<T>): Promise<readonly T[]> {
  const [answer] = await transaction.read([read]);
  return (answer?.rows ?? []).map(read.toRow);
}

type Subject = Pick<AmendmentRows, 'approval' | 'operation' | 'history'>;

const noSubject: Subject = { approval: undefined, operation: undefined, history: undefined };

function subjectOf(approvalId: string): Read<Subject> {
  return {
    sql: `SELECT ${operationColumns}, ${approvalColumns}, ${historyColumns}
      FROM intentplane.approval a JOIN intentplane.operation o ON o.op_id = a.op_id
      LEFT JOIN intentplane.history h ON h.op_id = o.op_id WHERE a.approval_id = $1`,
    values: [approvalId],
    toRow: (row) => ({
      approval: toApproval(row, operationWidth),
      operation: toOperation(row),
      history: toHistory(row.slice(operationWidth + approvalWidth)),
    }),
  };
}

/** What the principal approved alone of the same action, recipient, currency and line; newest first. */
function equalTo(
  { recipientKey, currency }: HistoryRow,
  { mandateLine, nowMs }: { readonly mandateLine: string; readonly nowMs: number },
): Read<EqualApproval> {
  return {
    sql: `SELECT a.approval_id, h.amount FROM intentplane.history h
      JOIN intentplane.operation o ON o.op_id = h.op_id
      JOIN intentplane.approval a ON a.op_id = h.op_id
      WHERE h.recipient_key = $1 AND h.recipient_key <> '' AND h.at_ms > $2
        AND h.amount IS NOT NULL AND h.currency IS NOT DISTINCT FROM $3
        AND o.mandate_line = $4 AND a.level = 1 AND a.state IN ('GRANTED', 'CONSUMED')
      ORDER BY h.at_ms DESC, h.n DESC LIMIT ${equalMax}`,
    values: [recipientKey, nowMs - amendmentWindowMs, currency ?? null, mandateLine],
    toRow: ([approvalId, amount]) => ({
      approvalId: approvalId as string,
      amount: amount as number,
    }),
  };
}
