// Recorded definitions of downstream tools.
import type { DatabaseSync } from 'node:sqlite';
import type { StoredDefinition } from '../store.ts';
import { type SqlRow, Statement } from './statement.ts';

export class DefinitionTable {
  readonly #all: Statement;
  readonly #put: Statement;

  constructor(database: DatabaseSync) {
    this.#all = new Statement(
      database,
      `SELECT server, tool, identity, digest, definition, instructions, recorded_ms
       FROM definition ORDER BY server, tool`,
    );
    this.#put = new Statement(
      database,
      `INSERT INTO definition
         (server, tool, identity, digest, definition, instructions, recorded_ms)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
       ON CONFLICT (server, tool) DO UPDATE SET identity = ?3, digest = ?4, definition = ?5,
         instructions = ?6, recorded_ms = ?7`,
    );
  }

  all(): readonly StoredDefinition[] {
    return this.#all.all().map(toDefinition);
  }

  put(row: StoredDefinition): void {
    this.#put.change(
      row.server,
      row.tool,
      row.identity,
      row.digest,
      row.definition,
      row.instructions ?? null,
      row.recordedMs,
    );
  }
}

function toDefinition(row: SqlRow): StoredDefinition {
  return {
    server: row[0] as string,
    tool: row[1] as string,
    identity: row[2] as string,
    digest: row[3] as string,
    definition: row[4] as string,
    instructions: (row[5] as string | null) ?? undefined,
    recordedMs: row[6] as number,
  };
}
