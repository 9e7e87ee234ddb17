// Operations as rows of the database.
import type { OperationRow, OperationState, OutcomeClass } from '../../core/operation.ts';
import { type Column, insertRows, type SqlRow, type Statement, updateRows } from './statement.ts';

const columns: readonly Column<OperationRow>[] = [
  { name: 'op_id', type: 'text', read: (row) => row.opId },
  { name: 'mandate_id', type: 'text', read: (row) => row.mandateId },
  { name: 'mandate_line', type: 'text', read: (row) => row.mandateLine },
  { name: 'action', type: 'text', read: (row) => row.action },
  { name: 'fingerprint', type: 'text', read: (row) => row.fingerprint },
  { name: 'op_hash', type: 'text', read: (row) => row.opHash },
  { name: 'state', type: 'text', read: (row) => row.state },
  { name: 'level', type: 'smallint', read: (row) => row.level },
  { name: 'effect', type: 'text', read: (row) => row.effect },
  { name: 'attempt', type: 'integer', read: (row) => row.attempt },
  { name: 'owner', type: 'text', read: (row) => row.owner },
  { name: 'created_ms', type: 'bigint', read: (row) => row.createdMs },
  { name: 'moved_ms', type: 'bigint', read: (row) => row.movedMs },
  { name: 'deadline_ms', type: 'bigint', read: (row) => row.deadlineMs },
  { name: 'outcome', type: 'text', read: (row) => row.outcome },
  { name: 'told', type: 'boolean', read: (row) => row.told },
];

/** Columns of `o`, in the order of `toOperation`. */
export const operationColumns: string = columns.map(({ name }) => `o.${name}`).join(', ');
/** How many they are. */
export const operationWidth: number = columns.length;

/** Reads the columns from the first on. */
export function toOperation(row: SqlRow): OperationRow {
  return {
    opId: row[0] as string,
    mandateId: row[1] as string,
    mandateLine: row[2] as string,
    action: row[3] as string,
    fingerprint: row[4] as string,
    opHash: row[5] as string,
    state: row[6] as OperationState,
    level: row[7] as OperationRow['level'],
    effect: row[8] as OperationRow['effect'],
    attempt: row[9] as number,
    owner: (row[10] as string | null) ?? undefined,
    createdMs: row[11] as number,
    movedMs: row[12] as number,
    deadlineMs: (row[13] as number | null) ?? undefined,
    outcome: (row[14] as OutcomeClass | null) ?? undefined,
    told: row[15] as boolean,
  };
}

/** A new operation with the `seq` of its proposal leaf. */
export interface NumberedOperation {
  readonly n: number;
  readonly row: OperationRow;
}

const numbered: readonly Column<NumberedOperation>[] = [
  { name: 'n', type: 'bigint', read: ({ n }) => n },
  ...columns.map(({ read, ...column }) => ({
    ...column,
    read: ({ row }: NumberedOperation) => read(row),
  })),
];

export function insertOperations(rows: readonly NumberedOperation[]): Statement[] {
  return insertRows('operation', numbered, rows);
}

/** A row as it was read and as it is now. */
export interface Changed<T> {
  readonly from: T;
  readonly to: T;
}

/** Only a row in the state and attempt that was read is moved. */
export function updateOperations(changes: readonly Changed<OperationRow>[]): Statement[] {
  return updateRows(
    {
      table: 'operation',
      columns: [
        { name: 'op_id', type: 'text', read: ({ to }) => to.opId },
        { name: 'from_state', type: 'text', read: ({ from }) => from.state },
        { name: 'from_attempt', type: 'integer', read: ({ from }) => from.attempt },
        { name: 'state', type: 'text', read: ({ to }) => to.state },
        { name: 'attempt', type: 'integer', read: ({ to }) => to.attempt },
        { name: 'owner', type: 'text', read: ({ to }) => to.owner },
        { name: 'moved_ms', type: 'bigint', read: ({ to }) => to.movedMs },
        { name: 'deadline_ms', type: 'bigint', read: ({ to }) => to.deadlineMs },
        { name: 'outcome', type: 'text', read: ({ to }) => to.outcome },
        { name: 'told', type: 'boolean', read: ({ to }) => to.told },
      ],
      set: `state = v.state, attempt = v.attempt, owner = v.owner, moved_ms = v.moved_ms,
        deadline_ms = v.deadline_ms, outcome = v.outcome, told = v.told`,
      where: 't.op_id = v.op_id AND t.state = v.from_state AND t.attempt = v.from_attempt',
    },
    changes,
  );
}
