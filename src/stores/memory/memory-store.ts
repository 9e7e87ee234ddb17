// A store that lives and dies with its process: for tests, demos and `store = ":memory:"`.

import type { StaticFacts } from '../../core/facts.ts';
import type { AmendmentDraft } from '../../core/history.ts';
import type { KeptRecord, RecordChange, RecordQuery } from '../../core/kept-record.ts';
import type { LeafDraft } from '../../core/leaf.ts';
import type { AppendStamp } from '../../core/log-append.ts';
import { frontierAt, frontierRoot, isSameHash, tileNodeReader } from '../../core/merkle.ts';
import { currentBudgets, listBudgets } from '../../core/moves/chain-budgets.ts';
import {
  lockAfterFailure,
  noPasscodeLock,
  type PasscodeLock,
} from '../../core/moves/passcode-lock.ts';
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
import { tellApproval, tellOperation } from '../apply-writes.ts';
import type { CallKey, ClaimedCallKey } from '../call-key.ts';
import type { CheckDone, CheckJob, CheckWish } from '../check-job.ts';
import { configStamp } from '../config-stamp.ts';
import type { KeptLeaf, KeptPage, RedactionResult } from '../erasure.ts';
import { notNeeded } from '../restart-refused.ts';
import { createSaltSource } from '../salt-source.ts';
import {
  type BudgetSum,
  type CosignedCheckpoint,
  type Cosigning,
  type LeafQuery,
  type MandateStatus,
  type NumberedRow,
  type OperationPage,
  type RestartReport,
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
  draftAmendment,
  expireRequests,
  finishAttempt,
  joinMandate,
  reconcileOperation,
  resendOperation,
  resumeMandate,
  unfreezeBudget,
} from '../store-methods.ts';
import { agedEntries, budgetSums, openApprovalsOf, TableRows } from '../table-rows.ts';
import { addCosignature, addTimestamp } from './memory-anchors.ts';
import { claimCheck, finishCheck } from './memory-checks.ts';
import { MemoryHistory } from './memory-history.ts';
import { MemoryLog } from './memory-log.ts';
import { changedRecords, findRecords } from './memory-records.ts';
import { createMemoryTables, lockOf, takeChore, takeNonce } from './memory-tables.ts';
import { leavesOf, openingOf, storedOperation } from './read-leaves.ts';
import { keptLeaves, redactLeaves, repeatsOf } from './redact-leaves.ts';

export function createMemoryStore(settings: StoreSettings): Store {
  return new MemoryStore(settings);
}

const secretSizeBytes = 32;
const aboutLog: ReadonlySet<string> = new Set(['log.start', 'key.rotate', 'key.distrust']);

