// Drafted changes of mandates, and the figures of requests.
import type { DatabaseSync } from 'node:sqlite';
import type { AmendmentDraft, ApprovalFigure, ApprovalFigures } from '../../core/history.ts';
import { readAnswer, readBasis, readPaths } from '../history-columns.ts';
import { type SqlRow, Statement } from './statement.ts';

const columns = `draft_id, mandate_id, mandate_line, action, recipient_key, recipient_paths, ceiling,
  currency, basis, state, created_ms, expires_ms`;

export class DraftTable {
  readonly #insert: Statement;
  readonly #ofRecipient: Statement;
  readonly #open: Statement;
  readonly #forget: Statement;

  constructor(database: DatabaseSync) {
    const statement = (sql: string): Statement => new Statement(database, sql);
    this.#insert = statement(
      `INSERT INTO amendment_draft (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#ofRecipient = statement(
      `SELECT ${columns} FROM amendment_draft WHERE recipient_key = ? AND mandate_line = ?`,
    );
    this.#open = statement(
      `SELECT ${columns} FROM amendment_draft WHERE state = 'drafted' AND expires_ms > ?
       ORDER BY created_ms, draft_id`,
    );
    this.#forget = statement(
      `UPDATE amendment_draft SET state = 'dismissed', recipient_key = '', recipient_paths = '',
         ceiling = 0, currency = NULL
       WHERE instr(basis, (SELECT '"' || a.approval_id || '"' FROM approval a WHERE a.op_id = ?)) > 0`,
    );
  }

  insert(draft: AmendmentDraft): void {
    this.#insert.change(
      draft.draftId,
      draft.mandateId,
      draft.mandateLine,
      draft.action,
      draft.recipientKey,
      JSON.stringify(draft.recipientPaths),
      draft.ceiling,
      draft.currency ?? null,
      JSON.stringify(draft.basis),
      draft.state,
      draft.createdMs,
      draft.expiresMs,
    );
  }

  /** Whatever their state. */
  ofRecipient(recipientKey: string, mandateLine: string): readonly AmendmentDraft[] {
    return this.#ofRecipient.all(recipientKey, mandateLine).map(toDraft);
  }

  open(nowMs: number): readonly AmendmentDraft[] {
    return this.#open.all(nowMs).map(toDraft);
  }

  /** What rests on an operation of which nothing is left says nothing any more either. */
  forget(opId: string): void {
    this.#forget.run(opId);
  }
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

export class FigureTable {
  readonly #operations: Statement;
  readonly #requests: Statement;
  readonly #answers: Statement;

  constructor(database: DatabaseSync) {
    const statement = (sql: string): Statement => new Statement(database, sql);
    this.#operations = statement('SELECT count(*) FROM operation WHERE created_ms >= ?');
    this.#requests = statement(
      `SELECT a.approval_id, a.op_id, o.action, a.level, a.state, a.created_ms, a.expires_ms, o.n
       FROM approval a JOIN leaf l ON l.op_id = a.op_id AND l.type = 'proposal'
       JOIN operation o ON o.n = l.seq
       WHERE a.created_ms >= ? ORDER BY a.created_ms, a.approval_id`,
    );
    this.#answers = statement(
      `SELECT bytes FROM leaf WHERE proposal = ? AND type = 'approval.answer' ORDER BY seq`,
    );
  }

  since(sinceMs: number): ApprovalFigures {
    return {
      operations: this.#operations.get(sinceMs)?.[0] as number,
      requests: this.#requests.all(sinceMs).map((row) => this.#figure(row)),
    };
  }

  #figure(row: SqlRow): ApprovalFigure {
    return {
      approvalId: row[0] as string,
      opId: row[1] as string,
      action: row[2] as string,
      level: row[3] as ApprovalFigure['level'],
      state: row[4] as ApprovalFigure['state'],
      createdMs: row[5] as number,
      expiresMs: row[6] as number,
      answers: this.#answers
        .all(row[7] as number)
        .map(([bytes]) => readAnswer(bytes as Uint8Array)),
    };
  }
}
