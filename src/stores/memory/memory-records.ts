// Documents about people in the memory store.
import {
  type KeptRecord,
  type RecordChange,
  type RecordQuery,
  recordKey,
} from '../../core/kept-record.ts';
import type { RowTables } from '../row-tables.ts';

export function findRecords(
  { records }: RowTables,
  { kind, id, owner }: RecordQuery,
  nowMs: number,
): readonly KeptRecord[] {
  return [...records.values()]
    .filter((record) => record.kind === kind && !isOver(record, nowMs))
    .filter((record) => (id ?? record.id) === record.id && (owner ?? record.owner) === record.owner)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** All documents as they are afterwards; undefined when one is not what was read. */
export function changedRecords(
  { records }: RowTables,
  changes: readonly RecordChange[],
  nowMs: number,
): ReadonlyMap<string, KeptRecord> | undefined {
  const after = new Map([...records].filter(([, record]) => !isOver(record, nowMs)));
  for (const { from, fields, kind, id, owner, expiresMs } of changes) {
    const key = recordKey({ kind, id });
    if (after.get(key)?.version !== from) return undefined;
    if (fields === undefined) after.delete(key);
    else after.set(key, { kind, id, owner, fields, version: (from ?? 0) + 1, expiresMs });
  }
  return after;
}

const isOver = ({ expiresMs }: KeptRecord, nowMs: number): boolean =>
  expiresMs !== undefined && expiresMs <= nowMs;
