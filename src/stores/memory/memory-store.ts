// A store that lives and dies with its process: for tests, demos and `store = ":memory:"`.

import type { StaticFacts } from '../../core/facts.ts';
import type { LeafDraft } from '../../core/leaf.ts';
import type { AppendStamp } from '../../core/log-append.ts';
import { frontierAt, frontierRoot, isSameHash, tileNodeReader } from '../../core/merkle.ts';
import {
  lockAfterFailure,
  noPasscodeLock,
  type PasscodeLock,
} from '../../core/moves/passcode-lock.ts';
import type { AnswerPlan, ApprovalAnswer } from '../../core/moves/plan-answer.ts';
import type { DecisionPlan } from '../../core/moves/plan-decision.ts';
import type { MandateDraft } from '../../core/moves/plan-mandate.ts';
import type { OutcomePlan, OutcomeReport } from '../../core/moves/plan-outcome.ts';
import type { Finding, ReconcilePlan } from '../../core/moves/plan-reconcile.ts';
import type { ProposalDraft } from '../../core/moves/proposal-draft.ts';
import { noWrites } from '../../core/moves/writes.ts';
import type { ApprovalRow, MandateRow, OperationRow } from '../../core/operation.ts';
import { tellApproval, tellOperation } from '../apply-writes.ts';
import { configStamp } from '../config-stamp.ts';
import { notNeeded } from '../restart-refused.ts';
import { createSaltSource } from '../salt-source.ts';
import {
  type BudgetSum,
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
import { budgetSums, budgetsOf, openApprovalsOf, TableRows } from '../table-rows.ts';
import { MemoryLog } from './memory-log.ts';
import { createMemoryTables, lockOf } from './memory-tables.ts';
import { leavesOf, openingOf, storedOperation } from './read-leaves.ts';

export function createMemoryStore(settings: StoreSettings): Store {
  return new MemoryStore(settings);
}

const secretSizeBytes = 32;
const aboutLog: ReadonlySet<string> = new Set(['log.start', 'key.rotate', 'key.distrust']);

class MemoryStore implements Store {
  readonly name = 'memory';
  readonly #settings: StoreSettings;
  readonly #tables = createMemoryTables();
  readonly #secret: Uint8Array;
  readonly #config: string;
  readonly #salts: () => Uint8Array;
  readonly #readTileNode = tileNodeReader(({ tileLevel, start, count }) =>
    (this.#tables.hashes[tileLevel] ?? []).slice(start, start + count),
  );

  constructor(settings: StoreSettings) {
    this.#settings = settings;
    this.#salts = createSaltSource(settings.random);
    this.#secret = settings.random(secretSizeBytes);
    this.#config = configStamp(this.#secret, settings.configDigest);
  }

  get processId(): string {
    return this.#settings.identity.processId;
  }

  get #nowMs(): number {
    return Math.max(this.#settings.nowMs(), this.#tables.lastMs);
  }

  /** One transaction: nothing waits inside, so none can come between. */
  async #write<T>(work: (rows: TableRows) => T): Promise<T> {
    const stamp: AppendStamp = {
      ts: this.#nowMs,
      gw: this.#settings.gatewayVersion,
      config: this.#config,
      salts: this.#salts,
    };
    return work(new TableRows(this.#tables, new MemoryLog(this.#tables, stamp)));
  }

  async start(): Promise<StartReport> {
    const { origin } = this.#settings;
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

  decide(facts: StaticFacts, draft: ProposalDraft): Promise<DecisionPlan> {
    return this.#write((rows) => decideProposal(rows, facts, draft));
  }

  finish(report: OutcomeReport): Promise<OutcomePlan> {
    return this.#write((rows) => finishAttempt(rows, report));
  }

  reconcile(finding: Finding): Promise<ReconcilePlan> {
    return this.#write((rows) => reconcileOperation(rows, finding));
  }

  async readUnknown(): Promise<readonly OperationRow[]> {
    return [...this.#tables.operations.values()].filter(({ state }) => state === 'UNKNOWN');
  }

  answer(answer: ApprovalAnswer): Promise<AnswerPlan> {
    return this.#write((rows) => answerRequest(rows, answer));
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
    tellOperation(this.#tables, opId);
    const approvalId = this.#tables.approvalIdOf.get(opId);
    if (approvalId !== undefined) tellApproval(this.#tables, approvalId);
  }

  async appendLeaves(leaves: readonly LeafDraft[]): Promise<void> {
    await this.#write((rows) => rows.apply({ ...noWrites, leaves }));
  }

  async readOperation(opId: string): Promise<StoredOperation | undefined> {
    return storedOperation(this.#tables, opId);
  }

  async readApproval(approvalId: string): Promise<StoredApproval | undefined> {
    const approval = this.#tables.approvals.get(approvalId);
    const operation = approval && storedOperation(this.#tables, approval.opId);
    if (operation === undefined || approval === undefined) return undefined;
    const { opId } = approval;
    const view = openingOf(this.#tables, { opId, type: 'approval.request', field: 'view' });
    return { approval, operation, view: view ?? '' };
  }

  async readStatus(mandateId: string): Promise<MandateStatus | undefined> {
    const mandate = this.#tables.mandates.get(mandateId);
    if (mandate === undefined) return undefined;
    const budgets = budgetsOf(this.#tables, mandate.budgetRoot);
    return {
      mandate,
      budgets: budgets.filter((budget) => mandate.budgetKinds.includes(budget.kind)),
      openApprovals: openApprovalsOf(this.#tables, mandateId, this.#nowMs),
    };
  }

  async readLeaves(query: LeafQuery): Promise<readonly StoredLeaf[]> {
    if ('opId' in query) return leavesOf(this.#tables, query.opId);
    if ('about' in query) return this.#tables.leaves.filter(({ type }) => aboutLog.has(type));
    return this.#tables.leaves.slice(query.from, query.from + query.count);
  }

  async readTree(): Promise<{ readonly size: number; readonly root: Uint8Array }> {
    const { frontier } = this.#tables;
    return { size: frontier.size, root: frontierRoot(frontier) };
  }

  async readNode(level: number, index: number): Promise<Uint8Array> {
    return this.#readTileNode(level, index);
  }

  async checkpoint(sign: (size: number, root: Uint8Array) => string): Promise<SignedCheckpoint> {
    const { size, root } = await this.readTree();
    const last = this.#tables.checkpoint;
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
    this.#tables.checkpoint = signed;
    return signed;
  }

  async readCheckpoints(): Promise<readonly SignedCheckpoint[]> {
    return this.#tables.checkpoint === undefined ? [] : [this.#tables.checkpoint];
  }

  async readOperations(page: OperationPage): Promise<readonly NumberedRow[]> {
    const from = (page.after ?? -1) + 1;
    const rows = [...this.#tables.operations.values()].slice(from, from + page.count);
    return rows.map((row, index) => ({ n: from + index, row }));
  }

  async readBudgetSums(): Promise<readonly BudgetSum[]> {
    return budgetSums(this.#tables);
  }

  async readDefinitions(): Promise<readonly StoredDefinition[]> {
    return [...this.#tables.definitions.values()];
  }

  async recordDefinitions(
    definitions: readonly StoredDefinition[],
    leaves: readonly LeafDraft[],
  ): Promise<void> {
    await this.appendLeaves(leaves);
    for (const each of definitions) {
      this.#tables.definitions.set(`${each.server}\n${each.tool}`, each);
    }
  }

  async countPasscodeFailure(person: string): Promise<number> {
    const lock = lockAfterFailure(lockOf(this.#tables, person), this.#nowMs);
    this.#tables.locks.set(person, lock);
    return lock.lockedUntilMs;
  }

  async readPasscodeLock(person: string): Promise<PasscodeLock> {
    return this.#tables.locks.get(person) ?? noPasscodeLock;
  }

  async clearPasscodeFailures(person: string): Promise<void> {
    this.#tables.locks.delete(person);
  }

  async useNonce(nonce: string, expiresMs: number): Promise<boolean> {
    const { nonces } = this.#tables;
    const nowMs = this.#nowMs;
    for (const [each, untilMs] of nonces) if (untilMs <= nowMs) nonces.delete(each);
    if (expiresMs <= nowMs || nonces.has(nonce)) return false;
    nonces.set(nonce, expiresMs);
    return true;
  }

  async heartbeat(): Promise<void> {}

  async close(): Promise<void> {}
}
