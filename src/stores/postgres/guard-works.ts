// What must hold across all processes of one store: nonces, locks after wrong passcodes, keys of
// callers, recorded definitions.
import { lockAfterFailure, type PasscodeLock } from '../../core/moves/passcode-lock.ts';
import type { CallKey, ClaimedCallKey } from '../call-key.ts';
import type { StoredDefinition } from '../store.ts';
import type { Read } from './read-stored.ts';
import type { Statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

/** False for a nonce that was used or whose time is over; those need not be kept. */
export async function useNonce(
  transaction: Transaction,
  { nonce, expiresMs, nowMs }: { nonce: string; expiresMs: number; nowMs: number },
): Promise<boolean> {
  const [, inserted] = await transaction.write([
    { sql: 'DELETE FROM intentplane.nonce WHERE expires_ms <= $1', values: [nowMs] },
    {
      sql: `INSERT INTO intentplane.nonce (nonce, expires_ms)
        SELECT $1, $2::bigint WHERE $2::bigint > $3::bigint ON CONFLICT (nonce) DO NOTHING`,
      values: [nonce, expiresMs, nowMs],
    },
  ]);
  return inserted?.count === 1;
}

export function passcodeLock(person: string): Read<PasscodeLock> {
  return {
    sql: 'SELECT failures, locked_until_ms FROM intentplane.passcode_lock WHERE person = $1',
    values: [person],
    toRow: ([failures, lockedUntilMs]) => ({
      failures: failures as number,
      lockedUntilMs: lockedUntilMs as number,
    }),
  };
}

/** The row is there before it is locked, so that two first failures count as two. */
export async function countPasscodeFailure(
  transaction: Transaction,
  { person, nowMs }: { person: string; nowMs: number },
): Promise<number> {
  const { toRow, sql, values = [] } = passcodeLock(person);
  const [, found] = await transaction.write([
    {
      sql: `INSERT INTO intentplane.passcode_lock (person, failures, locked_until_ms)
        VALUES ($1, 0, 0) ON CONFLICT (person) DO NOTHING`,
      values: [person],
    },
    { sql: `${sql} FOR UPDATE`, values },
  ]);
  const lock = lockAfterFailure(toRow(found?.rows[0] ?? []), nowMs);
  await transaction.write([
    {
      sql: `UPDATE intentplane.passcode_lock SET failures = $2, locked_until_ms = $3
        WHERE person = $1`,
      values: [person, lock.failures, lock.lockedUntilMs],
      expect: 1,
    },
  ]);
  return lock.lockedUntilMs;
}

export function clearPasscode(person: string): Statement {
  return { sql: 'DELETE FROM intentplane.passcode_lock WHERE person = $1', values: [person] };
}

/** False when another process did it less than that long ago. */
export async function claimChore(
  transaction: Transaction,
  { name, everyMs, nowMs }: { name: string; everyMs: number; nowMs: number },
): Promise<boolean> {
  const [claimed] = await transaction.write([
    {
      sql: `INSERT INTO intentplane.chore AS c (name, done_ms) VALUES ($1, $2::bigint)
        ON CONFLICT (name) DO UPDATE SET done_ms = excluded.done_ms
        WHERE c.done_ms <= $2::bigint - $3::bigint`,
      values: [name, nowMs, everyMs],
    },
  ]);
  return claimed?.count === 1;
}

export function putDefinition(row: StoredDefinition): Statement {
  return {
    sql: `INSERT INTO intentplane.definition
        (server, tool, identity, digest, definition, instructions, recorded_ms)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (server, tool) DO UPDATE SET identity = excluded.identity,
        digest = excluded.digest, definition = excluded.definition,
        instructions = excluded.instructions, recorded_ms = excluded.recorded_ms`,
    values: [
      ...[row.server, row.tool, row.identity, row.digest, row.definition],
      ...[row.instructions ?? null, row.recordedMs],
    ],
    expect: 1,
  };
}

/** The row is there before it is read, so that of two claims at once one is the first. */
export async function claimCallKey(
  transaction: Transaction,
  claim: CallKey,
): Promise<ClaimedCallKey> {
  const [inserted, found] = await transaction.write([
    {
      sql: `INSERT INTO intentplane.call_key (call_key, payload, op_id) VALUES ($1, $2, $3)
        ON CONFLICT (call_key) DO NOTHING`,
      values: [claim.key, claim.payload, claim.opId],
    },
    {
      sql: 'SELECT payload, op_id FROM intentplane.call_key WHERE call_key = $1',
      values: [claim.key],
    },
  ]);
  const [payload, opId] = found?.rows[0] ?? [];
  return {
    key: claim.key,
    payload: payload as string,
    opId: opId as string,
    isNew: inserted?.count === 1,
  };
}