class MemoryStore extends MemoryHistory implements Store {
  readonly name = 'memory';
  readonly #secret: Uint8Array;
  readonly #config: string;
  readonly #salts: () => Uint8Array;
  readonly #readTileNode = tileNodeReader(({ tileLevel, start, count }) =>
    (this.tables.hashes[tileLevel] ?? []).slice(start, start + count),
  );

  constructor(settings: StoreSettings) {
    super(createMemoryTables(), settings);
    this.#salts = createSaltSource(settings.random);
    this.#secret = settings.random(secretSizeBytes);
    this.#config = configStamp(this.#secret, settings.configDigest);
  }

  get processId(): string {
    return this.settings.identity.processId;
  }

  /** One transaction: nothing waits inside, so none can come between. */
  async #write<T>(work: (rows: TableRows) => T): Promise<T> {
    const clockMs = this.settings.nowMs();
    const stamp: AppendStamp = {
      ts: Math.max(clockMs, this.tables.lastMs),
      gw: this.settings.gatewayVersion,
      config: this.#config,
      salts: this.#salts,
    };
    return work(new TableRows(this.tables, new MemoryLog(this.tables, stamp, clockMs)));
  }

  async wasUnclean(): Promise<boolean> {
    return false;
  }

  async checkFile(): Promise<string | undefined> {
    return undefined;
  }

  async start(): Promise<StartReport> {
    const { origin } = this.settings;
    const open = { origin, reason: 'first start' };
    await this.appendLeaves([{ type: 'log.start', open, committed: {} }]);
    return { origin, logSize: 1, orphans: [], secret: this.#secret };
  }

  /** A log that ends with its process is never refused. */
  async restart(): Promise<RestartReport> {
    throw notNeeded();
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

  finish(report: OutcomeReport): Promise<OutcomePlan> {
    return this.#write((rows) => finishAttempt(rows, report));
  }

  reconcile(finding: Finding): Promise<ReconcilePlan> {
    return this.#write((rows) => reconcileOperation(rows, finding));
  }

  resend(request: ResendRequest): Promise<ResendPlan> {
    return this.#write((rows) => resendOperation(rows, request));
  }

  claimCheck(wish: CheckWish): Promise<CheckJob | undefined> {
    const { processId } = this;
    return this.#write(({ nowMs }) => claimCheck(this.tables, wish, { processId, nowMs }));
  }

  finishCheck(done: CheckDone): Promise<boolean> {
    return this.#write((rows) => {
      const isHeld = finishCheck(this.tables, done, this.processId);
      if (isHeld) rows.apply({ ...noWrites, leaves: done.leaves });
      return isHeld;
    });
  }

  async claimCallKey(claim: CallKey): Promise<ClaimedCallKey> {
    const known = this.tables.callKeys.get(claim.key);
    if (known !== undefined) return { ...known, isNew: false };
    this.tables.callKeys.set(claim.key, claim);
    return { ...claim, isNew: true };
  }

  async readUnknown(): Promise<readonly OperationRow[]> {
    return [...this.tables.operations.values()].filter(({ state }) => state === 'UNKNOWN');
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

  expireApprovals(): Promise<readonly ApprovalRow[]> {
    return this.#write(expireRequests);
  }

  findMandate(of: {
    readonly principal: string;
    readonly agent: string;
  }): Promise<MandateRow | undefined> {
    return this.#write((rows) => rows.newestMandate(of.principal, of.agent));
  }

  resumeMandate(mandateId: string, person: string): Promise<MandateRow | undefined> {
    return this.#write((rows) => resumeMandate(rows, mandateId, person));
  }

  async tell(opId: string): Promise<void> {
    tellOperation(this.tables, opId);
    const approvalId = this.tables.approvalIdOf.get(opId);
    if (approvalId !== undefined) tellApproval(this.tables, approvalId);
  }

  async appendLeaves(leaves: readonly LeafDraft[]): Promise<void> {
    await this.#write((rows) => rows.apply({ ...noWrites, leaves }));
  }

  async readOperation(opId: string): Promise<StoredOperation | undefined> {
    return storedOperation(this.tables, opId);
  }

  async readApproval(approvalId: string): Promise<StoredApproval | undefined> {
    const approval = this.tables.approvals.get(approvalId);
    const operation = approval && storedOperation(this.tables, approval.opId);
    if (operation === undefined || approval === undefined) return undefined;
    const { opId } = approval;
    const view = openingOf(this.tables, { opId, type: 'approval.request', field: 'view' });
    return { approval, operation, view: view ?? '' };
  }

  async readStatus(mandateId: string): Promise<MandateStatus | undefined> {
    const mandate = this.tables.mandates.get(mandateId);
    if (mandate === undefined) return undefined;
    const nowMs = this.nowMs;
    const budgets = [...this.tables.budgets.values()];
    const aged = agedEntries(this.tables, nowMs);
    return {
      mandate,
      budgets: currentBudgets({ mandate, nowMs, budgets, aged }),
      openApprovals: openApprovalsOf(this.tables, mandateId, nowMs),
    };
  }

  async readLeaves(query: LeafQuery): Promise<readonly StoredLeaf[]> {
    if ('opId' in query) return leavesOf(this.tables, query.opId);
    if ('about' in query) return this.tables.leaves.filter(({ type }) => aboutLog.has(type));
    return this.tables.leaves.slice(query.from, query.from + query.count);
  }

  async readTree(): Promise<{ readonly size: number; readonly root: Uint8Array }> {
    const { frontier } = this.tables;
    return { size: frontier.size, root: frontierRoot(frontier) };
  }

  async readNode(level: number, index: number): Promise<Uint8Array> {
    return this.#readTileNode(level, index);
  }

  async checkpoint(sign: (size: number, root: Uint8Array) => string): Promise<SignedCheckpoint> {
    const { size, root } = await this.readTree();
    const last = this.tables.checkpoint;
    if (last?.size === size) return last;
    if (
      last !== undefined &&
      !isSameHash(frontierRoot(frontierAt(last.size, this.#readTileNode)), last.root)
    ) {
      throw new StoreError('LOG_STATE_BAD', 'the log does not extend its last checkpoint', {
        fatal: true,
      });
    }
    const signed = { size, root, note: sign(size, root) };
    this.tables.checkpoint = signed;
    return signed;
  }

  async readCheckpoints(from: number = 0): Promise<readonly SignedCheckpoint[]> {
    const { checkpoint } = this.tables;
    return checkpoint === undefined || checkpoint.size < from ? [] : [checkpoint];
  }

  async readLastCheckpoint(): Promise<SignedCheckpoint | undefined> {
    return this.tables.checkpoint;
  }

  async cosign(cosigning: Cosigning): Promise<void> {
    addCosignature(this.tables, cosigning);
  }

  async readCosigned(): Promise<CosignedCheckpoint | undefined> {
    return this.tables.cosigned;
  }

  async timestamp(timestamping: Timestamping): Promise<void> {
    addTimestamp(this.tables, timestamping);
  }

  async readTimestamped(): Promise<TimestampedCheckpoint | undefined> {
    return this.tables.timestamped;
  }

  async readOperations(page: OperationPage): Promise<readonly NumberedRow[]> {
    const from = (page.after ?? -1) + 1;
    const rows = [...this.tables.operations.values()].slice(from, from + page.count);
    return rows.map((row, index) => ({ n: from + index, row }));
  }

  async readBudgetSums(): Promise<readonly BudgetSum[]> {
    return budgetSums(this.tables);
  }

  async readBudgets(): Promise<readonly BudgetRow[]> {
    const nowMs = this.nowMs;
    const budgets = [...this.tables.budgets.values()];
    return listBudgets({ nowMs, budgets, aged: agedEntries(this.tables, nowMs) });
  }

  unfreezeBudget(budgetId: string, person: string): Promise<UnfreezePlan> {
    return this.#write((rows) => unfreezeBudget(rows, budgetId, person));
  }

  async readDefinitions(): Promise<readonly StoredDefinition[]> {
    return [...this.tables.definitions.values()];
  }

  async recordDefinitions(
    definitions: readonly StoredDefinition[],
    leaves: readonly LeafDraft[],
  ): Promise<void> {
    await this.appendLeaves(leaves);
    for (const each of definitions) {
      this.tables.definitions.set(`${each.server}\n${each.tool}`, each);
    }
  }

  async countPasscodeFailure(person: string): Promise<number> {
    const lock = lockAfterFailure(lockOf(this.tables, person), this.nowMs);
    this.tables.locks.set(person, lock);
    return lock.lockedUntilMs;
  }

  async readPasscodeLock(person: string): Promise<PasscodeLock> {
    return this.tables.locks.get(person) ?? noPasscodeLock;
  }

  async clearPasscodeFailures(person: string): Promise<void> {
    this.tables.locks.delete(person);
  }

  async readRecords(query: RecordQuery): Promise<readonly KeptRecord[]> {
    return findRecords(this.tables, query, this.nowMs);
  }

  changeRecords(changes: readonly RecordChange[], leaves: readonly LeafDraft[]): Promise<boolean> {
    return this.#write((rows) => {
      const records = changedRecords(this.tables, changes, rows.nowMs);
      if (records === undefined) return false;
      rows.apply({ ...noWrites, leaves });
      this.tables.records.clear();
      for (const [key, record] of records) this.tables.records.set(key, record);
      return true;
    });
  }

  async useNonce(nonce: string, expiresMs: number): Promise<boolean> {
    return takeNonce(this.tables, { nonce, expiresMs, nowMs: this.nowMs });
  }

  redact(order: RedactionOrder): Promise<RedactionResult> {
    const { redactions: list } = this.settings;
    return this.#write((rows) => redactLeaves(this.tables, rows, { order, list }));
  }

  async readRepeats(opId: string): Promise<readonly string[]> {
    return repeatsOf(this.tables, opId);
  }

  async readKept(page: KeptPage): Promise<readonly KeptLeaf[]> {
    return keptLeaves(this.tables, page);
  }

  async claimChore(name: string, everyMs: number): Promise<boolean> {
    return takeChore(this.tables, { name, everyMs, nowMs: this.nowMs });
  }

  async heartbeat(): Promise<readonly string[]> {
    return [];
  }

  /** Nobody else can see what it holds. */
  holdsLease(): boolean {
    return true;
  }

  async close(): Promise<void> {}
}
