// Comparisons, denials, drafts and figures over rows in memory.
import {
  type AmendmentDraft,
  type ApprovalFigures,
  amountsMax,
  type Denial,
  denialSlot,
  denialSlots,
  type EarlierOperations,
  earlierMax,
  type HistoryRow,
  type OperationHistory,
} from '../core/history.ts';
import {
  type AmendmentRows,
  amendmentWindowMs,
  type EqualApproval,
} from '../core/moves/plan-amendment.ts';
import { readAnswer } from './history-columns.ts';
import type { RowTables } from './row-tables.ts';

/** What an operation is compared with; undefined for a proposal that was refused. */
export function operationHistory(
  tables: RowTables,
  opId: string,
  nowMs: number,
): OperationHistory | undefined {
  const operation = tables.operations.get(opId);
  if (operation === undefined) return undefined;
  const own = tables.history.get(opId);
  return {
    compared: own === undefined ? undefined : { own, earlier: earlierOf(tables, own) },
    recentDenials: recentDenials(tables, operation.mandateId, nowMs),
  };
}

function earlierOf(tables: RowTables, own: HistoryRow): EarlierOperations {
  const earlier = [...tables.history.values()].filter(
    ({ opId, recipientKey, atMs }) =>
      recipientKey === own.recipientKey &&
      atMs < own.atMs &&
      tables.operations.get(opId)?.state === 'SUCCEEDED',
  );
  const amounts = earlier.flatMap(({ amount, currency }) =>
    amount === undefined || currency !== own.currency ? [] : [amount],
  );
  return {
    count: Math.min(earlier.length, earlierMax),
    firstMs: earlier[0]?.atMs,
    amounts: amounts.slice(-amountsMax).toReversed(),
    lastFields: earlier.at(-1)?.fields,
  };
}

/** A minute that is counted again in the row of an earlier hour begins at one. */
export function countDenial(tables: RowTables, { mandateId, atMs }: Denial): void {
  const { minute, slot } = denialSlot(atMs);
  const key = `${mandateId}\n${slot}`;
  const known = tables.denials.get(key);
  const denials = known?.minute === minute ? known.denials + 1 : 1;
  tables.denials.set(key, { mandateId, minute, denials });
}

function recentDenials(tables: RowTables, mandateId: string, nowMs: number): number {
  const { minute } = denialSlot(nowMs);
  let sum = 0;
  for (const each of tables.denials.values()) {
    if (each.mandateId === mandateId && each.minute > minute - denialSlots) sum += each.denials;
  }
  return sum;
}

/** Everything a draft depends on. */
export function amendmentRows(tables: RowTables, approvalId: string, nowMs: number): AmendmentRows {
  const approval = tables.approvals.get(approvalId);
  const operation = approval && tables.operations.get(approval.opId);
  const history = operation && tables.history.get(operation.opId);
  if (operation === undefined || history === undefined) {
    return { nowMs, approval, operation, history, equal: [], drafts: [] };
  }
  const { mandateLine } = operation;
  return {
    nowMs,
    approval,
    operation,
    history,
    equal: [...tables.history.values()]
      .filter((each) => isEqual(each, history) && each.atMs > nowMs - amendmentWindowMs)
      .flatMap((each) => approvalOf(tables, each, mandateLine) ?? []),
    drafts: [...tables.drafts.values()].filter(
      (draft) => draft.recipientKey === history.recipientKey && draft.mandateLine === mandateLine,
    ),
  };
}

const isEqual = (a: HistoryRow, b: HistoryRow): boolean =>
  a.recipientKey === b.recipientKey && a.currency === b.currency;

function approvalOf(
  { operations, approvals, approvalIdOf }: RowTables,
  { opId, amount }: HistoryRow,
  mandateLine: string,
): EqualApproval | undefined {
  const approval = approvals.get(approvalIdOf.get(opId) ?? '');
  if (amount === undefined || operations.get(opId)?.mandateLine !== mandateLine) return undefined;
  if (approval?.level !== 1) return undefined;
  const isApproved = approval.state === 'GRANTED' || approval.state === 'CONSUMED';
  return isApproved ? { approvalId: approval.approvalId, amount } : undefined;
}

/** Neither dismissed nor over. */
export function openDrafts({ drafts }: RowTables, nowMs: number): readonly AmendmentDraft[] {
  return [...drafts.values()].filter(
    ({ state, expiresMs }) => state === 'drafted' && expiresMs > nowMs,
  );
}

/** What is left of an operation of which nothing may be left, and of drafts that rest on it. */
export function forgetHistory(tables: RowTables, opId: string): void {
  tables.history.delete(opId);
  const approvalId = tables.approvalIdOf.get(opId);
  for (const draft of tables.drafts.values()) {
    if (approvalId === undefined || !draft.basis.includes(approvalId)) continue;
    tables.drafts.set(draft.draftId, { ...draft, ...forgotten });
  }
}

const forgotten = {
  state: 'dismissed',
  recipientKey: '',
  recipientPaths: [],
  ceiling: 0,
  currency: undefined,
} as const;

/** Leaves of one operation, as far as figures need them. */
type LeavesOf = (opId: string) => readonly { readonly type: string; readonly bytes: Uint8Array }[];

export function approvalFigures(
  tables: RowTables,
  leavesOf: LeavesOf,
  sinceMs: number,
): ApprovalFigures {
  const operations = [...tables.operations.values()].filter((row) => row.createdMs >= sinceMs);
  const approvals = [...tables.approvals.values()].filter((row) => row.createdMs >= sinceMs);
  return {
    operations: operations.length,
    requests: approvals.map(({ approvalId, opId, level, state, createdMs, expiresMs }) => ({
      approvalId,
      opId,
      action: tables.operations.get(opId)?.action ?? '',
      level,
      state,
      createdMs,
      expiresMs,
      answers: leavesOf(opId)
        .filter(({ type }) => type === 'approval.answer')
        .map(({ bytes }) => readAnswer(bytes)),
    })),
  };
}
