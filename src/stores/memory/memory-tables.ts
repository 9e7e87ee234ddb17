// Everything the memory store holds: rows, log, guards.
import { emptyFrontier, type Frontier } from '../../core/merkle.ts';
import { noPasscodeLock, type PasscodeLock } from '../../core/moves/passcode-lock.ts';
import type { CallKey } from '../call-key.ts';
import type { CheckRow } from '../check-job.ts';
import { createRowTables, type RowTables } from '../row-tables.ts';
import type {
  CosignedCheckpoint,
  SignedCheckpoint,
  StoredDefinition,
  StoredLeaf,
  TimestampedCheckpoint,
} from '../store.ts';

export interface MemoryTables extends RowTables {
  readonly definitions: Map<string, StoredDefinition>;
  readonly nonces: Map<string, number>;
  readonly locks: Map<string, PasscodeLock>;
  /** When each kind of work was done last. */
  readonly chores: Map<string, number>;
  readonly checks: Map<string, CheckRow>;
  readonly callKeys: Map<string, CallKey>;
  readonly leaves: StoredLeaf[];
  readonly seqsOf: Map<string, number[]>;
  /** Hashes by tile level; level 0 are the leaves. */
  readonly hashes: Uint8Array[][];
  frontier: Frontier;
  lastMs: number;
  checkpoint: SignedCheckpoint | undefined;
  cosigned: CosignedCheckpoint | undefined;
  timestamped: TimestampedCheckpoint | undefined;
}

export function createMemoryTables(): MemoryTables {
  return {
    ...createRowTables(),
    definitions: new Map(),
    nonces: new Map(),
    locks: new Map(),
    chores: new Map(),
    checks: new Map(),
    callKeys: new Map(),
    leaves: [],
    seqsOf: new Map(),
    hashes: [[]],
    frontier: emptyFrontier,
    lastMs: 0,
    checkpoint: undefined,
    cosigned: undefined,
    timestamped: undefined,
  };
}

export function lockOf(tables: MemoryTables, person: string): PasscodeLock {
  return tables.locks.get(person) ?? noPasscodeLock;
}

/** False for a nonce that was used or whose time is over. */
export function takeNonce(
  { nonces }: MemoryTables,
  { nonce, expiresMs, nowMs }: { nonce: string; expiresMs: number; nowMs: number },
): boolean {
  for (const [each, untilMs] of nonces) if (untilMs <= nowMs) nonces.delete(each);
  if (expiresMs <= nowMs || nonces.has(nonce)) return false;
  nonces.set(nonce, expiresMs);
  return true;
}

/** False when it was done less than that long ago. */
export function takeChore(
  { chores }: MemoryTables,
  { name, everyMs, nowMs }: { name: string; everyMs: number; nowMs: number },
): boolean {
  if (nowMs < (chores.get(name) ?? -everyMs) + everyMs) return false;
  chores.set(name, nowMs);
  return true;
}
