// What requests are compared with, how many proposals were denied lately, drafts and figures.
import {
  type AmendmentDraft,
  type ApprovalFigure,
  amountsMax,
  type Denial,
  denialSlot,
  denialSlots,
  type EarlierOperations,
  earlierMax,
  type HistoryRow,
} from '../../core/history.ts';
import { readAnswer, readBasis, readFields, readPaths } from '../history-columns.ts';
import type { Read } from './read-stored.ts';
import { type Column, insertRows, type SqlRow, type Statement } from './statement.ts';

/** A new row with the `seq` of its proposal leaf. */
interface NumberedHistory {
  readonly n: number;
  readonly row: HistoryRow;
}

export function insertHistory(rows: readonly NumberedHistory[]): Statement[] {
  return insertRows(
    'history',
    [
      { name: 'op_id', type: 'text', read: ({ row }) => row.opId },
      { name: 'n', type: 'bigint', read: ({ n }) => n },
      { name: 'recipient_key', type: 'text', read: ({ row }) => row.recipientKey },
      {
        name: 'recipient_paths',
        type: 'text',
        read: ({ row }) => JSON.stringify(row.recipientPaths),
      },
      { name: 'fields', type: 'text', read: ({ row }) => JSON.stringify(row.fields) },
      { name: 'amount', type: 'bigint', read: ({ row }) => row.amount },
      { name: 'currency', type: 'text', read: ({ row }) => row.currency },
      { name: 'at_ms', type: 'bigint', read: ({ row }) => row.atMs },
    ],
    rows,
  );
}

/** Columns of `h`, in the order of `toHistory`. */
export const historyColumns: string =
  'h.op_id, h.recipient_key, h.recipient_paths, h.fields, h.amount, h.currency, h.at_ms';
const historyWidth = 7;

/** Undefined where an outer join found none, and for a row that was erased. */
export function toHistory(row: SqlRow): HistoryRow | undefined {
  const [opId, recipientKey, paths, fields, amount, currency, atMs] = row;
  if (opId === null || recipientKey === '') return undefined;
  return {
    opId: opId as string,
    recipientKey: recipientKey as string,
    recipientPaths: readPaths(paths as string),
    fields: readFields(fields as string),
    amount: (amount as number | null) ?? undefined,
    currency: (currency as string | null) ?? undefined,
    atMs: atMs as number,
  };
}

/** The row of one operation, and the denials of its mandate within the last hour. */
export function historyOf(
  opId: string,
  nowMs: number,
): Read<{ readonly own: HistoryRow | undefined; readonly recentDenials: number }> {
  return {
    sql: `SELECT ${historyColumns}, (SELECT coalesce(sum(d.denials), 0)::bigint
        FROM intentplane.denial d WHERE d.mandate_id = o.mandate_id AND d.minute > $2::bigint)
      FROM intentplane.operation o LEFT JOIN intentplane.history h ON h.op_id = o.op_id
      WHERE o.op_id = $1`,
    values: [opId, denialSlot(nowMs).minute - denialSlots],
    toRow: (row) => ({ own: toHistory(row), recentDenials: row[historyWidth] as number }),
  };
}

const succeeded = `FROM intentplane.history h JOIN intentplane.operation o ON o.op_id = h.op_id
  WHERE h.recipient_key = $1 AND h.recipient_key <> '' AND h.at_ms < $2 AND o.state = 'SUCCEEDED'`;
const newestFirst = 'ORDER BY h.at_ms DESC, h.n DESC';

/** Operations before this one, of the same recipient. */
export function earlierThan({ recipientKey, atMs, currency }: HistoryRow): Read<EarlierOperations> {
  return {
    sql: `SELECT (SELECT count(*) FROM (SELECT 1 ${succeeded} LIMIT ${earlierMax}) c),
      (SELECT h.at_ms ${succeeded} ORDER BY h.at_ms, h.n LIMIT 1),
      (SELECT json_agg(a.amount)::text FROM (SELECT h.amount ${succeeded}
        AND h.amount IS NOT NULL AND h.currency IS NOT DISTINCT FROM $3
        ${newestFirst} LIMIT ${amountsMax}) a),
      (SELECT h.fields ${succeeded} ${newestFirst} LIMIT 1)`,
    values: [recipientKey, atMs, currency ?? null],
    toRow: ([count, firstMs, amounts, fields]) => ({
      count: count as number,
      firstMs: (firstMs as number | null) ?? undefined,
      amounts: JSON.parse((amounts as string | null) ?? '[]') as readonly number[],
      lastFields: fields === null ? undefined : readFields(fields as string),
    }),
  };
}

