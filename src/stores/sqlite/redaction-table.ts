// Erasing values and salts. A row is emptied and not deleted: pages are then never joined, which
// would leave copies of its neighbours in their unused parts.
import type { DatabaseSync } from 'node:sqlite';
import type { Erasure, RedactableLeaf } from '../../core/moves/plan-redaction.ts';
import type { OperationState } from '../../core/operation.ts';
import { type KeptLeaf, type KeptPage, toKeptLeaf } from '../erasure.ts';
import { keptFields, withoutFields } from '../payload-text.ts';
import { type SqlRow, Statement } from './statement.ts';

export class RedactionTable {
  readonly #leaf: Statement;
  readonly #fields: Statement;
  readonly #empty: Statement;
  readonly #skipSuccess: Statement;
  readonly #forget: Statement;
  readonly #forgetApproval: Statement;
  readonly #repeats: Statement;
  readonly #kept: Statement;

  constructor(database: DatabaseSync) {
    const statement = (sql: string): Statement => new Statement(database, sql);
    this.#leaf = statement(
      `SELECT l.seq, l.hash, l.type, l.op_id, o.state, p.fields FROM leaf l
       LEFT JOIN payload p ON p.seq = l.seq LEFT JOIN operation o ON o.n = l.proposal
       WHERE l.seq = ?`,
    );
    this.#fields = statement('SELECT fields FROM payload WHERE seq = ?');
    this.#empty = statement('UPDATE payload SET fields = ? WHERE seq = ?');
    this.#skipSuccess = statement(
      `UPDATE operation SET earlier_success =
         (SELECT e.earlier_success FROM operation e WHERE e.n = ?1)
       WHERE earlier_success = ?1 AND (fingerprint, mandate_line) =
         (SELECT e.fingerprint, e.mandate_line FROM operation e WHERE e.n = ?1)`,
    );
    this.#forget = statement(`UPDATE operation SET fingerprint = '' WHERE n = ?`);
    this.#forgetApproval = statement(`UPDATE approval SET fingerprint = '' WHERE op_id = ?`);
    this.#repeats = statement(
      `SELECT op_id FROM leaf WHERE type = 'decision' AND op_id <> ?1
       AND instr(bytes, CAST('"' || ?1 || '"' AS BLOB)) > 0 ORDER BY seq`,
    );
    this.#kept = statement(
      `SELECT p.seq, l.type, o.action, o.state, iif(o.action IS NULL, r.bytes, NULL)
       FROM payload p CROSS JOIN leaf l ON l.seq = p.seq
       LEFT JOIN operation o ON o.n = l.proposal LEFT JOIN leaf r ON r.seq = l.proposal
       WHERE p.seq >= ? AND p.seq < ? AND p.fields <> '{}' ORDER BY p.seq LIMIT ?`,
    );
  }

  /** A leaf as an order needs it; undefined when there is none. */
  leaf(seq: number): RedactableLeaf | undefined {
    return toRedactable(this.#leaf.get(seq));
  }

  erase({ seq, fields }: Erasure): void {
    const text = this.#fields.get(seq)?.[0];
    if (typeof text === 'string') this.#empty.change(withoutFields(text, fields), seq);
  }

  /** The row keeps its state and is the repeat of nothing. `n` = its number. */
  forget(opId: string, n: number): void {
    this.#skipSuccess.run(n);
    this.#forget.run(n);
    this.#forgetApproval.run(opId);
  }

  repeatsOf(opId: string): readonly string[] {
    return this.#repeats.all(opId).map(([other]) => other as string);
  }

  kept({ from, below, count }: KeptPage): readonly KeptLeaf[] {
    return this.#kept.all(from, below, count).map(toKeptLeaf);
  }
}

function toRedactable(row: SqlRow | undefined): RedactableLeaf | undefined {
  if (row === undefined) return undefined;
  const [seq, hash, type, opId, state, fields] = row;
  return {
    seq: seq as number,
    hash: hash as Uint8Array,
    type: type as string,
    opId: (opId as string | null) ?? undefined,
    state: (state as OperationState | null) ?? undefined,
    kept: typeof fields === 'string' ? keptFields(fields) : [],
  };
}
