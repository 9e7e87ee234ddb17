// Rows that the store keeps, and the moves between their states.
import type { BudgetWindow } from './checks/budget-window.ts';
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

/** Who has to approve one request. Fixed when it is made. */
export interface ApprovalTerms {
  /** `supply`: the person enters a value that nothing trusted explains. */
  readonly kind: 'confirm' | 'supply';
  /** How many persons beside the principal; 0 at level 1. */
  readonly count: number;
  /** Each of them filled by a different person; `approver` where the level alone asks. */
  readonly roles: readonly string[];
  /** Handles of persons whose approval never counts; the principal's own is a matter of `includeUser`. */
  readonly exclude: readonly string[];
  /** The principal's own approval is needed beside the others. */
  readonly includeUser: boolean;
  /** One person answers twice with this time in between; undefined = four eyes. */
  readonly soloWaitMs: number | undefined;
}

/** One approval that counts. A reject ends the request and is no vote. */
export interface Vote {
  readonly personId: string;
  /** Passkey that signed it. */
  readonly credentialId: string | undefined;
  readonly assurance: Assurance;
  /** `page`, `elicitation`, `cli`, or the name of a plug-in. */
  readonly channel: string;
  readonly atMs: number;
}

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
  /** Of the last answer. */
  readonly assurance: Assurance | undefined;
  readonly channel: string | undefined;
  readonly terms: ApprovalTerms;
  /** In the order they were given; all over the same hash. */
  readonly votes: readonly Vote[];
}

/** The session mandate of the configuration, or its successor. */
export interface MandateRow {
  /** UUID. */
  readonly mandateId: string;
  /** First of its `supersedes` line. */
  readonly line: string;
  readonly supersedes: string | undefined;
  /** Mandate that it was delegated from; whoever supersedes that one takes its place. */
  readonly parent: string | undefined;
  /** Lines of the mandates above it, nearest first; empty for the mandate of a session. */
  readonly ancestors: readonly string[];
  /** Mandate whose life budgets this one uses: an amendment keeps them, a renewal starts anew. */
  readonly budgetRoot: string;
  /** Budgets that apply now. */
  readonly budgetIds: readonly string[];
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

/** What a budget counts, and how much of it. */
export interface BudgetTerms {
  /** `<root>/<kind>` of a life budget, `<line>/<kind>.<window>` of another, then `@<period>` for one period of a calendar window. */
  readonly budgetId: string;
  /** Mandate that a life budget begins with; the line of a windowed one, which a renewal keeps. */
  readonly budgetRoot: string;
  readonly kind: 'amount' | 'calls';
  readonly limit: number;
  /** ISO 4217; undefined = whatever unit the contracts charge. */
  readonly currency: string | undefined;
  readonly window: BudgetWindow;
  /** `subtree`: operations of delegated mandates count too. */
  readonly spread: 'subtree' | 'self';
  /** The period that this row counts; undefined for the budget itself. */
  readonly period: string | undefined;
  /** First instant after the period; undefined for the budget itself. */
  readonly endsMs: number | undefined;
}

/** The counter of one budget, or of one of its periods: then the budget itself has terms and no sums. */
export interface BudgetRow extends BudgetTerms {
  readonly reserved: number;
  /** Of a rolling window: with entries that have aged and were not subtracted yet. */
  readonly spent: number;
  /** Nothing is reserved until a person lifts it. */
  readonly frozen: boolean;
  /** Store time at which the clock was last found to be behind it. */
  readonly clockAlarmMs: number | undefined;
}

/** What one operation holds of one counter. */
export interface BudgetHold {
  readonly budgetId: string;
  readonly amount: number;
  readonly kind: 'amount' | 'calls';
  /** Reserved and spent of the whole counter, this one included. */
  readonly used: number;
}

/** Spent entries of a rolling window that count no longer. */
export interface AgedEntries {
  readonly budgetId: string;
  /** Up to and including entries that age at this instant. */
  readonly untilMs: number;
  readonly entries: number;
  readonly amount: number;
}

interface AnyMove {
  readonly budgetId: string;
  readonly opId: string;
  /** What is reserved; settling and releasing name the same amount again. */
  readonly amount: number;
}

/** One step of one reservation of one operation. */
export type BudgetMove =
  | (AnyMove & {
      readonly kind: 'reserve';
      readonly atMs: number;
      /** When it stops counting once it is spent; undefined = never. */
      readonly agesMs: number | undefined;
    })
  /** Spends `actual`; the rest of the amount is free again, what is above it is an overrun. */
  | (AnyMove & { readonly kind: 'settle'; readonly actual: number })
  | (AnyMove & { readonly kind: 'release' });

/** The budget that a period belongs to, or the budget itself. */
export function budgetOfCounter(budgetId: string): string {
  return budgetId.split('@', 1)[0] as string;
}

/** Idempotency key sent to targets: the same for every attempt of an operation, kept for ever. */
export function attemptKey(opId: string): string {
  return `ip_${opId}`;
}
