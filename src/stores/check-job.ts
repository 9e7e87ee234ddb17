// Look-ups of operations whose outcome nobody knows, as jobs that one process at a time holds.
import type { LeafDraft } from '../core/leaf.ts';

/** One look-up, leased to this process. */
export interface CheckJob {
  readonly opId: string;
  readonly attempt: number;
  /** When this attempt became UNKNOWN. */
  readonly unknownSinceMs: number;
  /** When the operation was UNKNOWN first. */
  readonly firstUnknownMs: number;
  /** Look-ups of this attempt that were made. */
  readonly checks: number;
  /** When somebody was told last that it is UNKNOWN for so long. */
  readonly alarmedMs: number | undefined;
  /** Store time of the lease. */
  readonly nowMs: number;
}

/** What is wanted of `claimCheck`. */
export interface CheckWish {
  readonly leaseMs: number;
  /** This operation, due or not; else the one that is due longest. */
  readonly opId?: string;
}

/** A look-up that was made. */
export interface CheckDone {
  readonly opId: string;
  readonly attempt: number;
  readonly checks: number;
  readonly dueMs: number;
  readonly alarmedMs: number | undefined;
  /** Written with it, when the lease still holds. */
  readonly leaves: readonly LeafDraft[];
}

/** A job as it is kept. */
export interface CheckRow {
  readonly attempt: number;
  readonly firstUnknownMs: number;
  readonly checks: number;
  readonly dueMs: number;
  readonly alarmedMs: number | undefined;
  readonly leaseOwner: string | undefined;
  readonly leaseUntilMs: number;
}
