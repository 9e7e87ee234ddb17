// Sizes and roots that were signed, or were about to be when the process ended.
import type { DatabaseSync } from 'node:sqlite';
import { Statement } from './statement.ts';

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

  constructor(database: DatabaseSync) {
    this.#last = new Statement(
      database,
      'SELECT size, root, note FROM checkpoint ORDER BY size DESC LIMIT 1',
    );
    this.#insert = new Statement(database, 'INSERT INTO checkpoint (size, root) VALUES (?, ?)');
    this.#signed = new Statement(
      database,
      'SELECT size, root, note FROM checkpoint WHERE note IS NOT NULL ORDER BY size',
    );
    this.#setNote = new Statement(database, 'UPDATE checkpoint SET note = ? WHERE size = ?');
  }

  last(): CheckpointRow | undefined {
    const row = this.#last.get();
    if (row === undefined) return undefined;
    const [size, root, note] = row as [number, Uint8Array, string | null];
    return { size, root, note: note ?? undefined };
  }

  /** All that were signed, smallest first. */
  signed(): readonly { readonly size: number; readonly root: Uint8Array; readonly note: string }[] {
    return this.#signed.all().map((row) => {
      const [size, root, note] = row as [number, Uint8Array, string];
      return { size, root, note };
    });
  }

  insert(size: number, root: Uint8Array): void {
    this.#insert.change(size, root);
  }

  setNote(size: number, note: string): void {
    this.#setNote.change(note, size);
  }
}
