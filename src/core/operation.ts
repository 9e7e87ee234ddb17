// Rows that the store keeps, and the moves between their states.
import type { Level } from './decision.ts';

/** States of an operation; forward moves only. A refused proposal has leaves and no row. */
export type OperationState =
  | 'ASKING'
  | 'CLOSED'
  | 'DISPATCHING'
  | 'SUCCEEDED'
  | 'FAILED'
  | 'UNKNOWN';

const legalMoves: Readonly<Record<OperationState, readonly OperationState[]>> = {
  ASKING: ['DISPATCHING', 'CLOSED'],
  CLOSED: [],
  DISPATCHING: ['SUCCEEDED', 'FAILED', 'UNKNOWN'],
  SUCCEEDED: [],
  FAILED: [],
  UNKNOWN: ['SUCCEEDED', 'FAILED', 'DISPATCHING'],
};

/** True when a row may go from one state to the other. */
export function isLegalMove(from: OperationState, to: OperationState): boolean {
  return legalMoves[from].includes(to);
}

/** How the last attempt ended. */
export type OutcomeClass =
  | 'SUCCESS'
  | 'NOT_SENT'
  | 'REJECTED'
  | 'AMBIGUOUS'
  | 'TOOL_ERROR'
  | 'ODD_ANSWER';

/** One resolved proposal. Values live in the payloads of its leaves only. */
export interface OperationRow {
  /** 128 random bits, lower-case hex. */
  readonly opId: string;
  readonly mandateId: string;
  /** First mandate of the `supersedes` line: renewal frees no fingerprint. */
  readonly mandateLine: string;
  readonly action: string;
  /** HMAC over the resolved proposal (base64url); equal calls have equal ones. */
  readonly fingerprint: string;
  readonly opHash: string;
  readonly state: OperationState;
  readonly level: Level;
  readonly effect: 'write' | 'read';
  readonly attempt: number;
  /** Process that dispatched; absent while asking. */
  readonly owner: string | undefined;
  readonly createdMs: number;
  /** Time of the last move. */
  readonly movedMs: number;
  readonly deadlineMs: number | undefined;
  readonly outcome: OutcomeClass | undefined;
  /** Whether the final state was told to the caller. */
  readonly told: boolean;
}

/** States of an approval request; all but the first two are final. */
export type ApprovalState =
  | 'REQUESTED'
  | 'GRANTED'
  | 'REJECTED'
  | 'EXPIRED'
  | 'CANCELLED'
  | 'VOIDED'
  | 'CONSUMED';

/** How strongly an answer is tied to a person, weak to strong. */
export type Assurance = 'elicitation' | 'passcode' | 'oidc' | 'passkey' | 'passkey-bound';

/** One question put to people about one operation. */
export interface ApprovalRow {
  /** 128 random bits, lower-case hex; stands in links and authenticates nobody. */
  readonly approvalId: string;
  readonly opId: string;
  readonly mandateId: string;
  readonly fingerprint: string;
  readonly level: 1 | 2;
  readonly state: ApprovalState;
  readonly createdMs: number;
  readonly expiresMs: number;
  readonly endedMs: number | undefined;
  /** What voided or ended it, in one word (`expired`, `policy`, …). */
  readonly endReason: string | undefined;
  /** Whether the caller was told how it ended. */
  readonly told: boolean;
  readonly assurance: Assurance | undefined;
  readonly channel: string | undefined;
}

/** The session mandate of the configuration, or its successor. */
export interface MandateRow {
  /** UUID. */
  readonly mandateId: string;
  /** First of its `supersedes` line. */
  readonly line: string;
  readonly supersedes: string | undefined;
  /** Mandate whose life budgets this one uses: an amendment keeps them, a renewal starts anew. */
  readonly budgetRoot: string;
  /** Budgets that apply now. */
  readonly budgetKinds: readonly ('amount' | 'calls')[];
  readonly principal: string;
  readonly tenant: string;
  readonly agent: string;
  readonly status: 'active' | 'suspended' | 'revoked' | 'superseded';
  readonly notBeforeMs: number;
  readonly expiresMs: number;
  readonly levelMin: Level;
  readonly scopes: readonly string[];
  /** SHA-256 (hex) of the signed or canonical mandate. */
  readonly hash: string;
}

/** One life budget. */
export interface BudgetRow {
  /** `<budgetRoot>/<kind>` */
  readonly budgetId: string;
  readonly budgetRoot: string;
  readonly kind: 'amount' | 'calls';
  readonly limit: number;
  readonly reserved: number;
  readonly spent: number;
  readonly frozen: boolean;
}

/** One reservation of one operation on one budget. */
export interface BudgetMove {
  readonly kind: 'reserve' | 'settle' | 'release';
  readonly budgetId: string;
  readonly opId: string;
  /** What is reserved; settling and releasing name the same amount again. */
  readonly amount: number;
}

/** Idempotency key sent to targets: the same for every attempt of an operation, kept for ever. */
export function attemptKey(opId: string): string {
  return `ip_${opId}`;
}
