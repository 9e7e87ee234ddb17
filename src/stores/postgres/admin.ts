// Migration and inspection of a database, by command.
import { frontierRoot } from '../../core/merkle.ts';
import type { MigrationReport, StoreInspection } from '../store-admin.ts';
import { Connection } from './connection.ts';
import { checkRootAt, lockLog, toLogRow } from './log-state.ts';
import { migrate, schemaVersion } from './migrate.ts';
import { toStoreError } from './postgres-error.ts';
import { checkSchema, checkServer } from './server-check.ts';

/** Throws `StoreError`; then nothing was changed. */
export function migrateDatabase(
  url: string,
  settings: { readonly nowMs: number },
): Promise<MigrationReport> {
  return connected(url, async (connection) => {
    await checkServer(connection);
    return { ...(await migrate(connection, settings)), to: schemaVersion };
  });
}

/** Reads only. Throws `StoreError` when a gateway could not serve on it. */
export function inspectDatabase(url: string): Promise<StoreInspection> {
  return connected(url, async (connection) => {
    const report = await checkServer(connection);
    checkSchema(report);
    // One moment of the log for row and nodes, while others append to it.
    await connection.query({ sql: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' });
    const state = await connection.query({ sql: lockLog.sql.replace(' FOR UPDATE', '') });
    const { frontier } = toLogRow(state.rows[0]);
    const { size } = frontier;
    const root = frontierRoot(frontier);
    await checkRootAt({ size, root }, (statements) => connection.flight(statements));
    await connection.query({ sql: 'COMMIT' });
    const { version: server, settings, schema } = report;
    return { kind: 'postgres', server, settings, schema, size, root };
  });
}

async function connected<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  try {
    const connection = await Connection.open(url);
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  } catch (error) {
    throw toStoreError(error);
  }
}
