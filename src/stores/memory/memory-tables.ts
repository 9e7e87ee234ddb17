// Everything the memory store holds, with the lookups its transactions need.
import { emptyFrontier, type Frontier } from '../../core/merkle.ts';
import { noPasscodeLock, type PasscodeLock } from '../../core/moves/passcode-lock.ts';
import type { ApprovalRow, BudgetRow, MandateRow, OperationRow } from '../../core/operation.ts';
import type { Reservation } from '../rows.ts';
import type { SignedCheckpoint, StoredDefinition, StoredLeaf } from '../store.ts';

/** Operations of one fingerprint and mandate line. */
export interface Repeats {
  newest: string;
  success: string | undefined;
  readonly unresolved: Set<string>;
  readonly untold: Set<string>;
}

export interface MemoryTables {
  readonly operations: Map<string, OperationRow>;
  readonly repeats: Map<string, Repeats>;
  readonly reserved: Map<string, readonly Reservation[]>;
  readonly approvals: Map<string, ApprovalRow>;
  readonly approvalIdOf: Map<string, string>;
  readonly openApprovals: Set<string>;
  /** In order of issue. */
  readonly mandates: Map<string, MandateRow>;
  readonly budgets: Map<string, BudgetRow>;
  readonly definitions: Map<string, StoredDefinition>;
  readonly nonces: Map<string, number>;
  readonly locks: Map<string, PasscodeLock>;
  readonly leaves: StoredLeaf[];
  readonly seqsOf: Map<string, number[]>;
  /** Hashes by tile level; level 0 are the leaves. */
  readonly hashes: Uint8Array[][];
  frontier: Frontier;
  lastMs: number;
  checkpoint: SignedCheckpoint | undefined;
}

export function createMemoryTables(): MemoryTables {
  return {
    operations: new Map(),
    repeats: new Map(),
    reserved: new Map(),
    approvals: new Map(),
    approvalIdOf: new Map(),
    openApprovals: new Set(),
    mandates: new Map(),
    budgets: new Map(),
    definitions: new Map(),
    nonces: new Map(),
    locks: new Map(),
    leaves: [],
    seqsOf: new Map(),
    hashes: [[]],
    frontier: emptyFrontier,
    lastMs: 0,
    checkpoint: undefined,
  };
}

/** Key of `repeats`. */
export function repeatKey(fingerprint: string, mandateLine: string): string {
  return `${fingerprint}\n${mandateLine}`;
}

export function lockOf(tables: MemoryTables, person: string): PasscodeLock {
  return tables.locks.get(person) ?? noPasscodeLock;
}
