// Documents about people beside the tables.
import type { DatabaseSync } from 'node:sqlite';
import type { KeptRecord, RecordChange, RecordKind, RecordQuery } from '../../core/kept-record.ts';
import { type People, readPeople } from '../../core/person.ts';
import { type SqlRow, Statement } from './statement.ts';

const columns = 'kind, id, owner, fields, version, expires_ms';

export class RecordTable {
  readonly #people: Statement;
  readonly #list: Statement;
  readonly #forget: Statement;
  readonly #insert: Statement;
  readonly #update: Statement;
  readonly #remove: Statement;

  constructor(database: DatabaseSync) {
    const statement = (sql: string): Statement => new Statement(database, sql);
    this.#people = statement(
      `SELECT ${columns} FROM record WHERE kind IN ('person', 'credential') ORDER BY kind, id`,
    );
    this.#list = statement(
      `SELECT ${columns} FROM record WHERE kind = ?1 AND (?2 IS NULL OR id = ?2)
         AND (?3 IS NULL OR owner = ?3) AND (expires_ms IS NULL OR expires_ms > ?4) ORDER BY id`,
    );
    this.#forget = statement('DELETE FROM record WHERE expires_ms <= ?');
    this.#insert = statement(
      `INSERT INTO record (${columns}) VALUES (?, ?, ?, ?, 1, ?) ON CONFLICT DO NOTHING`,
    );
    this.#update = statement(
      `UPDATE record SET owner = ?, fields = ?, version = version + 1, expires_ms = ?
       WHERE kind = ? AND id = ? AND version = ?`,
    );
    this.#remove = statement('DELETE FROM record WHERE kind = ? AND id = ? AND version = ?');
  }

  people(): People {
    return readPeople(this.#people.all().map(toRecord));
  }

  /** Those whose time is over left out. */
  list({ kind, id, owner }: RecordQuery, nowMs: number): readonly KeptRecord[] {
    return this.#list.all(kind, id ?? null, owner ?? null, nowMs).map(toRecord);
  }

  forgetExpired(nowMs: number): void {
    this.#forget.run(nowMs);
  }

  /** False when the document is not what was read. */
  change({ kind, id, owner, from, fields, expiresMs = undefined }: RecordChange): boolean {
    const untilMs = expiresMs ?? null;
    if (from === undefined) {
      return fields !== undefined && this.#insert.run(kind, id, owner, fields, untilMs) === 1;
    }
    if (fields === undefined) return this.#remove.run(kind, id, from) === 1;
    return this.#update.run(owner, fields, untilMs, kind, id, from) === 1;
  }
}

function toRecord(row: SqlRow): KeptRecord {
  return {
    kind: row[0] as RecordKind,
    id: row[1] as string,
    owner: row[2] as string,
    fields: row[3] as string,
    version: row[4] as number,
    expiresMs: (row[5] as number | null) ?? undefined,
  };
}
