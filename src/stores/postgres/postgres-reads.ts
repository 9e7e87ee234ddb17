// What is read of a PostgreSQL store without a transaction, on connections of their own.

import type { AmendmentDraft, ApprovalFigures, OperationHistory } from '../../core/history.ts';
import type { KeptRecord, RecordQuery } from '../../core/kept-record.ts';
import { currentBudgets, listBudgets } from '../../core/moves/chain-budgets.ts';
import { noPasscodeLock, type PasscodeLock } from '../../core/moves/passcode-lock.ts';
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
import { GroupedReads } from './grouped-reads.ts';
import { passcodeLock } from './guard-works.ts';
import {
  earlierThan,
  historyOf,
  openDrafts,
  operationsSince,
  requestsSince,
  toFigures,
} from './history-table.ts';
import { selectNode, toNode } from './log-state.ts';
import {
  allDefinitions,
  approvalById,
  budgetRows,
  budgetSums,
  budgetsNow,
  lastCheckpoint,
  lastCosigned,
  lastTimestamped,
  leavesAboutLog,
  leavesFrom,
  leavesOf,
  mandateById,
  newestMandate,
  openApprovals,
  operationsAfter,
  operationsById,
  type Read,
  signedCheckpoints,
  unknownOperations,
} from './read-stored.ts';
import type { Reader } from './reader.ts';
import { recordsOf } from './record-table.ts';
import { keptLeaves, repeatsOf } from './redact-leaves.ts';

export abstract class PostgresReads {
  protected readonly settings: StoreSettings;
  readonly #reader: Reader;
  readonly #operations = new GroupedReads<StoredOperation>(async (opIds) => {
    const found = await this.readAll(operationsById(opIds));
    return new Map(found.map((each) => [each.row.opId, each]));
  });

  constructor(reader: Reader, settings: StoreSettings) {
    this.#reader = reader;
    this.settings = settings;
  }

  /** Why nothing is answered any more. */
  protected abstract get fatal(): StoreError | undefined;

  protected closeReads(): Promise<void> {
    return this.#reader.close();
  }

  protected async readAll<T>(read: Read<T>): Promise<readonly T[]> {
    if (this.fatal !== undefined) throw this.fatal;
    return (await this.#reader.read(read)).rows.map(read.toRow);
  }

  protected async readOne<T>(read: Read<T>): Promise<T | undefined> {
    const [first] = await this.readAll(read);
    return first;
  }

  readUnknown(): Promise<readonly OperationRow[]> {
    return this.readAll(unknownOperations);
  }

  findMandate(of: {
    readonly principal: string;
    readonly agent: string;
  }): Promise<MandateRow | undefined> {
    return this.readOne(newestMandate(of.principal, of.agent));
  }

  readOperation(opId: string): Promise<StoredOperation | undefined> {
    return this.#operations.read(opId);
  }

  readApproval(approvalId: string): Promise<StoredApproval | undefined> {
    return this.readOne(approvalById(approvalId));
  }

  async readHistory(opId: string): Promise<OperationHistory | undefined> {
    const found = await this.readOne(historyOf(opId, this.settings.nowMs()));
    if (found === undefined) return undefined;
    const { own, recentDenials } = found;
    const earlier = own && (await this.readOne(earlierThan(own)));
    return {
      compared: own === undefined || earlier === undefined ? undefined : { own, earlier },
      recentDenials,
    };
  }

  async readApprovalFigures(of: { readonly sinceMs: number }): Promise<ApprovalFigures> {
    const requests = await this.readAll(requestsSince(of.sinceMs));
    const operations = (await this.readOne(operationsSince(of.sinceMs))) ?? 0;
    return { operations, requests: toFigures(requests) };
  }

  readDrafts(): Promise<readonly AmendmentDraft[]> {
    return this.readAll(openDrafts(this.settings.nowMs()));
  }

  async readStatus(mandateId: string): Promise<MandateStatus | undefined> {
    const mandate = await this.readOne(mandateById(mandateId));
    if (mandate === undefined) return undefined;
    const nowMs = this.settings.nowMs();
    const budgets = await this.readAll(budgetsNow(nowMs, mandate));
    const open = await this.readAll(openApprovals(mandateId, nowMs));
    return {
      mandate,
      budgets: currentBudgets({ mandate, ...budgetRows(budgets, nowMs) }),
      openApprovals: open.filter((approval) => approval !== undefined),
    };
  }

  readLeaves(query: LeafQuery): Promise<readonly StoredLeaf[]> {
    if ('opId' in query) return this.readAll(leavesOf(query.opId));
    return this.readAll('about' in query ? leavesAboutLog : leavesFrom(query.from, query.count));
  }

  async readTree(): Promise<{ readonly size: number; readonly root: Uint8Array }> {
    const tree = await this.readOne({
      sql: 'SELECT size, root FROM intentplane.log_state',
      toRow: ([size, root]) => ({
        size: size as number,
        root: Uint8Array.from(root as Uint8Array),
      }),
    });
    if (tree === undefined)
      throw new StoreError('LOG_STATE_BAD', 'the state of the log is missing');
    return tree;
  }

  async readNode(level: number, index: number): Promise<Uint8Array> {
    if (this.fatal !== undefined) throw this.fatal;
    const at = { level, index };
    return toNode(at, await this.#reader.read(selectNode(at)));
  }

  readCheckpoints(from: number = 0): Promise<readonly SignedCheckpoint[]> {
    return this.readAll(signedCheckpoints(from));
  }

  readLastCheckpoint(): Promise<SignedCheckpoint | undefined> {
    return this.readOne(lastCheckpoint);
  }

  async readCosigned(): Promise<CosignedCheckpoint | undefined> {
    return (await this.readAll(lastCosigned))[0];
  }

  async readTimestamped(): Promise<TimestampedCheckpoint | undefined> {
    return (await this.readAll(lastTimestamped))[0];
  }

  readOperations(page: OperationPage): Promise<readonly NumberedRow[]> {
    return this.readAll(operationsAfter(page.after ?? -1, page.count));
  }

  readBudgetSums(): Promise<readonly BudgetSum[]> {
    return this.readAll(budgetSums);
  }

  async readBudgets(): Promise<readonly BudgetRow[]> {
    const nowMs = this.settings.nowMs();
    return listBudgets(budgetRows(await this.readAll(budgetsNow(nowMs)), nowMs));
  }

  readDefinitions(): Promise<readonly StoredDefinition[]> {
    return this.readAll(allDefinitions);
  }

  async readPasscodeLock(person: string): Promise<PasscodeLock> {
    return (await this.readOne(passcodeLock(person))) ?? noPasscodeLock;
  }

  readRecords(query: RecordQuery): Promise<readonly KeptRecord[]> {
    return this.readAll(recordsOf(query, this.settings.nowMs()));
  }

  readRepeats(opId: string): Promise<readonly string[]> {
    return this.readAll(repeatsOf(opId));
  }

  readKept(page: KeptPage): Promise<readonly KeptLeaf[]> {
    return this.readAll(keptLeaves(page));
  }
}
