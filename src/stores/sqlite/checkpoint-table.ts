// Sizes and roots that were signed, or were about to be when the process ended.
import type { DatabaseSync } from 'node:sqlite';
import { addLines } from '../cosigned-note.ts';
import {
  type CosignedCheckpoint,
  type Cosigning,
  type SignedCheckpoint,
  StoreError,
  type TimestampedCheckpoint,
  type Timestamping,
} from '../store.ts';
import { type SqlRow, Statement } from './statement.ts';

export interface CheckpointRow {
  readonly size: number;
  readonly root: Uint8Array;
  /** Undefined between the decision to sign and the signature. */
  readonly note: string | undefined;
}

export class CheckpointTable {
  readonly #last: Statement;
  readonly #insert: Statement;
  readonly #setNote: Statement;
  readonly #signed: Statement;
  readonly #lastSigned: Statement;
  readonly #noteOf: Statement;
  readonly #cosign: Statement;
  readonly #cosigned: Statement;
  readonly #timestamp: Statement;
  readonly #timestamped: Statement;

  constructor(database: DatabaseSync) {
    this.#last = new Statement(
      database,
      'SELECT size, root, note FROM checkpoint ORDER BY size DESC LIMIT 1',
    );
    this.#insert = new Statement(database, 'INSERT INTO checkpoint (size, root) VALUES (?, ?)');
    this.#signed = new Statement(
      database,
      'SELECT size, root, note FROM checkpoint WHERE note IS NOT NULL AND size >= ? ORDER BY size',
    );
    this.#lastSigned = new Statement(
      database,
      'SELECT size, root, note FROM checkpoint WHERE note IS NOT NULL ORDER BY size DESC LIMIT 1',
    );
    this.#noteOf = new Statement(database, 'SELECT note FROM checkpoint WHERE size = ?');
    this.#cosign = new Statement(
      database,
      'UPDATE checkpoint SET note = ?2, cosigned_ms = ?3 WHERE size = ?1',
    );
    this.#cosigned = new Statement(
      database,
      `SELECT size, root, note, cosigned_ms FROM checkpoint
       WHERE cosigned_ms IS NOT NULL ORDER BY size DESC LIMIT 1`,
    );
    this.#timestamp = new Statement(
      database,
      `UPDATE checkpoint SET timestamp_token = ?2, timestamped_ms = ?3
       WHERE size = ?1 AND timestamped_ms IS NULL`,
    );
    this.#timestamped = new Statement(
      database,
      `SELECT size, root, note, timestamp_token, timestamped_ms FROM checkpoint
       WHERE timestamped_ms IS NOT NULL ORDER BY size DESC LIMIT 1`,
    );
    this.#setNote = new Statement(database, 'UPDATE checkpoint SET note = ? WHERE size = ?');
  }

  last(): CheckpointRow | undefined {
    const row = this.#last.get();
    if (row === undefined) return undefined;
    const [size, root, note] = row as [number, Uint8Array, string | null];
    return { size, root, note: note ?? undefined };
  }

  /** All of this size and above that were signed, smallest first. */
  signed(from: number): readonly SignedCheckpoint[] {
    return this.#signed.all(from).map(toSigned);
  }

  lastSigned(): SignedCheckpoint | undefined {
    const row = this.#lastSigned.get();
    return row === undefined ? undefined : toSigned(row);
  }

  /** Throws for a size that nobody signed. */
  cosign({ size, lines, atMs }: Cosigning): void {
    this.#cosign.change(size, addLines(this.#signedNote(size), lines), atMs);
  }

  #signedNote(size: number): string {
    const note = this.#noteOf.get(size)?.[0];
    if (typeof note === 'string') return note;
    throw new StoreError('STORE_CONFLICT', `nobody signed size ${size}`);
  }

  /** The largest one that a witness cosigned. */
  cosigned(): CosignedCheckpoint | undefined {
    const row = this.#cosigned.get();
    if (row === undefined) return undefined;
    const [size, root, note, cosignedMs] = row as [number, Uint8Array, string, number];
    return { size, root, note, cosignedMs };
  }

  /** Throws for a size that nobody signed. */
  timestamp({ size, token, atMs }: Timestamping): void {
    this.#signedNote(size);
    this.#timestamp.run(size, token, atMs);
  }

  /** The largest one that has a timestamp. */
  timestamped(): TimestampedCheckpoint | undefined {
    const row = this.#timestamped.get();
    if (row === undefined) return undefined;
    const [size, root, note, token, timestampedMs] = row as [
      ...[number, Uint8Array, string, Uint8Array, number],
    ];
    return { size, root, note, token, timestampedMs };
  }

  insert(size: number, root: Uint8Array): void {
    this.#insert.change(size, root);
  }

  setNote(size: number, note: string): void {
    this.#setNote.change(note, size);
  }
}

function toSigned(row: SqlRow): SignedCheckpoint {
  const [size, root, note] = row as [number, Uint8Array, string];
  return { size, root, note };
}
