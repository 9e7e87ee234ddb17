// Rows of the reference gateway, what it sees when a call comes, and what callers must hear.
import type { StoreEvent } from './store-call.ts';

export interface ReferenceOperation {
  readonly opId: string;
  readonly action: string;
  readonly amount: number;
  /** Equal for calls that are the same. */
  readonly sameness: string;
  /** Equal for calls of which one succeeds. */
  readonly once: string | undefined;
  readonly state: string;
  readonly attempt: number;
  readonly owner: string | undefined;
  readonly outcome: string | undefined;
  readonly told: boolean;
  readonly movedMs: number;
  readonly mandateId: string;
  /** When its first attempt was committed. */
  readonly firstSentMs: number;
  /** Of its last attempt. */
  readonly deadlineMs: number;
  readonly root: string;
  /** Version of the tool that a person approves. */
  readonly definition: string | null;
}

export interface ReferenceApproval {
  readonly approvalId: string;
  readonly opId: string;
  readonly mandateId: string;
  readonly state: string;
  readonly expiresMs: number;
  readonly endedMs: number;
  readonly told: boolean;
}

export interface ReferenceMandate {
  readonly mandateId: string;
  readonly line: string;
  readonly root: string;
  readonly status: string;
  readonly expiresMs: number;
  readonly limits: Readonly<Record<string, number>>;
}

/** Who asks the target about an operation, and when it is asked next. */
export interface ReferenceCheck {
  readonly attempt: number;
  readonly dueMs: number;
  readonly owner: string | undefined;
  readonly untilMs: number;
}

/** What the caller of one proposal must hear. */
export type Expected =
  | { readonly kind: 'denied'; readonly code: string }
  | { readonly kind: 'pending'; readonly opId: string }
  | { readonly kind: 'told'; readonly opId: string }
  | { readonly kind: 'dispatched'; readonly opId: string };

export type Draft = Extract<StoreEvent, { kind: 'decide' }>['draft'];

export interface Waiting {
  readonly operation: ReferenceOperation;
  readonly question: ReferenceApproval;
}

/** A call, and everything that was there before it. */
export interface Situation {
  readonly draft: Draft;
  readonly nowMs: number;
  readonly mandate: ReferenceMandate;
  readonly amount: number;
  readonly sameness: string;
  readonly once: string | undefined;
  /** Another operation that has it. */
  readonly holder: ReferenceOperation | undefined;
  /** Of the same call. */
  readonly newest: ReferenceOperation | undefined;
  /** About the newest one. */
  readonly question: ReferenceApproval | undefined;
  readonly waiting: Waiting | undefined;
  readonly untold: ReferenceOperation | undefined;
  readonly unresolved: ReferenceOperation | undefined;
  readonly success: ReferenceOperation | undefined;
}
