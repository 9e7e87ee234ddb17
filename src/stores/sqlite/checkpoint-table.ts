// Sizes and roots that were signed, or were about to be when the process ended.
import type { DatabaseSync } from 'node:sqlite';
import { addLines } from '../cosigned-note.ts';
import {
  type CosignedCheckpoint,
  type Cosigning,
  type SignedCheckpoint,
  StoreError,
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
    const note = this.#noteOf.get(size)?.[0];
    if (typeof note !== 'string') {
      throw new StoreError('STORE_CONFLICT', `nobody signed size ${size}`);
    }
    this.#cosign.change(size, addLines(note, lines), atMs);
  }

  /** The largest one that a witness cosigned. */
  cosigned(): CosignedCheckpoint | undefined {
    const row = this.#cosigned.get();
    if (row === undefined) return undefined;
    const [size, root, note, cosignedMs] = row as [number, Uint8Array, string, number];
    return { size, root, note, cosignedMs };
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
