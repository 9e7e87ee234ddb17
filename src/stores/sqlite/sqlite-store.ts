// The store in one SQLite file, for any number of processes of one machine. Reads run at once;
// writes are grouped. Everything is on the calling thread, and nothing on it waits for a lock.
import type { DatabaseSync } from 'node:sqlite';
import type { StaticFacts } from '../../core/facts.ts';
import type { LeafDraft } from '../../core/leaf.ts';
import type { PasscodeLock } from '../../core/moves/passcode-lock.ts';
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
import type { ApprovalRow, BudgetRow, MandateRow, OperationRow } from '../../core/operation.ts';
import type { CallKey, ClaimedCallKey } from '../call-key.ts';
import type { CheckDone, CheckJob, CheckWish } from '../check-job.ts';
import type { KeptLeaf, KeptPage, RedactionResult } from '../erasure.ts';
import { leaseMs } from '../lease.ts';
import { outcomeError } from '../outcome-error.ts';
import {
  type BudgetSum,
  type CosignedCheckpoint,
  type Cosigning,
  type LeafQuery,
  type MandateStatus,
  type NumberedRow,
  type OperationPage,
  type SignedCheckpoint,
  type StartReport,
  type Store,
  type StoredApproval,
  type StoredDefinition,
  type StoredLeaf,
  type StoredOperation,
  StoreError,
  type StoreSettings,
  type TimestampedCheckpoint,
  type Timestamping,
} from '../store.ts';
import {
  answerRequest,
  cancelRequest,
  decideProposal,
  delegateMandate,
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
import { readApproval, readBudgets, readOperation, readStatus } from './read-stored.ts';
import { redactLeaves } from './redact-leaves.ts';
import { signNext } from './sign-checkpoint.ts';
import { toStoreError } from './sqlite-error.ts';
import type { SqliteRows } from './sqlite-rows.ts';
import { SqliteTransaction } from './sqlite-transaction.ts';
import { beat, type StartContext, startStore, wasUnclean } from './start-store.ts';
import { prepareTables, type Tables } from './tables.ts';
import { truncateLog } from './truncate-log.ts';
import { WriteQueue } from './write-queue.ts';

/** How often the write-ahead log is copied into the file while nobody waits for it: 5 s. */
const checkpointEveryMs = 5_000;
/** How long a read waits for a file that is being repaired: 5 s. */
const readMaxMs = 5_000;
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

class SqliteStore implements Store {
  readonly name = 'sqlite';
  readonly #database: DatabaseSync;
  readonly #settings: StoreSettings;
  readonly #tables: Tables;
  readonly #transaction: SqliteTransaction;
  readonly #queue: WriteQueue;
  readonly #copying: NodeJS.Timeout;
  #closing: Promise<void> | undefined;
  #leaseUntilMs = 0;

  constructor(database: DatabaseSync, settings: StoreSettings) {
    this.#database = database;
    this.#settings = settings;
    this.#tables = prepareTables(database);
    this.#transaction = new SqliteTransaction(database, this.#tables, settings);
    this.#queue = new WriteQueue(this.#transaction);
    this.#copying = setInterval(() => this.#copyLog(), checkpointEveryMs).unref();
  }

  get processId(): string {
    return this.#settings.identity.processId;
  }

  async #write<T>(work: (rows: SqliteRows) => T): Promise<T> {
    if (this.#closing !== undefined) throw new StoreError('STORE_FAILED', 'the store is closed');
    return this.#queue.add(() => work(this.#transaction.rows));
  }

  /** Readers wait only while another process repairs the file after a crash. */
  async #read<T>(work: (tables: Tables) => T): Promise<T> {
    const untilMs = performance.now() + readMaxMs;
    for (;;) {
      try {
        return this.#readNow(work);
      } catch (error) {
        const isBusy = error instanceof StoreError && error.code === 'STORE_BUSY';
        if (!isBusy || performance.now() > untilMs) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  #readNow<T>(work: (tables: Tables) => T): T {
    if (this.#queue.fatal !== undefined) throw this.#queue.fatal;
    try {
      return work(this.#tables);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  wasUnclean(): Promise<boolean> {
    return this.#read((tables) => wasUnclean({ tables, settings: this.#settings }));
  }

  checkFile(how: 'quick' | 'full'): Promise<string | undefined> {
    return this.#read(() => findFileFault(this.#database, how));
  }

  start(): Promise<StartReport> {
    return this.#alive((rows) => startStore(rows, this.#context));
  }

  get #context(): StartContext {
    return { tables: this.#tables, settings: this.#settings };
  }

  /** The lease counts from before the write: others may have read the time that it writes. */
  async #alive<T>(work: (rows: SqliteRows) => T): Promise<T> {
    const sinceMs = this.#settings.nowMs();
    const value = await this.#write(work);
    this.#leaseUntilMs = sinceMs + leaseMs;
    return value;
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
    const mayBe = await this.#read(
      ({ checks }) => wish.opId !== undefined || checks.isDue(this.#settings.nowMs()),
    );
    return mayBe ? this.#write((rows) => rows.claimCheck(wish, this.processId)) : undefined;
  }

  finishCheck(done: CheckDone): Promise<boolean> {
    return this.#write((rows) => rows.finishCheck(done, this.processId));
  }

  claimCallKey(claim: CallKey): Promise<ClaimedCallKey> {
    return this.#write(() => this.#tables.callKeys.claim(claim));
  }

  readUnknown(): Promise<readonly OperationRow[]> {
    return this.#read(({ operations }) => operations.inState('UNKNOWN').map(({ row }) => row));
  }

  answer(answer: ApprovalAnswer): Promise<AnswerPlan> {
    return this.#write((rows) => answerRequest(rows, answer));
  }

  cancelApproval(opId: string, reason: string): Promise<ApprovalRow | undefined> {
    return this.#write((rows) => cancelRequest(rows, opId, reason));
  }

  async expireApprovals(): Promise<readonly ApprovalRow[]> {
    const isDue = await this.#read(
      ({ approvals }) => approvals.due(this.#settings.nowMs()).length > 0,
    );
    return isDue ? this.#write(expireRequests) : [];
  }

  findMandate(of: {
    readonly principal: string;
    readonly agent: string;
  }): Promise<MandateRow | undefined> {
    return this.#read(({ mandates }) => mandates.newest(of.principal, of.agent));
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

  readOperation(opId: string): Promise<StoredOperation | undefined> {
    return this.#read((tables) => readOperation(tables, opId));
  }

  readApproval(approvalId: string): Promise<StoredApproval | undefined> {
    return this.#read((tables) => readApproval(tables, approvalId));
  }

  readStatus(mandateId: string): Promise<MandateStatus | undefined> {
    return this.#read((tables) => readStatus(tables, mandateId, this.#settings.nowMs()));
  }

  readLeaves(query: LeafQuery): Promise<readonly StoredLeaf[]> {
    return this.#read(({ log }) =>
      'opId' in query ? log.leavesOf(query.opId) : log.leavesFrom(query.from, query.count),
    );
  }

  readTree(): Promise<{ readonly size: number; readonly root: Uint8Array }> {
    return this.#read(({ log }) => log.readTree());
  }

  readNode(level: number, index: number): Promise<Uint8Array> {
    return this.#read(({ log }) => log.readNode(level, index));
  }

  checkpoint(sign: (size: number, root: Uint8Array) => string): Promise<SignedCheckpoint> {
    return signNext(this.#context, (work) => this.#write(work), sign);
  }

  readCheckpoints(from: number = 0): Promise<readonly SignedCheckpoint[]> {
    return this.#read(({ checkpoints }) => checkpoints.signed(from));
  }

  readLastCheckpoint(): Promise<SignedCheckpoint | undefined> {
    return this.#read(({ checkpoints }) => checkpoints.lastSigned());
  }

  cosign(cosigning: Cosigning): Promise<void> {
    return this.#write(() => this.#tables.checkpoints.cosign(cosigning));
  }

  readCosigned(): Promise<CosignedCheckpoint | undefined> {
    return this.#read(({ checkpoints }) => checkpoints.cosigned());
  }

  timestamp(timestamping: Timestamping): Promise<void> {
    return this.#write(() => this.#tables.checkpoints.timestamp(timestamping));
  }

  readTimestamped(): Promise<TimestampedCheckpoint | undefined> {
    return this.#read(({ checkpoints }) => checkpoints.timestamped());
  }

  readOperations(page: OperationPage): Promise<readonly NumberedRow[]> {
    return this.#read(({ operations }) => operations.page(page.after ?? -1, page.count));
  }

  readBudgetSums(): Promise<readonly BudgetSum[]> {
    return this.#read(({ budgets }) => budgets.sums());
  }

  readBudgets(): Promise<readonly BudgetRow[]> {
    return this.#read((tables) => readBudgets(tables, this.#settings.nowMs()));
  }

  unfreezeBudget(budgetId: string, person: string): Promise<UnfreezePlan> {
    return this.#write((rows) => unfreezeBudget(rows, budgetId, person));
  }

  readDefinitions(): Promise<readonly StoredDefinition[]> {
    return this.#read(({ definitions }) => definitions.all());
  }

  recordDefinitions(
    definitions: readonly StoredDefinition[],
    leaves: readonly LeafDraft[],
  ): Promise<void> {
    return this.#write((rows) => {
      for (const each of definitions) this.#tables.definitions.put(each);
      rows.apply({ ...noWrites, leaves });
    });
  }

  countPasscodeFailure(person: string): Promise<number> {
    return this.#write(({ nowMs }) => this.#tables.passcodes.countFailure(person, nowMs));
  }

  readPasscodeLock(person: string): Promise<PasscodeLock> {
    return this.#read(({ passcodes }) => passcodes.read(person));
  }

  clearPasscodeFailures(person: string): Promise<void> {
    return this.#write(() => this.#tables.passcodes.clear(person));
  }

  useNonce(nonce: string, expiresMs: number): Promise<boolean> {
    return this.#write(({ nowMs }) => this.#tables.nonces.use(nonce, expiresMs, nowMs));
  }

  async redact(order: RedactionOrder): Promise<RedactionResult> {
    const { redactions: list } = this.#settings;
    const { refused, erasures } = await this.#write((rows) =>
      redactLeaves(this.#tables, rows, { order, list }),
    );
    const isIdle = refused !== undefined || (order.isReplay === true && erasures.length === 0);
    // What expires goes in many small steps: none of them waits for another process.
    const waitMs = order.basis === 'retention' ? 0 : truncateMaxMs;
    const isGone = isIdle || (await truncateLog(this.#database, waitMs));
    return { refused, erasures, isGone };
  }

  readRepeats(opId: string): Promise<readonly string[]> {
    return this.#read(({ redactions }) => redactions.repeatsOf(opId));
  }

  readKept(page: KeptPage): Promise<readonly KeptLeaf[]> {
    return this.#read(({ redactions }) => redactions.kept(page));
  }

  claimChore(name: string, everyMs: number): Promise<boolean> {
    return this.#write(({ nowMs }) => this.#tables.chores.claim(name, everyMs, nowMs));
  }

  heartbeat(): Promise<readonly string[]> {
    return this.#alive((rows) => beat(rows, this.#context));
  }

  holdsLease(): boolean {
    return this.#settings.nowMs() < this.#leaseUntilMs;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearInterval(this.#copying);
    try {
      await this.#queue.add(() => this.#tables.processes.remove(this.processId));
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
