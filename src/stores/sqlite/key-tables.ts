// Keys that stand for one operation for ever: values that succeed once, and calls that are made once.
import type { DatabaseSync } from 'node:sqlite';
import type { OnceFact } from '../../core/facts.ts';
import type { OnceTake } from '../../core/moves/writes.ts';
import type { CallKey, ClaimedCallKey } from '../call-key.ts';
import { Statement } from './statement.ts';

export class OnceTable {
  readonly #holder: Statement;
  readonly #take: Statement;
  readonly #pass: Statement;

  constructor(database: DatabaseSync) {
    this.#holder = new Statement(
      database,
      `SELECT k.op_id, o.state FROM once_key k
       JOIN leaf l ON l.op_id = k.op_id AND l.type = 'proposal' JOIN operation o ON o.n = l.seq
       WHERE k.once_key = ?`,
    );
    this.#take = new Statement(database, 'INSERT INTO once_key (once_key, op_id) VALUES (?, ?)');
    this.#pass = new Statement(
      database,
      'UPDATE once_key SET op_id = ?2 WHERE once_key = ?1 AND op_id = ?3',
    );
  }

  holder(once: string): OnceFact | undefined {
    const row = this.#holder.get(once);
    if (row === undefined) return undefined;
    return { opId: row[0] as string, state: row[1] as OnceFact['state'] };
  }

  take({ once, opId, from }: OnceTake): void {
    if (from === undefined) this.#take.change(once, opId);
    else this.#pass.change(once, opId, from);
  }
}

export class CallKeyTable {
  readonly #read: Statement;
  readonly #insert: Statement;

  constructor(database: DatabaseSync) {
    this.#read = new Statement(database, 'SELECT payload, op_id FROM call_key WHERE call_key = ?');
    this.#insert = new Statement(
      database,
      'INSERT INTO call_key (call_key, payload, op_id) VALUES (?, ?, ?)',
    );
  }

  claim(claim: CallKey): ClaimedCallKey {
    const row = this.#read.get(claim.key);
    if (row !== undefined) {
      return {
        key: claim.key,
        payload: row[0] as string,
        opId: row[1] as string,
        isNew: false,
      };
    }
    this.#insert.change(claim.key, claim.payload, claim.opId);
    return { ...claim, isNew: true };
  }
}
