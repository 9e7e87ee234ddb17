// The store in one SQLite file, for any number of processes of one machine. Reads run at once;
// writes are grouped. Everything is on the calling thread, and nothing on it waits for a lock.
import type { DatabaseSync } from 'node:sqlite';
import type { StaticFacts } from '../../core/facts.ts';
import type { AmendmentDraft } from '../../core/history.ts';
import type { RecordChange } from '../../core/kept-record.ts';
import type { LeafDraft } from '../../core/leaf.ts';
import type { AnswerPlan, ApprovalAnswer } from '../../core/moves/plan-answer.ts';
import type { ChildPlan } from '../../core/moves/plan-child.ts';
import type { DecisionPlan } from '../../core/moves/plan-decision.ts';
import type { MandateDraft } from '../../core/moves/plan-mandate.ts';
import type { OutcomePlan, OutcomeReport } from '../../core/moves/plan-outcome.ts';
import type { Finding, ReconcilePlan } from '../../core/moves/plan-reconcile.ts';
import type { RedactionOrder } from '../../core/moves/plan-redaction.ts';
import type { ResendPlan, ResendRequest } from '../../core/moves/plan-resend.ts';
import type { UnfreezePlan } from '../../core/moves/plan-unfreeze.ts';
import type { ProposalDraft } from '../../core/moves/proposal-draft.ts';
import { noWrites } from '../../core/moves/writes.ts';
import type { ApprovalRow, MandateRow } from '../../core/operation.ts';
import type { CallKey, ClaimedCallKey } from '../call-key.ts';
import type { CheckDone, CheckJob, CheckWish } from '../check-job.ts';
import type { RedactionResult } from '../erasure.ts';
import { isLeaseHeld } from '../lease.ts';
import { outcomeError } from '../outcome-error.ts';
import {
  type Cosigning,
  type RestartReport,
  type RestartRequest,
  type SignedCheckpoint,
  type StartReport,
  type Store,
  type StoredDefinition,
  StoreError,
  type StoreSettings,
  type Timestamping,
} from '../store.ts';
import { isConflict } from '../store-faults.ts';
import {
  answerRequest,
  cancelRequest,
  decideProposal,
  delegateMandate,
  draftAmendment,
  expireRequests,
  finishAttempt,
  joinMandate,
  reconcileOperation,
  resendOperation,
  resumeMandate,
  unfreezeBudget,
} from '../store-methods.ts';
import { findFileFault } from './find-file-fault.ts';
import { openDatabase } from './open-database.ts';
import { redactLeaves } from './redact-leaves.ts';
import { restartStore } from './restart-store.ts';
import { signNext } from './sign-checkpoint.ts';
import { SqliteReads } from './sqlite-reads.ts';
import type { SqliteRows } from './sqlite-rows.ts';
import { SqliteTransaction } from './sqlite-transaction.ts';
import { beat, type StartContext, startStore, wasUnclean } from './start-store.ts';
import { prepareTables } from './tables.ts';
import { truncateLog } from './truncate-log.ts';
import { WriteQueue } from './write-queue.ts';

/** How often the write-ahead log is copied into the file while nobody waits for it: 5 s. */
const checkpointEveryMs = 5_000;
/** How long the write-ahead log is waited for when values were erased: 5 s. */
const truncateMaxMs = 5_000;

/** Opens or makes the file; throws `StoreError` with what is wrong and the fix. */
export function openSqliteStore(path: string, settings: StoreSettings): Store {
  return createSqliteStore(openDatabase(path), settings);
}

/** The store on a database that `openDatabase` opened; it closes it. */
export function createSqliteStore(database: DatabaseSync, settings: StoreSettings): Store {
  return new SqliteStore(database, settings);
}

class SqliteStore extends SqliteReads implements Store {
  readonly name = 'sqlite';
  readonly #database: DatabaseSync;
  readonly #transaction: SqliteTransaction;
  readonly #queue: WriteQueue;
  readonly #copying: NodeJS.Timeout;
  #closing: Promise<void> | undefined;
  #aliveMs: number | undefined;

