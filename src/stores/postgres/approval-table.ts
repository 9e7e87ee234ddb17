// Approval requests as rows of the database.
import type { ApprovalRow } from '../../core/operation.ts';
import { readTerms, readVotes, termsText, votesText } from '../approval-columns.ts';
import type { Changed } from './operation-table.ts';
import { type Column, insertRows, type SqlRow, type Statement, updateRows } from './statement.ts';

const columns: readonly Column<ApprovalRow>[] = [
  { name: 'approval_id', type: 'text', read: (row) => row.approvalId },
  { name: 'op_id', type: 'text', read: (row) => row.opId },
  { name: 'mandate_id', type: 'text', read: (row) => row.mandateId },
  { name: 'fingerprint', type: 'text', read: (row) => row.fingerprint },
  { name: 'level', type: 'smallint', read: (row) => row.level },
  { name: 'state', type: 'text', read: (row) => row.state },
  { name: 'created_ms', type: 'bigint', read: (row) => row.createdMs },
  { name: 'expires_ms', type: 'bigint', read: (row) => row.expiresMs },
  { name: 'ended_ms', type: 'bigint', read: (row) => row.endedMs },
  { name: 'end_reason', type: 'text', read: (row) => row.endReason },
  { name: 'told', type: 'boolean', read: (row) => row.told },
  { name: 'assurance', type: 'text', read: (row) => row.assurance },
  { name: 'channel', type: 'text', read: (row) => row.channel },
  { name: 'terms', type: 'text', read: (row) => termsText(row.terms) },
  { name: 'votes', type: 'text', read: (row) => votesText(row.votes) },
];

/** Columns of `a`, in the order of `toApproval`. */
export const approvalColumns: string = columns.map(({ name }) => `a.${name}`).join(', ');
/** How many they are. */
export const approvalWidth: number = columns.length;

/** Somebody could still answer or use it. */
export const isOpenState = `state IN ('REQUESTED', 'GRANTED')`;

/** Reads the columns from `at` on; undefined where an outer join found none. */
export function toApproval(row: SqlRow, at: number): ApprovalRow | undefined {
  if (row[at] === null) return undefined;
  return {
    approvalId: row[at] as string,
    opId: row[at + 1] as string,
    mandateId: row[at + 2] as string,
    fingerprint: row[at + 3] as string,
    level: row[at + 4] as ApprovalRow['level'],
    state: row[at + 5] as ApprovalRow['state'],
    createdMs: row[at + 6] as number,
    expiresMs: row[at + 7] as number,
    endedMs: (row[at + 8] as number | null) ?? undefined,
    endReason: (row[at + 9] as string | null) ?? undefined,
    told: row[at + 10] as boolean,
    assurance: (row[at + 11] as ApprovalRow['assurance'] | null) ?? undefined,
    channel: (row[at + 12] as string | null) ?? undefined,
    terms: readTerms(row[at + 13] as string),
    votes: readVotes(row[at + 14] as string),
  };
}

export function insertApprovals(rows: readonly ApprovalRow[]): Statement[] {
  return insertRows('approval', columns, rows);
}

/** Only a request in the state that was read is moved: it is consumed once. */
export function updateApprovals(changes: readonly Changed<ApprovalRow>[]): Statement[] {
  return updateRows(
    {
      table: 'approval',
      columns: [
        { name: 'approval_id', type: 'text', read: ({ to }) => to.approvalId },
        { name: 'from_state', type: 'text', read: ({ from }) => from.state },
        { name: 'state', type: 'text', read: ({ to }) => to.state },
        { name: 'ended_ms', type: 'bigint', read: ({ to }) => to.endedMs },
        { name: 'end_reason', type: 'text', read: ({ to }) => to.endReason },
        { name: 'told', type: 'boolean', read: ({ to }) => to.told },
        { name: 'assurance', type: 'text', read: ({ to }) => to.assurance },
        { name: 'channel', type: 'text', read: ({ to }) => to.channel },
        { name: 'votes', type: 'text', read: ({ to }) => votesText(to.votes) },
        { name: 'was_answered', type: 'integer', read: ({ from }) => from.votes.length },
        { name: 'answered', type: 'integer', read: ({ to }) => to.votes.length },
      ],
      set: `state = v.state, ended_ms = v.ended_ms, end_reason = v.end_reason, told = v.told,
        assurance = v.assurance, channel = v.channel, votes = v.votes, answered = v.answered`,
      where: `t.approval_id = v.approval_id AND t.state = v.from_state
        AND t.answered = v.was_answered`,
    },
    changes,
  );
}
