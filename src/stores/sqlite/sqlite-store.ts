// The store in one SQLite file, for any number of processes of one machine. Reads run at once;
// writes are grouped. Everything is on the calling thread, and nothing on it waits for a lock.
import type { DatabaseSync } from 'node:sqlite';
import type { StaticFacts } from '../../core/facts.ts';
import type { LeafDraft } from '../../core/leaf.ts';
import { lockAfterFailure, type PasscodeLock } from '../../core/moves/passcode-lock.ts';
import type { AnswerPlan, ApprovalAnswer } from '../../core/moves/plan-answer.ts';
import type { DecisionPlan } from '../../core/moves/plan-decision.ts';
import type { MandateDraft } from '../../core/moves/plan-mandate.ts';
import type { OutcomePlan, OutcomeReport } from '../../core/moves/plan-outcome.ts';
import type { Finding, ReconcilePlan } from '../../core/moves/plan-reconcile.ts';
import type { ProposalDraft } from '../../core/moves/proposal-draft.ts';
import { noWrites } from '../../core/moves/writes.ts';
import type { ApprovalRow, MandateRow, OperationRow } from '../../core/operation.ts';
import {
  type BudgetSum,
  type LeafQuery,
  type MandateStatus,
  type NumberedRow,
  type OperationPage,
  type RestartReport,
  type RestartRequest,
  type SignedCheckpoint,
  type StartReport,
  type Store,
  type StoredApproval,
  type StoredDefinition,
  type StoredLeaf,
  type StoredOperation,
  StoreError,
  type StoreSettings,
} from '../store.ts';
import {
  answerRequest,
  cancelRequest,
  decideProposal,
  expireRequests,
  finishAttempt,
  joinMandate,
  reconcileOperation,
  resumeMandate,
} from '../store-methods.ts';
import { openDatabase } from './open-database.ts';
import { readApproval, readOperation, readStatus } from './read-stored.ts';
import { restartStore } from './restart-store.ts';
import { claimCheckpoint, moveGuard } from './sign-checkpoint.ts';
import { toStoreError } from './sqlite-error.ts';
import type { SqliteRows } from './sqlite-rows.ts';
import { SqliteTransaction } from './sqlite-transaction.ts';
import { startStore } from './start-store.ts';
import { prepareTables, type Tables } from './tables.ts';
import { WriteQueue } from './write-queue.ts';

/** How often the write-ahead log is copied into the file while nobody waits for it: 5 s. */
const checkpointEveryMs = 5_000;
/** How long a read waits for a file that is being repaired: 5 s. */
const readMaxMs = 5_000;

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

  start(): Promise<StartReport> {
    const context = { tables: this.#tables, settings: this.#settings };
    return this.#write((rows) => startStore(rows, context));
  }

  restart(request: RestartRequest): Promise<RestartReport> {
    const context = { tables: this.#tables, settings: this.#settings };
    return this.#write((rows) => restartStore(rows, context, request));
  }

  joinMandate(draft: MandateDraft): Promise<MandateRow> {
    return this.#write((rows) => joinMandate(rows, draft));
  }

  decide(facts: StaticFacts, draft: ProposalDraft): Promise<DecisionPlan> {
    return this.#write((rows) => decideProposal(rows, facts, draft));
  }

  async finish(report: OutcomeReport): Promise<OutcomePlan> {
    return this.#write((rows) => finishAttempt(rows, report)).catch((error: unknown) => {
      throw asStoreError(error);
    });
  }

  reconcile(finding: Finding): Promise<ReconcilePlan> {
    return this.#write((rows) => reconcileOperation(rows, finding));
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
    return this.#read(({ log }) => {
      if ('opId' in query) return log.leavesOf(query.opId);
      return 'about' in query ? log.leavesAboutLog() : log.leavesFrom(query.from, query.count);
    });
  }

  readTree(): Promise<{ readonly size: number; readonly root: Uint8Array }> {
    return this.#read(({ log }) => log.readTree());
  }

  readNode(level: number, index: number): Promise<Uint8Array> {
    return this.#read(({ log }) => log.readNode(level, index));
  }

  async checkpoint(sign: (size: number, root: Uint8Array) => string): Promise<SignedCheckpoint> {
    const claimed = await this.#write(() => claimCheckpoint(this.#tables));
    const { size, root, note } = claimed;
    if (note !== undefined) return { size, root, note };
    const { guard } = this.#settings;
    if (guard !== undefined) await this.#write(() => moveGuard(this.#tables, guard, claimed));
    const signed = sign(size, root);
    await this.#write(() => this.#tables.checkpoints.setNote(size, signed));
    return { size, root, note: signed };
  }

  readCheckpoints(): Promise<readonly SignedCheckpoint[]> {
    return this.#read(({ checkpoints }) => checkpoints.signed());
  }

  readOperations(page: OperationPage): Promise<readonly NumberedRow[]> {
    return this.#read(({ operations }) => operations.page(page.after ?? -1, page.count));
  }

  readBudgetSums(): Promise<readonly BudgetSum[]> {
    return this.#read(({ budgets }) => budgets.sums());
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
    return this.#write(({ nowMs }) => {
      const { passcodes } = this.#tables;
      const lock = lockAfterFailure(passcodes.read(person), nowMs);
      passcodes.put(person, lock);
      return lock.lockedUntilMs;
    });
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

  heartbeat(): Promise<void> {
    const { identity, nowMs } = this.#settings;
    return this.#write(() => this.#tables.processes.put(identity, nowMs()));
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
    } catch {
      // Another process reads or writes: the next round does it.
    }
  }
}

/** The outcome of an attempt is either recorded or the process stops: a bug must not hide that. */
function asStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError('STORE_FAILED', 'an outcome could not be recorded', { cause: error });
}
