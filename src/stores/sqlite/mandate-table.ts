// Mandates in order of issue.
import type { DatabaseSync } from 'node:sqlite';
import type { MandateRow } from '../../core/operation.ts';
import { type SqlRow, Statement } from './statement.ts';

const columns = `mandate_id, line, supersedes, budget_root, budget_ids, principal, tenant, agent,
  status, not_before_ms, expires_ms, level_min, scopes, hash, parent, ancestors`;

export class MandateTable {
  readonly #byId: Statement;
  readonly #withOpen: Statement;
  readonly #newest: Statement;
  readonly #newestOf: Statement;
  readonly #active: Statement;
  readonly #insert: Statement;
  readonly #setStatus: Statement;

  constructor(database: DatabaseSync) {
    const statement = (sql: string): Statement => new Statement(database, sql);
    this.#byId = statement(`SELECT ${columns} FROM mandate WHERE mandate_id = ?`);
    this.#withOpen = statement(
      `SELECT ${columns}, (SELECT count(*) FROM approval a WHERE a.mandate_id = ?1
         AND a.state IN ('REQUESTED', 'GRANTED') AND a.expires_ms > ?2)
       FROM mandate WHERE mandate_id = ?1`,
    );
    this.#newest = statement(
      `SELECT ${columns} FROM mandate WHERE principal = ? AND agent = ? ORDER BY n DESC LIMIT 1`,
    );
    this.#newestOf = statement(
      `SELECT ${columns} FROM mandate WHERE line = ? ORDER BY n DESC LIMIT 1`,
    );
    this.#active = statement(`SELECT ${columns} FROM mandate WHERE status = 'active' ORDER BY n`);
    this.#insert = statement(
      `INSERT INTO mandate (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    // Nothing else of a mandate ever changes, and two of its states are final.
    this.#setStatus = statement(
      `UPDATE mandate SET status = ? WHERE mandate_id = ? AND status IN ('active', 'suspended')`,
    );
  }

  byId(mandateId: string): MandateRow | undefined {
    return toMandate(this.#byId.get(mandateId));
  }

  /** The mandate with the number of its requests that are still open. */
  withOpenApprovals(
    mandateId: string,
    nowMs: number,
  ): { readonly mandate: MandateRow | undefined; readonly openApprovals: number } {
    const row = this.#withOpen.get(mandateId, nowMs);
    return { mandate: toMandate(row), openApprovals: (row?.[16] as number | undefined) ?? 0 };
  }

  newest(principal: string, agent: string): MandateRow | undefined {
    return toMandate(this.#newest.get(principal, agent));
  }

  /** The one that superseded all others of its line. */
  newestOf(line: string): MandateRow | undefined {
    return toMandate(this.#newestOf.get(line));
  }

  active(): readonly MandateRow[] {
    return this.#active.all().flatMap((row) => toMandate(row) ?? []);
  }

  insert(row: MandateRow): void {
    this.#insert.change(
      row.mandateId,
      row.line,
      row.supersedes ?? null,
      row.budgetRoot,
      JSON.stringify(row.budgetIds),
      row.principal,
      row.tenant,
      row.agent,
      row.status,
      row.notBeforeMs,
      row.expiresMs,
      row.levelMin,
      JSON.stringify(row.scopes),
      row.hash,
      row.parent ?? null,
      JSON.stringify(row.ancestors),
    );
  }

  update({ mandateId, status }: MandateRow): void {
    this.#setStatus.change(status, mandateId);
  }
}

function toMandate(row: SqlRow | undefined): MandateRow | undefined {
  if (row === undefined) return undefined;
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
