// The contract of every store: whole operations, each one transaction with its leaves.
// A store reads rows, calls the pure planner it was given facts for, applies the writes and commits.

import type { StaticFacts } from '../core/facts.ts';
import type { KeptRecord, RecordChange, RecordQuery } from '../core/kept-record.ts';
import type { LeafDraft } from '../core/leaf.ts';
import type { AnswerPlan, ApprovalAnswer } from '../core/moves/plan-answer.ts';
import type { ChildPlan } from '../core/moves/plan-child.ts';
import type { DecisionPlan } from '../core/moves/plan-decision.ts';
import type { MandateDraft } from '../core/moves/plan-mandate.ts';
import type { OutcomePlan, OutcomeReport } from '../core/moves/plan-outcome.ts';
import type { Finding, ReconcilePlan } from '../core/moves/plan-reconcile.ts';
import type { RedactionOrder } from '../core/moves/plan-redaction.ts';
import type { ResendPlan, ResendRequest } from '../core/moves/plan-resend.ts';
import type { UnfreezePlan } from '../core/moves/plan-unfreeze.ts';
import type { ProposalDraft } from '../core/moves/proposal-draft.ts';
import type { ApprovalRow, BudgetRow, MandateRow, OperationRow } from '../core/operation.ts';
import type { CallKey, ClaimedCallKey } from './call-key.ts';
import type { CheckDone, CheckJob, CheckWish } from './check-job.ts';
import type { KeptLeaf, KeptPage, RedactionList, RedactionResult } from './erasure.ts';
import type { HistoryStore } from './history-store.ts';

/** Codes of a store that cannot do its work. An error of this kind is never an allow. */
export type StoreErrorCode =
  | 'STORE_BUSY'
  | 'STORE_FULL'
  | 'STORE_FAILED'
  | 'STORE_NEWER'
  | 'STORE_OLDER'
  | 'STORE_UNREACHABLE'
  | 'STORE_UNCERTAIN'
  | 'STORE_NOT_WRITABLE'
  | 'STORE_CONFLICT'
  | 'LOG_STATE_BAD'
  | 'LOG_BEHIND_CHECKPOINT'
  | 'LOG_FORKED'
  | 'GUARD_MISSING'
  | 'LOG_KEY_FOREIGN'
  | 'RESTART_REFUSED'
  | 'ILLEGAL_MOVE';

/** Thrown by every method of a store; `fatal` = the process must stop serving. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  readonly fatal: boolean;
  constructor(
    code: StoreErrorCode,
    message: string,
    options?: { fatal?: boolean; cause?: unknown },
  ) {
    super(message, { cause: options?.cause });
    this.name = 'StoreError';
    this.code = code;
    this.fatal = options?.fatal ?? false;
  }
}

/** A row is not what the transaction was planned on. */
export const conflict = (what: string): StoreError =>
  new StoreError('STORE_CONFLICT', `${what} is not what the transaction was planned on`);

/** This process, so that another one can tell whether it is alive. */
export interface ProcessIdentity {
  readonly processId: string;
  readonly host: string;
  readonly bootId: string;
  readonly pid: number;
  /** Start time of the pid as the system gives it; empty where it gives none. */
  readonly pidStart: string;
}

/** What a store needs at opening. */
export interface StoreSettings {
  readonly identity: ProcessIdentity;
  /** Is that process still running? Judged by the composer, on this host only. */
  readonly isAlive: (other: ProcessIdentity & { readonly heartbeatMs: number }) => boolean;
  readonly nowMs: () => number;
  /** Fills with random bytes. */
  readonly random: (size: number) => Uint8Array;
  /** Log origin written into the first leaf; an existing store keeps its own. */
  readonly origin: string;
  /** Stamped on each leaf. */
  readonly gatewayVersion: string;
  readonly configDigest: string;
  /** Knows what was signed last, outside the store; a store that dies with its process has none. */
  readonly guard?: LogGuard;
  /** Knows what was erased, outside the store and its backups. */
  readonly redactions?: RedactionList;
}

/** A tree by its size and root. */
export interface GuardedTree {
  readonly size: number;
  readonly root: Uint8Array;
}

