// Rows as maps, with the lookups that transactions need: all rows of the memory store, or those
// that a transaction of another database read before it plans.
import type { OnceFact } from '../core/facts.ts';
import type { AmendmentDraft, HistoryRow } from '../core/history.ts';
import type { KeptRecord } from '../core/kept-record.ts';
import type { LeafDraft } from '../core/leaf.ts';
import type { ApprovalRow, BudgetRow, MandateRow, OperationRow } from '../core/operation.ts';

/** What one operation holds of one counter. */
export interface Reservation {
  readonly budgetId: string;
  readonly amount: number;
  readonly agesMs: number | undefined;
}

/** What was spent of one counter by one operation. */
export interface SpentEntry {
  readonly opId: string;
  readonly amount: number;
  readonly state: 'settled' | 'overrun';
  readonly agesMs: number | undefined;
}

/** Operations of one fingerprint and mandate line. */
export interface Repeats {
  newest: string;
  success: string | undefined;
  /** In order of arrival. */
  readonly unresolved: Set<string>;
  readonly untold: Set<string>;
}

/** A once key with its holder; the state is that of the moment it was read or taken. */
export interface OnceHolder extends OnceFact {
  readonly once: string;
}

/** Proposals under one mandate that were denied in one minute. */
interface DeniedMinute {
  readonly mandateId: string;
  /** Minutes since 1970. */
  readonly minute: number;
  readonly denials: number;
}

/** A row is replaced and never changed, so that a comparison by identity finds what changed. */
export interface RowTables {
  readonly operations: Map<string, OperationRow>;
  readonly repeats: Map<string, Repeats>;
  readonly reserved: Map<string, readonly Reservation[]>;
  /** By counter, what has not aged; of another database only what this transaction spends. */
  readonly spent: Map<string, readonly SpentEntry[]>;
  readonly approvals: Map<string, ApprovalRow>;
  readonly approvalIdOf: Map<string, string>;
  readonly openApprovals: Set<string>;
  /** In order of issue. */
  readonly mandates: Map<string, MandateRow>;
  readonly budgets: Map<string, BudgetRow>;
  readonly once: Map<string, OnceHolder>;
  /** By `recordKey`; of another database only what this transaction needs. */
  readonly records: Map<string, KeptRecord>;
  /** By operation, in order of their proposals; of another database only what this transaction adds. */
  readonly history: Map<string, HistoryRow>;
  /** By mandate and minute. */
  readonly denials: Map<string, DeniedMinute>;
  readonly drafts: Map<string, AmendmentDraft>;
}

/** The log as these rows use it. */
export interface RowLog {
  /** Store time: the later of the clock and the time of the last leaf. */
  readonly nowMs: number;
  /** How far the clock stands behind it. */
  readonly clockBehindMs: number;
  /** A text that the decision about an operation committed to; undefined when it was erased. */
  decisionText(opId: string, field: 'preimage' | 'call'): string | undefined;
  /** Seals and appends all of them, or throws and appends none. */
  append(leaves: readonly LeafDraft[]): void;
}

export function createRowTables(): RowTables {
  return {
    operations: new Map(),
    repeats: new Map(),
    reserved: new Map(),
    spent: new Map(),
    approvals: new Map(),
    approvalIdOf: new Map(),
    openApprovals: new Set(),
    mandates: new Map(),
    budgets: new Map(),
    once: new Map(),
    records: new Map(),
    history: new Map(),
    denials: new Map(),
    drafts: new Map(),
  };
}

/** Key of `repeats`. */
export function repeatKey(fingerprint: string, mandateLine: string): string {
  return `${fingerprint}\n${mandateLine}`;
}
