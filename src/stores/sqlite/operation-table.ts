// Operations, and what earlier ones mean for a repeated call.
import type { DatabaseSync } from 'node:sqlite';
import type { RepeatRows } from '../../core/moves/repeat-fact.ts';
import type { OperationMove } from '../../core/moves/writes.ts';
import type { OperationRow, OperationState, OutcomeClass } from '../../core/operation.ts';
import { type SqlRow, Statement } from './statement.ts';

/** An operation with its number. */
export interface NumberedOperation {
  readonly n: number;
  readonly row: OperationRow;
  /** Number of the newest success before it. */
  readonly earlierSuccess: number | undefined;
}

const columns = `o.n, o.op_id, o.mandate_id, o.mandate_line, o.action, o.fingerprint, o.op_hash,
  o.state, o.level, o.effect, o.attempt, o.owner, o.created_ms, o.moved_ms, o.deadline_ms,
  o.outcome, o.told, o.earlier_success`;

const ofRepeat = 'WHERE o.fingerprint = ?1 AND o.mandate_line = ?2';

export class OperationTable {
  readonly #byId: Statement;
  readonly #byNumber: Statement;
  readonly #newest: Statement;
  readonly #unresolved: Statement;
  readonly #untold: Statement;
  readonly #inState: Statement;
  readonly #insert: Statement;
  readonly #move: Statement;
  readonly #tell: Statement;
  readonly #page: Statement;

  constructor(database: DatabaseSync) {
    const statement = (sql: string): Statement => new Statement(database, sql);
    this.#byId = statement(
      `SELECT ${columns} FROM leaf l JOIN operation o ON o.n = l.seq
       WHERE l.op_id = ? AND l.type = 'proposal'`,
    );
    this.#byNumber = statement(`SELECT ${columns} FROM operation o WHERE o.n = ?`);
    this.#newest = statement(
      `SELECT ${columns} FROM operation o ${ofRepeat} AND o.fingerprint <> ''
       ORDER BY o.n DESC LIMIT 1`,
    );
    this.#unresolved = statement(
      `SELECT ${columns} FROM operation o INDEXED BY operation_unresolved ${ofRepeat}
       AND o.state IN ('DISPATCHING', 'UNKNOWN') ORDER BY o.n DESC LIMIT 1`,
    );
    this.#untold = statement(
      `SELECT ${columns} FROM operation o INDEXED BY operation_untold ${ofRepeat}
       AND o.state = 'SUCCEEDED' AND o.told = 0 ORDER BY o.n DESC LIMIT 1`,
    );
    this.#inState = statement(
      `SELECT ${columns} FROM operation o INDEXED BY operation_unresolved
       WHERE o.state IN ('DISPATCHING', 'UNKNOWN') AND +o.state = ? ORDER BY o.n`,
    );
    this.#insert = statement(
      `INSERT INTO operation (n, op_id, mandate_id, mandate_line, action, fingerprint, op_hash,
         state, level, effect, attempt, owner, created_ms, moved_ms, deadline_ms, outcome, told,
         earlier_success)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
         (SELECT iif(o.state = 'SUCCEEDED', o.n, o.earlier_success) FROM operation o
          WHERE o.fingerprint = ?6 AND o.mandate_line = ?4 AND o.fingerprint <> ''
          ORDER BY o.n DESC LIMIT 1))`,
    );
    this.#move = statement(
      `UPDATE operation SET state = ?, attempt = ?, owner = ?, moved_ms = ?, deadline_ms = ?,
         outcome = ?, told = ? WHERE n = ? AND state = ? AND attempt = ?`,
    );
    this.#page = statement(`SELECT ${columns} FROM operation o WHERE o.n > ? ORDER BY o.n LIMIT ?`);
    this.#tell = statement('UPDATE operation SET told = 1 WHERE n = ?');
  }

  byId(opId: string): NumberedOperation | undefined {
    return toOperation(this.#byId.get(opId));
  }

  /** Every operation that somebody sent and has not finished, or whose outcome nobody knows. */
  inState(state: 'DISPATCHING' | 'UNKNOWN'): readonly NumberedOperation[] {
    return this.#inState.all(state).flatMap((row) => toOperation(row) ?? []);
  }

  /** Rows after a number, in order. */
  page(after: number, count: number): readonly NumberedOperation[] {
    return this.#page.all(after, count).flatMap((row) => toOperation(row) ?? []);
  }

  /** Newest row of a fingerprint on one mandate line. */
  newest(fingerprint: string, mandateLine: string): NumberedOperation | undefined {
    return toOperation(this.#newest.get(fingerprint, mandateLine));
  }

  /** The other rows that matter, each found without reading the rest. */
  others(newest: NumberedOperation): Omit<RepeatRows, 'newest'> {
    const { row, earlierSuccess } = newest;
    const { fingerprint, mandateLine } = row;
    return {
      unresolved: toOperation(this.#unresolved.get(fingerprint, mandateLine))?.row,
      untold: toOperation(this.#untold.get(fingerprint, mandateLine))?.row,
      success: row.state === 'SUCCEEDED' ? row : this.#at(earlierSuccess),
    };
  }

  #at(n: number | undefined): OperationRow | undefined {
    return n === undefined ? undefined : toOperation(this.#byNumber.get(n))?.row;
  }

  // INVARIANT: a success is older than the next row of its fingerprint: until then a repeat is
  // refused, so the newest row at insertion knows all successes before it.
  insert(n: number, row: OperationRow): void {
    this.#insert.change(
      n,
      row.opId,
      row.mandateId,
      row.mandateLine,
      row.action,
      row.fingerprint,
      row.opHash,
      row.state,
      row.level,
      row.effect,
      row.attempt,
      row.owner ?? null,
      row.createdMs,
      row.movedMs,
      row.deadlineMs ?? null,
      row.outcome ?? null,
      row.told ? 1 : 0,
    );
  }

  move(n: number, { from, attempt, to }: OperationMove): void {
    this.#move.change(
      to.state,
      to.attempt,
      to.owner ?? null,
      to.movedMs,
      to.deadlineMs ?? null,
      to.outcome ?? null,
      to.told ? 1 : 0,
      n,
      from,
      attempt,
    );
  }

  /** False for the number of a proposal without a row. */
  tell(n: number): boolean {
    return this.#tell.run(n) === 1;
  }
}

function toOperation(row: SqlRow | undefined): NumberedOperation | undefined {
  if (row === undefined) return undefined;
  return {
    n: row[0] as number,
    row: {
      opId: row[1] as string,
      mandateId: row[2] as string,
      mandateLine: row[3] as string,
      action: row[4] as string,
      fingerprint: row[5] as string,
      opHash: row[6] as string,
      state: row[7] as OperationState,
      level: row[8] as OperationRow['level'],
      effect: row[9] as OperationRow['effect'],
      attempt: row[10] as number,
      owner: (row[11] as string | null) ?? undefined,
      createdMs: row[12] as number,
      movedMs: row[13] as number,
      deadlineMs: (row[14] as number | null) ?? undefined,
      outcome: (row[15] as OutcomeClass | null) ?? undefined,
      told: row[16] === 1,
    },
    earlierSuccess: (row[17] as number | null) ?? undefined,
  };
}