/** What was signed last, kept outside the store and its backups. */
export interface LogGuard {
  /** Where it lies, for messages. */
  readonly place: string;
  /** Undefined when nothing was ever written for this origin; throws `StoreError` when it cannot be read. */
  read(origin: string): GuardedTree | undefined;
  /** Durable when it returns. */
  write(origin: string, tree: GuardedTree): void;
  /**
   * Ends the log `old` for ever and begins `origin` with nothing signed; durable when it returns,
   * and harmless when repeated. Gives what `old` signed last when that is known. Throws `StoreError`
   * when `origin` was used before, or the guard knows nothing of `old`.
   */
  replace(
    old: { readonly origin: string; readonly tree: GuardedTree },
    origin: string,
  ): GuardedTree | undefined;
}

/** A log that may not be signed any more, and the name of the one that takes its place. */
export interface RestartRequest {
  readonly oldOrigin: string;
  readonly origin: string;
}

/** What a restart did. */
export interface RestartReport {
  readonly origin: string;
  /** Receipts that the store had under the old origin. */
  readonly oldSize: number;
  /** Receipts that were signed under the old origin; undefined when nobody knows. */
  readonly signedSize: number | undefined;
  readonly suspendedMandates: readonly string[];
  readonly voidedApprovals: readonly string[];
}

/** What the start of a store found. */
export interface StartReport {
  readonly origin: string;
  readonly logSize: number;
  /** Operations of dead processes that are UNKNOWN now. */
  readonly orphans: readonly string[];
  /** 32 random bytes made with the store: key of fingerprints and sealed states. */
  readonly secret: Uint8Array;
}

/** One leaf as stored. */
export interface StoredLeaf {
  readonly seq: number;
  readonly opId: string | undefined;
  readonly type: string;
  readonly bytes: Uint8Array;
  /** Leaf hash as it is kept beside the bytes. */
  readonly hash: Uint8Array;
  /** Field → salt and canonical JSON text of the value. */
  readonly payload: Readonly<Record<string, { readonly salt: string; readonly value: string }>>;
}

/** An operation with what its leaves hold about it. */
export interface StoredOperation {
  readonly row: OperationRow;
  readonly approval: ApprovalRow | undefined;
  /** Canonical preimage of op_hash. */
  readonly preimage: string;
  /** Exact JSON text of the arguments to send. */
  readonly call: string;
  /** Stored result text of a success, when it was kept. */
  readonly result: string | undefined;
}

/** Size and root the gateway signed last. */
export interface SignedCheckpoint {
  readonly size: number;
  readonly root: Uint8Array;
  readonly note: string;
}

/** What witnesses answered about a signed checkpoint. */
export interface Cosigning {
  readonly size: number;
  /** Signature lines, each with its line feed. */
  readonly lines: string;
  /** When the witness was asked. */
  readonly atMs: number;
}

/** A checkpoint with a line of a witness. */
export interface CosignedCheckpoint extends SignedCheckpoint {
  readonly cosignedMs: number;
}

/** What a time-stamping authority answered about a signed checkpoint. */
export interface Timestamping {
  readonly size: number;
  /** Token of RFC 3161 about its note as it was then, in DER form. */
  readonly token: Uint8Array;
  /** When the authority was asked. */
  readonly atMs: number;
}

/** A checkpoint with a timestamp. */
export interface TimestampedCheckpoint extends SignedCheckpoint {
  readonly token: Uint8Array;
  readonly timestampedMs: number;
}

/** Recorded definition of one downstream tool (pin). */
export interface StoredDefinition {
  readonly server: string;
  readonly tool: string;
  /** Hash of command and arguments of the server. */
  readonly identity: string;
  /** SHA-256 (hex) of the canonical definition. */
  readonly digest: string;
  readonly definition: string;
  /** Instructions of the server when it was recorded. */
  readonly instructions: string | undefined;
  readonly recordedMs: number;
}

/** Budget left, open approvals: what the status tool and the command line show. */
export interface MandateStatus {
  readonly mandate: MandateRow;
  /** As they count now: of a calendar window the period of now, under the id of the budget. */
  readonly budgets: readonly BudgetRow[];
  readonly openApprovals: readonly ApprovalRow[];
}

/** Operations in the order of their proposals, after number `after`. */
export interface OperationPage {
  readonly after: number | undefined;
  readonly count: number;
}

