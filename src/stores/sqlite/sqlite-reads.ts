// What is read of a SQLite store without a transaction.

import type { AmendmentDraft, ApprovalFigures, OperationHistory } from '../../core/history.ts';
import type { KeptRecord, RecordQuery } from '../../core/kept-record.ts';
import type { PasscodeLock } from '../../core/moves/passcode-lock.ts';
import type { BudgetRow, MandateRow, OperationRow } from '../../core/operation.ts';
import type { KeptLeaf, KeptPage } from '../erasure.ts';
import {
  type BudgetSum,
  type CosignedCheckpoint,
  type LeafQuery,
  type MandateStatus,
  type NumberedRow,
  type OperationPage,
  type SignedCheckpoint,
  type StoredApproval,
  type StoredDefinition,
  type StoredLeaf,
  type StoredOperation,
  StoreError,
  type StoreSettings,
  type TimestampedCheckpoint,
} from '../store.ts';
import {
  readApproval,
  readBudgets,
  readHistory,
  readOperation,
  readStatus,
} from './read-stored.ts';
import { toStoreError } from './sqlite-error.ts';
import type { Tables } from './tables.ts';

/** How long a read waits for a file that is being repaired: 5 s. */
const readMaxMs = 5_000;

export abstract class SqliteReads {
  protected readonly tables: Tables;
  protected readonly settings: StoreSettings;

  constructor(tables: Tables, settings: StoreSettings) {
    this.tables = tables;
    this.settings = settings;
  }

  /** Why nothing is answered any more. */
  protected abstract get fatal(): StoreError | undefined;

  /** Readers wait only while another process repairs the file after a crash. */
  protected async read<T>(work: (tables: Tables) => T): Promise<T> {
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
    if (this.fatal !== undefined) throw this.fatal;
    try {
      return work(this.tables);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  readUnknown(): Promise<readonly OperationRow[]> {
    return this.read(({ operations }) => operations.inState('UNKNOWN').map(({ row }) => row));
  }

  findMandate(of: {
    readonly principal: string;
    readonly agent: string;
  }): Promise<MandateRow | undefined> {
    return this.read(({ mandates }) => mandates.newest(of.principal, of.agent));
  }

  readOperation(opId: string): Promise<StoredOperation | undefined> {
    return this.read((tables) => readOperation(tables, opId));
  }

  readApproval(approvalId: string): Promise<StoredApproval | undefined> {
    return this.read((tables) => readApproval(tables, approvalId));
  }

  readHistory(opId: string): Promise<OperationHistory | undefined> {
    return this.read((tables) => readHistory(tables, opId, this.settings.nowMs()));
  }

  readApprovalFigures(of: { readonly sinceMs: number }): Promise<ApprovalFigures> {
    return this.read(({ figures }) => figures.since(of.sinceMs));
  }

  readDrafts(): Promise<readonly AmendmentDraft[]> {
    return this.read(({ drafts }) => drafts.open(this.settings.nowMs()));
  }

  readStatus(mandateId: string): Promise<MandateStatus | undefined> {
    return this.read((tables) => readStatus(tables, mandateId, this.settings.nowMs()));
  }

  readLeaves(query: LeafQuery): Promise<readonly StoredLeaf[]> {
    return this.read(({ log }) => {
      if ('opId' in query) return log.leavesOf(query.opId);
      return 'about' in query ? log.leavesAboutLog() : log.leavesFrom(query.from, query.count);
    });
  }

  readTree(): Promise<{ readonly size: number; readonly root: Uint8Array }> {
    return this.read(({ log }) => log.readTree());
  }

  readNode(level: number, index: number): Promise<Uint8Array> {
    return this.read(({ log }) => log.readNode(level, index));
  }

  readCheckpoints(from: number = 0): Promise<readonly SignedCheckpoint[]> {
    return this.read(({ checkpoints }) => checkpoints.signed(from));
  }

  readLastCheckpoint(): Promise<SignedCheckpoint | undefined> {
    return this.read(({ checkpoints }) => checkpoints.lastSigned());
  }

  readCosigned(): Promise<CosignedCheckpoint | undefined> {
    return this.read(({ checkpoints }) => checkpoints.cosigned());
  }

  readTimestamped(): Promise<TimestampedCheckpoint | undefined> {
    return this.read(({ checkpoints }) => checkpoints.timestamped());
  }

  readOperations(page: OperationPage): Promise<readonly NumberedRow[]> {
    return this.read(({ operations }) => operations.page(page.after ?? -1, page.count));
  }

  readBudgetSums(): Promise<readonly BudgetSum[]> {
    return this.read(({ budgets }) => budgets.sums());
  }

  readBudgets(): Promise<readonly BudgetRow[]> {
    return this.read((tables) => readBudgets(tables, this.settings.nowMs()));
  }

  readDefinitions(): Promise<readonly StoredDefinition[]> {
    return this.read(({ definitions }) => definitions.all());
  }

  readPasscodeLock(person: string): Promise<PasscodeLock> {
    return this.read(({ passcodes }) => passcodes.read(person));
  }

  readRecords(query: RecordQuery): Promise<readonly KeptRecord[]> {
    return this.read(({ records }) => records.list(query, this.settings.nowMs()));
  }

  readRepeats(opId: string): Promise<readonly string[]> {
    return this.read(({ redactions }) => redactions.repeatsOf(opId));
  }

  readKept(page: KeptPage): Promise<readonly KeptLeaf[]> {
    return this.read(({ redactions }) => redactions.kept(page));
  }
}
