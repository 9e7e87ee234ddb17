// Values that can succeed once, and the operation that has them.
import type { OnceFact } from '../../core/facts.ts';
import type { OnceHolder } from '../row-tables.ts';
import type { Changed } from './operation-table.ts';
import { insertRows, type SqlRow, type Statement, updateRows } from './statement.ts';

/** Read under the lock of the log, which every taker and every end of an operation holds. */
export function selectOnce(keys: readonly string[]): Statement {
  return {
    sql: `SELECT k.once_key, k.op_id, o.state FROM intentplane.once_key k
      JOIN intentplane.operation o ON o.op_id = k.op_id WHERE k.once_key = ANY ($1::text[])`,
    values: [keys],
  };
}

export function toOnceHolder([once, opId, state]: SqlRow): OnceHolder {
  return {
    once: once as string,
    opId: opId as string,
    state: state as OnceFact['state'],
  };
}

export function insertOnce(rows: readonly OnceHolder[]): Statement[] {
  return insertRows(
    'once_key',
    [
      { name: 'once_key', type: 'text', read: ({ once }) => once },
      { name: 'op_id', type: 'text', read: ({ opId }) => opId },
    ],
    rows,
  );
}

/** Only from the holder that was read. */
export function passOnce(changes: readonly Changed<OnceHolder>[]): Statement[] {
  return updateRows(
    {
      table: 'once_key',
      columns: [
        { name: 'once_key', type: 'text', read: ({ to }) => to.once },
        { name: 'from_op', type: 'text', read: ({ from }) => from.opId },
        { name: 'op_id', type: 'text', read: ({ to }) => to.opId },
      ],
      set: 'op_id = v.op_id',
      where: 't.once_key = v.once_key AND t.op_id = v.from_op',
    },
    changes,
  );
}