  constructor(database: DatabaseSync, settings: StoreSettings) {
    super(prepareTables(database), settings);
    this.#database = database;
    this.#transaction = new SqliteTransaction(database, this.tables, settings);
    this.#queue = new WriteQueue(this.#transaction);
    this.#copying = setInterval(() => this.#copyLog(), checkpointEveryMs).unref();
  }

  protected get fatal(): StoreError | undefined {
    return this.#queue.fatal;
  }

  get processId(): string {
    return this.settings.identity.processId;
  }

  async #write<T>(work: (rows: SqliteRows) => T): Promise<T> {
    if (this.#closing !== undefined) throw new StoreError('STORE_FAILED', 'the store is closed');
    return this.#queue.add(() => work(this.#transaction.rows));
  }

  wasUnclean(): Promise<boolean> {
    return this.read((tables) => wasUnclean({ tables, settings: this.settings }));
  }

  checkFile(how: 'quick' | 'full'): Promise<string | undefined> {
    return this.read(() => findFileFault(this.#database, how));
  }

  start(): Promise<StartReport> {
    return this.#alive((rows) => startStore(rows, this.#context));
  }

  get #context(): StartContext {
    return { tables: this.tables, settings: this.settings };
  }

  /** The lease counts from before the write: others may have read the time that it writes. */
  async #alive<T>(work: (rows: SqliteRows) => T): Promise<T> {
    const sinceMs = this.settings.nowMs();
    const value = await this.#write(work);
    this.#aliveMs = sinceMs;
    return value;
  }

  restart(request: RestartRequest): Promise<RestartReport> {
    const context = { tables: this.tables, settings: this.settings };
    return this.#write((rows) => restartStore(rows, context, request));
  }

  joinMandate(draft: MandateDraft): Promise<MandateRow> {
    return this.#write((rows) => joinMandate(rows, draft));
  }

  delegateMandate(parentId: string, draft: MandateDraft): Promise<ChildPlan> {
    return this.#write((rows) => delegateMandate(rows, parentId, draft));
  }

  decide(facts: StaticFacts, draft: ProposalDraft): Promise<DecisionPlan> {
    return this.#write((rows) => decideProposal(rows, facts, draft));
  }

