// What may be signed: only what extends everything that was signed before, or was about to be.
import { frontierRoot, isSameHash } from '../../core/merkle.ts';
import { addLines } from '../cosigned-note.ts';
import { type Cosigning, StoreError, type Timestamping } from '../store.ts';
import { badState, checkRootAt } from './log-state.ts';
import type { Statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

export interface Claim {
  readonly size: number;
  readonly root: Uint8Array;
  /** Undefined between the decision to sign and the signature. */
  readonly note: string | undefined;
}

/** Newest first. */
const lastCheckpoint: Statement = {
  sql: 'SELECT size, root, note FROM intentplane.checkpoint ORDER BY size DESC LIMIT 1',
};

/** Size and root are durable before anybody signs them. */
export async function claimCheckpoint(transaction: Transaction): Promise<Claim> {
  const { frontier } = await transaction.lockLog();
  const { size } = frontier;
  const root = frontierRoot(frontier);
  const [answer] = await transaction.read([lastCheckpoint]);
  const last = toClaim(answer?.rows[0]);
  if (last !== undefined && last.size > size) {
    throw badState(`it has ${size} leaves, ${last.size} were signed`);
  }
  if (last !== undefined) {
    await checkRootAt(last, (statements) => transaction.read(statements));
    if (last.size === size && isSameHash(last.root, root)) return last;
  }
  await transaction.write([
    {
      sql: 'INSERT INTO intentplane.checkpoint (size, root) VALUES ($1, $2)',
      values: [size, root],
    },
  ]);
  return { size, root, note: undefined };
}

/** Throws for a size that nobody signed. */
export async function cosignCheckpoint(
  transaction: Transaction,
  { size, lines, atMs }: Cosigning,
): Promise<void> {
  const [note] = await lockSigned(transaction, size);
  await transaction.write([
    {
      sql: 'UPDATE intentplane.checkpoint SET note = $2, cosigned_ms = $3 WHERE size = $1',
      values: [size, addLines(note, lines), atMs],
      expect: 1,
    },
  ]);
}

/** Throws for a size that nobody signed. */
export async function timestampCheckpoint(
  transaction: Transaction,
  { size, token, atMs }: Timestamping,
): Promise<void> {
  const [, timestampedMs] = await lockSigned(transaction, size);
  if (timestampedMs !== null) return;
  await transaction.write([
    {
      sql: `UPDATE intentplane.checkpoint SET timestamp_token = $2, timestamped_ms = $3
        WHERE size = $1`,
      values: [size, Buffer.from(token), atMs],
      expect: 1,
    },
  ]);
}

/** The note of a checkpoint and when it was timestamped, locked. */
async function lockSigned(
  transaction: Transaction,
  size: number,
): Promise<readonly [note: string, timestampedMs: number | null]> {
  const sql = `SELECT note, timestamped_ms FROM intentplane.checkpoint
    WHERE size = $1 FOR UPDATE`;
  const [answer] = await transaction.read([{ sql, values: [size] }]);
  const [note, timestampedMs] = answer?.rows[0] ?? [];
  if (typeof note !== 'string') {
    throw new StoreError('STORE_CONFLICT', `nobody signed size ${size}`);
  }
  return [note, timestampedMs as number | null];
}

export function setNote(size: number, note: string): Statement {
  return {
    sql: 'UPDATE intentplane.checkpoint SET note = $2 WHERE size = $1',
    values: [size, note],
    expect: 1,
  };
}

function toClaim(row: readonly unknown[] | undefined): Claim | undefined {
  if (row === undefined) return undefined;
  const [size, root, note] = row as [number, Uint8Array, string | null];
  return { size, root: Uint8Array.from(root), note: note ?? undefined };
}