/** An operation with its number in that order. */
export interface NumberedRow {
  readonly n: number;
  readonly row: OperationRow;
}

/** A counter and what its entries add up to; overruns are spent, aged entries are not. */
export interface BudgetSum {
  readonly budget: BudgetRow;
  readonly reserved: number;
  readonly spent: number;
}

/** One approval with what a person sees of its operation. */
export interface StoredApproval {
  readonly approval: ApprovalRow;
  readonly operation: StoredOperation;
  /** Canonical JSON text of the view that was committed. */
  readonly view: string;
}

/** Leaves of one proposal, of a range of the log, or those in which the log speaks of itself. */
export type LeafQuery =
  | { readonly opId: string }
  | { readonly about: 'log' }
  | { readonly from: number; readonly count: number };

export interface Store extends HistoryStore {
  readonly name: 'memory' | 'sqlite' | 'postgres';
  /** Owner of the operations that this process dispatches. */
  readonly processId: string;

  /** Whether a process ended without closing the store; the start that follows forgets it. */
  wasUnclean(): Promise<boolean>;
  /**
   * First fault of the database file; undefined when it has none or is none of ours. `quick` skips
   * indexes, and a file that would hold up a start for long.
   */
  checkFile(how: 'quick' | 'full'): Promise<string | undefined>;

  /** Registers the process, checks the log state, turns orphans UNKNOWN. Called once, before anything else. */
  start(): Promise<StartReport>;

  /**
   * In place of `start`, for a log that is refused: a new origin goes on in the same tree. Suspends
   * every mandate, freezes every budget and voids every open request. `RESTART_REFUSED` for a log
   * that could start.
   */
  restart(request: RestartRequest): Promise<RestartReport>;

  /** Joins the mandate of this configuration, or issues it or its successor. A suspended or revoked one stays as it is. */
  joinMandate(draft: MandateDraft): Promise<MandateRow>;

  /** Issues a mandate below another one; the plan says why when it cannot be. */
  delegateMandate(parentId: string, draft: MandateDraft): Promise<ChildPlan>;

  /** T1, and T2 in the same transaction when nobody is asked: decides on fresh rows and writes what was decided. */
  decide(facts: StaticFacts, draft: ProposalDraft): Promise<DecisionPlan>;

  /** T3: the outcome of the attempt of this process; a row that moved on meanwhile makes it a late outcome. */
  finish(report: OutcomeReport): Promise<OutcomePlan>;

  /** T4: settles an UNKNOWN operation; the plan says when it is none. */
  reconcile(finding: Finding): Promise<ReconcilePlan>;

  /** UNKNOWN → DISPATCHING: the same bytes once more under the same key, when every rule allows it. */
  resend(request: ResendRequest): Promise<ResendPlan>;

  /** Leases the look-up of an UNKNOWN operation to this process; undefined when none is due and free. */
  claimCheck(wish: CheckWish): Promise<CheckJob | undefined>;

  /** Ends that lease and plans the next look-up. False, and nothing is written, when another process has it. */
  finishCheck(done: CheckDone): Promise<boolean>;

  /** The call that a caller's key stands for: the one in the store, or this one from now on. */
  claimCallKey(claim: CallKey): Promise<ClaimedCallKey>;

  /** Operations whose outcome nobody knows, oldest first. */
  readUnknown(): Promise<readonly OperationRow[]>;

  /** One person's answer. Never throws on an ended request: the plan says in which state it is. */
  answer(answer: ApprovalAnswer): Promise<AnswerPlan>;

  /** Ends an open or granted request without an answer (client cancelled). */
  cancelApproval(opId: string, reason: string): Promise<ApprovalRow | undefined>;

  /** Ends requests whose time is over; returns them. */
  expireApprovals(): Promise<readonly ApprovalRow[]>;

  /** Newest mandate of this principal and agent, without joining or issuing one. */
  findMandate(of: {
    readonly principal: string;
    readonly agent: string;
  }): Promise<MandateRow | undefined>;

  /** Lifts a suspension; undefined when there is none. */
  resumeMandate(mandateId: string, person: string): Promise<MandateRow | undefined>;

  /** Marks a final state as told to the caller. */
  tell(opId: string): Promise<void>;