  async finish(report: OutcomeReport): Promise<OutcomePlan> {
    return this.#write((rows) => finishAttempt(rows, report)).catch((error: unknown) => {
      throw outcomeError(error);
    });
  }

  reconcile(finding: Finding): Promise<ReconcilePlan> {
    return this.#write((rows) => reconcileOperation(rows, finding));
  }

  resend(request: ResendRequest): Promise<ResendPlan> {
    return this.#write((rows) => resendOperation(rows, request));
  }

  async claimCheck(wish: CheckWish): Promise<CheckJob | undefined> {
    const mayBe = await this.read(
      ({ checks }) => wish.opId !== undefined || checks.isDue(this.settings.nowMs()),
    );
    return mayBe ? this.#write((rows) => rows.claimCheck(wish, this.processId)) : undefined;
  }

  finishCheck(done: CheckDone): Promise<boolean> {
    return this.#write((rows) => rows.finishCheck(done, this.processId));
  }

  claimCallKey(claim: CallKey): Promise<ClaimedCallKey> {
    return this.#write(() => this.tables.callKeys.claim(claim));
  }

  answer(answer: ApprovalAnswer): Promise<AnswerPlan> {
    return this.#write((rows) => answerRequest(rows, answer));
  }

  draftAmendment(approvalId: string, draftId: string): Promise<AmendmentDraft | undefined> {
    return this.#write((rows) => draftAmendment(rows, approvalId, draftId));
  }

  cancelApproval(opId: string, reason: string): Promise<ApprovalRow | undefined> {
    return this.#write((rows) => cancelRequest(rows, opId, reason));
  }

  async expireApprovals(): Promise<readonly ApprovalRow[]> {
    const isDue = await this.read(
      ({ approvals }) => approvals.due(this.settings.nowMs()).length > 0,
    );
    return isDue ? this.#write(expireRequests) : [];
  }

  resumeMandate(mandateId: string, person: string): Promise<MandateRow | undefined> {
    return this.#write((rows) => resumeMandate(rows, mandateId, person));
  }

  tell(opId: string): Promise<void> {
    return this.#write((rows) => rows.tell(opId));
  }

  appendLeaves(leaves: readonly LeafDraft[]): Promise<void> {
    return this.#write((rows) => rows.apply({ ...noWrites, leaves }));
  }

  checkpoint(sign: (size: number, root: Uint8Array) => string): Promise<SignedCheckpoint> {
    return signNext(this.#context, (work) => this.#write(work), sign);
  }

  cosign(cosigning: Cosigning): Promise<void> {
    return this.#write(() => this.tables.checkpoints.cosign(cosigning));
  }

  timestamp(timestamping: Timestamping): Promise<void> {
    return this.#write(() => this.tables.checkpoints.timestamp(timestamping));
  }

  unfreezeBudget(budgetId: string, person: string): Promise<UnfreezePlan> {
    return this.#write((rows) => unfreezeBudget(rows, budgetId, person));
  }

  recordDefinitions(
    definitions: readonly StoredDefinition[],
    leaves: readonly LeafDraft[],
  ): Promise<void> {
    return this.#write((rows) => {
      for (const each of definitions) this.tables.definitions.put(each);
      rows.apply({ ...noWrites, leaves });
    });
  }

  countPasscodeFailure(person: string): Promise<number> {
    return this.#write(({ nowMs }) => this.tables.passcodes.countFailure(person, nowMs));
  }

  clearPasscodeFailures(person: string): Promise<void> {
    return this.#write(() => this.tables.passcodes.clear(person));
  }

  /** What it began to change is undone when a document is not what was read. */
  changeRecords(changes: readonly RecordChange[], leaves: readonly LeafDraft[]): Promise<boolean> {
    return this.#write((rows) => rows.changeRecords(changes, leaves)).then(() => true, isConflict);
  }

  useNonce(nonce: string, expiresMs: number): Promise<boolean> {
    return this.#write(({ nowMs }) => this.tables.nonces.use(nonce, expiresMs, nowMs));
  }

  async redact(order: RedactionOrder): Promise<RedactionResult> {
    const { redactions: list } = this.settings;
    const { refused, erasures } = await this.#write((rows) =>
      redactLeaves(this.tables, rows, { order, list }),
    );
    const isIdle = refused !== undefined || (order.isReplay === true && erasures.length === 0);
    // What expires goes in many small steps: none of them waits for another process.
    const waitMs = order.basis === 'retention' ? 0 : truncateMaxMs;
    const isGone = isIdle || (await truncateLog(this.#database, waitMs));
    return { refused, erasures, isGone };
  }

  claimChore(name: string, everyMs: number): Promise<boolean> {
    return this.#write(({ nowMs }) => this.tables.chores.claim(name, everyMs, nowMs));
  }

  heartbeat(): Promise<readonly string[]> {
    return this.#alive((rows) => beat(rows, this.#context));
  }

  holdsLease(): boolean {
    return isLeaseHeld(this.#aliveMs, this.settings.nowMs());
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearInterval(this.#copying);
    try {
      await this.#queue.add(() => this.tables.processes.remove(this.processId));
    } catch {
      // Whoever starts next finds the process dead; there is nothing left to lose here.
    }
    this.#database.close();
  }

  // Bounds the write-ahead log; under load the commits do the same.
  #copyLog(): void {
    try {
      this.#database.exec('PRAGMA wal_checkpoint(RESTART)');
    } catch (error) {
      // Another process reads or writes: the next round does it. After a failed sync there is none.
      this.#queue.stopOn(error);
    }
  }
}
