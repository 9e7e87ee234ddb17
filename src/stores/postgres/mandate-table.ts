// Mandates as rows of the database.
import type { MandateRow } from '../../core/operation.ts';
import type { Changed } from './operation-table.ts';
import { type Column, insertRows, type SqlRow, type Statement, updateRows } from './statement.ts';

const columns: readonly Column<MandateRow>[] = [
  { name: 'mandate_id', type: 'text', read: (row) => row.mandateId },
  { name: 'line', type: 'text', read: (row) => row.line },
  { name: 'supersedes', type: 'text', read: (row) => row.supersedes },
  { name: 'budget_root', type: 'text', read: (row) => row.budgetRoot },
  { name: 'budget_ids', type: 'text', read: (row) => JSON.stringify(row.budgetIds) },
  { name: 'principal', type: 'text', read: (row) => row.principal },
  { name: 'tenant', type: 'text', read: (row) => row.tenant },
  { name: 'agent', type: 'text', read: (row) => row.agent },
  { name: 'status', type: 'text', read: (row) => row.status },
  { name: 'not_before_ms', type: 'bigint', read: (row) => row.notBeforeMs },
  { name: 'expires_ms', type: 'bigint', read: (row) => row.expiresMs },
  { name: 'level_min', type: 'smallint', read: (row) => row.levelMin },
  { name: 'scopes', type: 'text', read: (row) => JSON.stringify(row.scopes) },
  { name: 'hash', type: 'text', read: (row) => row.hash },
  { name: 'parent', type: 'text', read: (row) => row.parent },
  { name: 'ancestors', type: 'text', read: (row) => JSON.stringify(row.ancestors) },
];

/** Columns of `m`, in the order of `toMandate`. */
export const mandateColumns: string = columns.map(({ name }) => `m.${name}`).join(', ');

export function toMandate(row: SqlRow): MandateRow {
  return {
    mandateId: row[0] as string,
    line: row[1] as string,
    supersedes: (row[2] as string | null) ?? undefined,
    budgetRoot: row[3] as string,
    budgetIds: JSON.parse(row[4] as string) as readonly string[],
    principal: row[5] as string,
    tenant: row[6] as string,
    agent: row[7] as string,
    status: row[8] as MandateRow['status'],
    notBeforeMs: row[9] as number,
    expiresMs: row[10] as number,
    levelMin: row[11] as MandateRow['levelMin'],
    scopes: JSON.parse(row[12] as string) as readonly string[],
    hash: row[13] as string,
    parent: (row[14] as string | null) ?? undefined,
    ancestors: JSON.parse(row[15] as string) as readonly string[],
  };
}

/** One by one: the order of issue is the order of the rows. */
export function insertMandates(rows: readonly MandateRow[]): Statement[] {
  return rows.flatMap((row) => insertRows('mandate', columns, [row]));
}

/** Nothing but its status ever changes of a mandate, and two of its states are final. */
export function updateMandates(changes: readonly Changed<MandateRow>[]): Statement[] {
  return updateRows(
    {
      table: 'mandate',
      columns: [
        { name: 'mandate_id', type: 'text', read: ({ to }) => to.mandateId },
        { name: 'from_status', type: 'text', read: ({ from }) => from.status },
        { name: 'status', type: 'text', read: ({ to }) => to.status },
      ],
      set: 'status = v.status',
      where: `t.mandate_id = v.mandate_id AND t.status = v.from_status
        AND t.status IN ('active', 'suspended')`,
    },
    changes,
  );
}
