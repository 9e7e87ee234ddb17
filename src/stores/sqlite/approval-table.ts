// Approval requests.
import type { DatabaseSync } from 'node:sqlite';
import type { ApprovalMove } from '../../core/moves/writes.ts';
import type { ApprovalRow } from '../../core/operation.ts';
import { readTerms, readVotes, termsText, votesText } from '../approval-columns.ts';
import { type SqlRow, Statement } from './statement.ts';

const columns = `approval_id, op_id, mandate_id, fingerprint, level, state, created_ms, expires_ms,
  ended_ms, end_reason, told, assurance, channel, terms, votes`;

const isOpen = `state IN ('REQUESTED', 'GRANTED')`;

export class ApprovalTable {
  readonly #byId: Statement;
  readonly #byOperation: Statement;
  readonly #open: Statement;
  readonly #countRejects: Statement;
  readonly #due: Statement;
  readonly #allOpen: Statement;
  readonly #insert: Statement;
  readonly #move: Statement;
  readonly #tell: Statement;
  readonly #tellOperation: Statement;

  constructor(database: DatabaseSync) {
    const statement = (sql: string): Statement => new Statement(database, sql);
    this.#byId = statement(`SELECT ${columns} FROM approval WHERE approval_id = ?`);
    this.#byOperation = statement(`SELECT ${columns} FROM approval WHERE op_id = ?`);
    this.#open = statement(
      `SELECT ${columns} FROM approval WHERE mandate_id = ? AND ${isOpen} AND expires_ms > ?
       ORDER BY created_ms, approval_id`,
    );
    this.#countRejects = statement(
      `SELECT count(*) FROM approval WHERE mandate_id = ? AND state = 'REJECTED' AND ended_ms > ?`,
    );
    this.#allOpen = statement(
      `SELECT ${columns} FROM approval WHERE ${isOpen} ORDER BY approval_id`,
    );
    this.#due = statement(
      `SELECT ${columns} FROM approval WHERE ${isOpen} AND expires_ms <= ? ORDER BY expires_ms`,
    );
    this.#insert = statement(
      `INSERT INTO approval (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#move = statement(
      `UPDATE approval SET state = ?, ended_ms = ?, end_reason = ?, told = ?, assurance = ?,
         channel = ?, votes = ?, answered = ?
       WHERE approval_id = ? AND state = ? AND answered = ?`,
    );
    this.#tell = statement('UPDATE approval SET told = 1 WHERE approval_id = ?');
    this.#tellOperation = statement('UPDATE approval SET told = 1 WHERE op_id = ?');
  }

  byId(approvalId: string): ApprovalRow | undefined {
    return toApproval(this.#byId.get(approvalId));
  }

  byOperation(opId: string): ApprovalRow | undefined {
    return toApproval(this.#byOperation.get(opId));
  }

  /** Requests of one mandate that somebody could still answer or use. */
  open(mandateId: string, nowMs: number): readonly ApprovalRow[] {
    return this.#open.all(mandateId, nowMs).flatMap((row) => toApproval(row) ?? []);
  }

  countRejects(mandateId: string, sinceMs: number): number {
    return this.#countRejects.get(mandateId, sinceMs)?.[0] as number;
  }

  /** Everything that could still be answered or used. */
  allOpen(): readonly ApprovalRow[] {
    return this.#allOpen.all().flatMap((row) => toApproval(row) ?? []);
  }

  due(nowMs: number): readonly ApprovalRow[] {
    return this.#due.all(nowMs).flatMap((row) => toApproval(row) ?? []);
  }

  insert(row: ApprovalRow): void {
    this.#insert.change(
      row.approvalId,
      row.opId,
      row.mandateId,
      row.fingerprint,
      row.level,
      row.state,
      row.createdMs,
      row.expiresMs,
      row.endedMs ?? null,
      row.endReason ?? null,
      row.told ? 1 : 0,
      row.assurance ?? null,
      row.channel ?? null,
      termsText(row.terms),
      votesText(row.votes),
    );
  }

  move({ from, votes, to }: ApprovalMove): void {
    this.#move.change(
      to.state,
      to.endedMs ?? null,
      to.endReason ?? null,
      to.told ? 1 : 0,
      to.assurance ?? null,
      to.channel ?? null,
      votesText(to.votes),
      to.votes.length,
      to.approvalId,
      from,
      votes,
    );
  }

  tell(approvalId: string): void {
    this.#tell.change(approvalId);
  }

  /** An operation that nobody was asked about has no request. */
  tellOfOperation(opId: string): void {
    this.#tellOperation.run(opId);
  }
}

function toApproval(row: SqlRow | undefined): ApprovalRow | undefined {
  if (row === undefined) return undefined;
  return {
    approvalId: row[0] as string,
    opId: row[1] as string,
    mandateId: row[2] as string,
    fingerprint: row[3] as string,
    level: row[4] as ApprovalRow['level'],
    state: row[5] as ApprovalRow['state'],
    createdMs: row[6] as number,
    expiresMs: row[7] as number,
    endedMs: (row[8] as number | null) ?? undefined,
    endReason: (row[9] as string | null) ?? undefined,
    told: row[10] === 1,
    assurance: (row[11] as ApprovalRow['assurance'] | null) ?? undefined,
    channel: (row[12] as string | null) ?? undefined,
    terms: readTerms(row[13] as string),
    votes: readVotes(row[14] as string),
  };
}
