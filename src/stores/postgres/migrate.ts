// Brings the tables of a database to the version that this program knows: by command only, since
// other gateways may be using them.
import { readdirSync, readFileSync } from 'node:fs';
import { leaseMs } from '../lease.ts';
import { StoreError } from '../store.ts';
import type { Connection } from './connection.ts';

const folder = new URL('./migrations/', import.meta.url);

const migrations: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .sort();

/** Version of the tables after all migrations. */
export const schemaVersion: number = migrations.length;

/** Names both versions, so that the reader knows which side to update. */
export function newerStore(version: number): StoreError {
  return new StoreError(
    'STORE_NEWER',
    `the store has version ${version}, this program knows up to ${schemaVersion}: update intentplane`,
    { fatal: true },
  );
}

/** Asked of the catalogue itself: `to_regclass` may not know yet what another session just made. */
export const hasTables = `EXISTS (SELECT 1 FROM pg_catalog.pg_tables
  WHERE schemaname = 'intentplane' AND tablename = 'schema_version')`;

/** Any number that nobody else locks: two migrations at once wait for each other. */
const lockNumber = 7_102_026_151;

/** Runs what is missing in one transaction; `from` is the version that was found under the lock. */
export async function migrate(
  connection: Connection,
  { nowMs }: { readonly nowMs: number },
): Promise<{ readonly from: number; readonly applied: readonly string[] }> {
  const run = (sql: string) => connection.query({ sql });
  await run(`BEGIN; SET LOCAL lock_timeout = '10s'; SELECT pg_advisory_xact_lock(${lockNumber})`);
  try {
    const from = await lockVersion(connection);
    if (from > schemaVersion) throw newerStore(from);
    const applied = migrations.slice(from);
    if (from > 0 && applied.length > 0) await refuseLiveProcesses(connection, nowMs);
    if (from === 0) await createSchema(connection);
    for (const name of applied) await run(readFileSync(new URL(name, folder), 'utf8'));
    await connection.query({
      sql: 'UPDATE intentplane.schema_version SET version = $1',
      values: [schemaVersion],
      expect: 1,
    });
    await run('COMMIT');
    return { from, applied };
  } catch (error) {
    if (!connection.isLost) await run('ROLLBACK');
    throw error;
  }
}

/** Writers read this row in each transaction, so none of them runs meanwhile. */
async function lockVersion(connection: Connection): Promise<number> {
  const found = await connection.query({ sql: `SELECT ${hasTables}` });
  if (found.rows[0]?.[0] !== true) return 0;
  await connection.query({ sql: 'LOCK TABLE intentplane.schema_version' });
  const version = await connection.query({ sql: 'SELECT version FROM intentplane.schema_version' });
  return version.rows[0]?.[0] as number;
}

/** A schema that is there already need not be made, nor does it take the right to. */
async function createSchema(connection: Connection): Promise<void> {
  const found = await connection.query({
    sql: `SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = 'intentplane')`,
  });
  if (found.rows[0]?.[0] !== true) await connection.query({ sql: 'CREATE SCHEMA intentplane' });
}

async function refuseLiveProcesses(connection: Connection, nowMs: number): Promise<void> {
  const { rows } = await connection.query({
    sql: `SELECT host, pid FROM intentplane.process
      WHERE schema_version < $1 AND heartbeat_ms > $2 ORDER BY host, pid`,
    values: [schemaVersion, nowMs - leaseMs],
  });
  if (rows.length === 0) return;
  const names = rows.map(([host, pid]) => `${host} (pid ${pid})`).join(', ');
  throw new StoreError(
    'STORE_BUSY',
    `gateways of an older version are running on ${names}: stop them, then migrate`,
  );
}
