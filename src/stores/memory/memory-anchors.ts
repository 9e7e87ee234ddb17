// What others added to the newest checkpoint of a store in memory: lines of witnesses, timestamps.
import { addLines } from '../cosigned-note.ts';
import { type Cosigning, StoreError, type Timestamping } from '../store.ts';
import type { MemoryTables } from './memory-tables.ts';

const notSigned = (size: number): StoreError =>
  new StoreError('STORE_CONFLICT', `nobody signed size ${size}`);

/** Only the newest checkpoint is kept, so an answer that comes later is about none. */
export function addCosignature(tables: MemoryTables, { size, lines, atMs }: Cosigning): void {
  const { checkpoint: signed, timestamped } = tables;
  if (signed?.size !== size) throw notSigned(size);
  const cosigned = { ...signed, note: addLines(signed.note, lines) };
  tables.checkpoint = cosigned;
  if (timestamped?.size === size) tables.timestamped = { ...timestamped, note: cosigned.note };
  tables.cosigned = { ...cosigned, cosignedMs: atMs };
}

/** A checkpoint keeps its first one. */
export function addTimestamp(tables: MemoryTables, { size, token, atMs }: Timestamping): void {
  const { checkpoint, cosigned, timestamped } = tables;
  const signed = [checkpoint, cosigned].find((each) => each?.size === size);
  if (signed === undefined) throw notSigned(size);
  if (timestamped?.size === size) return;
  const { root, note } = signed;
  tables.timestamped = { size, root, note, token, timestampedMs: atMs };
}