  /** Appends administrative leaves (`alarm`, `config.change`, `policy.change`). */
  appendLeaves(leaves: readonly LeafDraft[]): Promise<void>;

  readOperation(opId: string): Promise<StoredOperation | undefined>;
  readApproval(approvalId: string): Promise<StoredApproval | undefined>;
  readStatus(mandateId: string): Promise<MandateStatus | undefined>;
  /** In order of `seq`. About the log are `log.start`, `key.rotate` and `key.distrust`. */
  readLeaves(query: LeafQuery): Promise<readonly StoredLeaf[]>;

  /** Size, root and complete subtree hashes for proofs. */
  readTree(): Promise<{ readonly size: number; readonly root: Uint8Array }>;
  /** Rejects with `RangeError` for a node that is not complete. */
  readNode(level: number, index: number): Promise<Uint8Array>;

  /** Persists (size, root) before `sign` is called, refuses a root that does not extend the last signed one. Same size = the stored note. */
  checkpoint(sign: (size: number, root: Uint8Array) => string): Promise<SignedCheckpoint>;

  /** Every checkpoint that was signed, smallest first; with `from` those of this size and above. */
  readCheckpoints(from?: number): Promise<readonly SignedCheckpoint[]>;
  readLastCheckpoint(): Promise<SignedCheckpoint | undefined>;
  /** Adds lines to the note of a signed checkpoint; a key that has one there keeps it. */
  cosign(cosigning: Cosigning): Promise<void>;
  /** The largest checkpoint that a witness cosigned. */
  readCosigned(): Promise<CosignedCheckpoint | undefined>;
  /** Keeps a timestamp with a signed checkpoint; one that has a timestamp keeps the first. */
  timestamp(timestamping: Timestamping): Promise<void>;
  /** The largest checkpoint that has a timestamp. */
  readTimestamped(): Promise<TimestampedCheckpoint | undefined>;
  readOperations(page: OperationPage): Promise<readonly NumberedRow[]>;
  /** Each counter, periods that are over included, with the sums of its entries. */
  readBudgetSums(): Promise<readonly BudgetSum[]>;
  /** Every budget as it counts now. */
  readBudgets(): Promise<readonly BudgetRow[]>;
  /** A person has looked at an overrun: the budget may be charged again. */
  unfreezeBudget(budgetId: string, person: string): Promise<UnfreezePlan>;

  readDefinitions(): Promise<readonly StoredDefinition[]>;
  recordDefinitions(
    definitions: readonly StoredDefinition[],
    leaves: readonly LeafDraft[],
  ): Promise<void>;

  /** A failing passcode is counted for all processes; returns the time until which answers are refused. */
  countPasscodeFailure(person: string): Promise<number>;
  readPasscodeLock(
    person: string,
  ): Promise<{ readonly failures: number; readonly lockedUntilMs: number }>;
  clearPasscodeFailures(person: string): Promise<void>;

  /** Documents about people, those whose time is over left out; in order of their ids. */
  readRecords(query: RecordQuery): Promise<readonly KeptRecord[]>;
  /** All changes with their leaves, or nothing and false when a document is not what was read. */
  changeRecords(changes: readonly RecordChange[], leaves: readonly LeafDraft[]): Promise<boolean>;

  /** Uses a nonce once; false when it was used before or is expired. */
  useNonce(nonce: string, expiresMs: number): Promise<boolean>;

  /**
   * Erases salts and values and appends the leaf that names them, in one transaction. Refused as a
   * whole while an operation among them still needs its texts.
   */
  redact(order: RedactionOrder): Promise<RedactionResult>;
  /** Proposals that joined or repeated this operation: they hold the same values. */
  readRepeats(opId: string): Promise<readonly string[]>;
  /** Leaves that still keep values, in order of `seq`. */
  readKept(page: KeptPage): Promise<readonly KeptLeaf[]>;
  /** True for the one process that is to do this work now: once in that time over all processes. */
  claimChore(name: string, everyMs: number): Promise<boolean>;

  /** Says that this process lives, and settles what dead ones left: returns the operations that are UNKNOWN now. */
  heartbeat(): Promise<readonly string[]>;
  /** False when this process was silent for longer than its lease: others may have taken over what it had begun. */
  holdsLease(): boolean;
  /** Flushes and closes; safe to call twice. */
  close(): Promise<void>;
}
