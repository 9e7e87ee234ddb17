// Documents about people beside the tables.
import type { KeptRecord, RecordChange, RecordKind, RecordQuery } from '../../core/kept-record.ts';
import type { Read } from './read-stored.ts';
import type { SqlRow, Statement } from './statement.ts';

const columns = 'kind, id, owner, fields, version, expires_ms';

/** Those whose time is over left out. */
export function recordsOf({ kind, id, owner }: RecordQuery, nowMs: number): Read<KeptRecord> {
  return {
    sql: `SELECT ${columns} FROM intentplane.record
      WHERE kind = $1 AND ($2::text IS NULL OR id = $2) AND ($3::text IS NULL OR owner = $3)
        AND (expires_ms IS NULL OR expires_ms > $4) ORDER BY id`,
    values: [kind, id ?? null, owner ?? null, nowMs],
    toRow: toRecord,
  };
}

/** Everybody and every passkey; nobody changes one of them before this transaction ends. */
export const lockPeople: Statement = {
  sql: `SELECT ${columns} FROM intentplane.record WHERE kind IN ('person', 'credential')
    ORDER BY kind, id FOR SHARE`,
};

export const forgetRecords = (nowMs: number): Statement => ({
  sql: 'DELETE FROM intentplane.record WHERE expires_ms <= $1',
  values: [nowMs],
});

/** Writes one row, or none when the document is not what was read. */
export function changeRecord(change: RecordChange): Statement {
  const { kind, id, owner, from, fields, expiresMs } = change;
  if (from === undefined) {
    return {
      sql: `INSERT INTO intentplane.record (${columns}) VALUES ($1, $2, $3, $4, 1, $5)
        ON CONFLICT DO NOTHING`,
      values: [kind, id, owner, fields ?? '', expiresMs ?? null],
      expect: 1,
    };
  }
  if (fields === undefined) {
    return {
      sql: 'DELETE FROM intentplane.record WHERE kind = $1 AND id = $2 AND version = $3',
      values: [kind, id, from],
      expect: 1,
    };
  }
  return {
    sql: `UPDATE intentplane.record SET owner = $4, fields = $5, version = version + 1, expires_ms = $6
      WHERE kind = $1 AND id = $2 AND version = $3`,
    values: [kind, id, from, owner, fields, expiresMs ?? null],
    expect: 1,
  };
}

export function toRecord(row: SqlRow): KeptRecord {
  return {
    kind: row[0] as RecordKind,
    id: row[1] as string,
    owner: row[2] as string,
    fields: row[3] as string,
    version: row[4] as number,
    expiresMs: (row[5] as number | null) ?? undefined,
  };
}