/** Rows are used again after an hour: one statement per minute and mandate, however many there were. */
export function countDenials(denials: readonly Denial[]): Statement[] {
  const counts = new Map<string, { readonly denial: Denial; count: number }>();
  for (const denial of denials) {
    const key = `${denialSlot(denial.atMs).minute} ${denial.mandateId}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { denial, count: 1 });
    else known.count += 1;
  }
  return [...counts.values()].map(({ denial, count }) => {
    const { minute, slot } = denialSlot(denial.atMs);
    return {
      sql: `INSERT INTO intentplane.denial AS d (mandate_id, slot, minute, denials)
        VALUES ($1, $2, $3, $4) ON CONFLICT (mandate_id, slot) DO UPDATE SET minute = $3,
          denials = CASE WHEN d.minute = $3 THEN d.denials + $4 ELSE $4 END`,
      values: [denial.mandateId, slot, minute, count],
      expect: 1,
    };
  });
}

const draftColumns: readonly Column<AmendmentDraft>[] = [
  { name: 'draft_id', type: 'text', read: (draft) => draft.draftId },
  { name: 'mandate_id', type: 'text', read: (draft) => draft.mandateId },
  { name: 'mandate_line', type: 'text', read: (draft) => draft.mandateLine },
  { name: 'action', type: 'text', read: (draft) => draft.action },
  { name: 'recipient_key', type: 'text', read: (draft) => draft.recipientKey },
  { name: 'recipient_paths', type: 'text', read: (draft) => JSON.stringify(draft.recipientPaths) },
  { name: 'ceiling', type: 'bigint', read: (draft) => draft.ceiling },
  { name: 'currency', type: 'text', read: (draft) => draft.currency },
  { name: 'basis', type: 'text', read: (draft) => JSON.stringify(draft.basis) },
  { name: 'state', type: 'text', read: (draft) => draft.state },
  { name: 'created_ms', type: 'bigint', read: (draft) => draft.createdMs },
  { name: 'expires_ms', type: 'bigint', read: (draft) => draft.expiresMs },
];
const draftNames = draftColumns.map(({ name }) => name).join(', ');

export function insertDrafts(drafts: readonly AmendmentDraft[]): Statement[] {
  return insertRows('amendment_draft', draftColumns, drafts);
}

/** Neither dismissed nor over. */
export function openDrafts(nowMs: number): Read<AmendmentDraft> {
  return {
    sql: `SELECT ${draftNames} FROM intentplane.amendment_draft
      WHERE state = 'drafted' AND expires_ms > $1 ORDER BY created_ms, draft_id`,
    values: [nowMs],
    toRow: toDraft,
  };
}

/** Whatever their state. */
export function draftsOf(recipientKey: string, mandateLine: string): Read<AmendmentDraft> {
  return {
    sql: `SELECT ${draftNames} FROM intentplane.amendment_draft
      WHERE recipient_key = $1 AND mandate_line = $2`,
    values: [recipientKey, mandateLine],
    toRow: toDraft,
  };
}

function toDraft(row: SqlRow): AmendmentDraft {
  return {
    draftId: row[0] as string,
    mandateId: row[1] as string,
    mandateLine: row[2] as string,
    action: row[3] as string,
    recipientKey: row[4] as string,
    recipientPaths: readPaths(row[5] as string),
    ceiling: row[6] as number,
    currency: (row[7] as string | null) ?? undefined,
    basis: readBasis(row[8] as string),
    state: row[9] as AmendmentDraft['state'],
    createdMs: row[10] as number,
    expiresMs: row[11] as number,
  };
}

/** Nothing is left of these operations: neither do their comparisons say anything, nor drafts on them. */
export function forgetHistory(opIds: readonly string[]): readonly Statement[] {
  return [
    {
      sql: `UPDATE intentplane.history SET recipient_key = '', recipient_paths = '', fields = '',
          amount = NULL, currency = NULL WHERE op_id = ANY ($1::text[])`,
      values: [opIds],
    },
    {
      sql: `UPDATE intentplane.amendment_draft d SET state = 'dismissed', recipient_key = '',
          recipient_paths = '', ceiling = 0, currency = NULL
        FROM intentplane.approval a
        WHERE a.op_id = ANY ($1::text[]) AND position('"' || a.approval_id || '"' IN d.basis) > 0`,
      values: [opIds],
    },
  ];
}

export function operationsSince(sinceMs: number): Read<number> {
  return {
    sql: 'SELECT count(*) FROM intentplane.operation WHERE created_ms >= $1',
    values: [sinceMs],
    toRow: ([count]) => count as number,
  };
}

/** One answer of a request; without one where nobody has answered. */
interface RequestAnswer {
  readonly request: Omit<ApprovalFigure, 'answers'>;
  readonly answers: ApprovalFigure['answers'];
}

/** Requests since then, one row per answer. */
export function requestsSince(sinceMs: number): Read<RequestAnswer> {
  return {
    sql: `SELECT a.approval_id, a.op_id, o.action, a.level, a.state, a.created_ms, a.expires_ms, l.bytes
      FROM intentplane.approval a JOIN intentplane.operation o ON o.op_id = a.op_id
      LEFT JOIN intentplane.leaf l ON l.op_id = a.op_id AND l.type = 'approval.answer'
      WHERE a.created_ms >= $1 ORDER BY a.created_ms, a.approval_id, l.seq`,
    values: [sinceMs],
    toRow: (row) => ({
      request: {
        approvalId: row[0] as string,
        opId: row[1] as string,
        action: row[2] as string,
        level: row[3] as ApprovalFigure['level'],
        state: row[4] as ApprovalFigure['state'],
        createdMs: row[5] as number,
        expiresMs: row[6] as number,
      },
      answers: row[7] === null ? [] : [readAnswer(row[7] as Uint8Array)],
    }),
  };
}

/** Each request once, with all its answers. */
export function toFigures(rows: readonly RequestAnswer[]): readonly ApprovalFigure[] {
  const byId = new Map<string, ApprovalFigure>();
  for (const { request, answers } of rows) {
    const known = byId.get(request.approvalId)?.answers ?? [];
    byId.set(request.approvalId, { ...request, answers: [...known, ...answers] });
  }
  return [...byId.values()];
}
