// The store of one process on the database of all. Planners, rows and log are the product's; when a
// transaction runs, and how it fails, is the scheduler's.
import type { StaticFacts } from '../../src/core/facts.ts';
import type { LeafDraft } from '../../src/core/leaf.ts';
import { currentBudgets } from '../../src/core/moves/chain-budgets.ts';
import type { AnswerPlan, ApprovalAnswer } from '../../src/core/moves/plan-answer.ts';
import type { DecisionPlan } from '../../src/core/moves/plan-decision.ts';
import type { MandateDraft } from '../../src/core/moves/plan-mandate.ts';
import type { OutcomePlan, OutcomeReport } from '../../src/core/moves/plan-outcome.ts';
import type { Finding, ReconcilePlan } from '../../src/core/moves/plan-reconcile.ts';
import type { ResendPlan, ResendRequest } from '../../src/core/moves/plan-resend.ts';
import type { ProposalDraft } from '../../src/core/moves/proposal-draft.ts';
import { noWrites } from '../../src/core/moves/writes.ts';
import type { ApprovalRow, MandateRow } from '../../src/core/operation.ts';
import type { Result } from '../../src/core/result.ts';
import type { CheckDone, CheckJob, CheckWish } from '../../src/stores/check-job.ts';
import { leaseMs } from '../../src/stores/lease.ts';
import { claimCheck, finishCheck } from '../../src/stores/memory/memory-checks.ts';
import { leavesOf, openingOf, storedOperation } from '../../src/stores/memory/read-leaves.ts';
import { createSaltSource } from '../../src/stores/salt-source.ts';
import type {
  LeafQuery,
  MandateStatus,
  ProcessIdentity,
  StartReport,
  Store,
  StoredApproval,
  StoredLeaf,
  StoredOperation,
  StoreError,
} from '../../src/stores/store.ts';
import { agedEntries, openApprovalsOf, type TableRows } from '../../src/stores/table-rows.ts';
import { beat } from './bury-processes.ts';
import { NoHistory } from './no-history.ts';
import type { Committed } from './sim-database.ts';
import type { BurialEvent, StoreCall, StoreEvent } from './store-call.ts';
import { type StoreFault, type StoreWorld, storeErrors } from './store-world.ts';

interface Write<T> {
  readonly what: string;
  readonly work: (rows: TableRows) => T;
  /** Undefined when the transaction wrote nothing worth telling. */
  readonly event: (value: T) => StoreEvent | undefined;
}

export class SimStore extends NoHistory implements Store {
  readonly name = 'memory';
  readonly #identity: ProcessIdentity;
  readonly #world: StoreWorld;
  readonly #salts: () => Uint8Array;
  #fatal: StoreError | undefined;
  #leaseUntilMs = 0;

  constructor(identity: ProcessIdentity, world: StoreWorld, random: (size: number) => Uint8Array) {
    super();
    this.#identity = identity;
    this.#world = world;
    this.#salts = createSaltSource(random);
  }

  get processId(): string {
    return this.#identity.processId;
  }

  get #stamp(): { readonly nowMs: number; readonly salts: () => Uint8Array } {
    return { nowMs: this.#world.nowMs(), salts: this.#salts };
  }

  /** A transaction: asked now, run at a moment of its own, answered at a third one. */
  #write<T>(write: Write<T>): Promise<T> {
    const call = this.#world.called();
    return new Promise((resolve, reject) => {
      this.#world.schedule(`asks to ${write.what}`, () => {
        const { fault, refusal } = this.#fate(true);
        if (refusal !== undefined) reject(refusal);
        else if (fault === 'crash before commit') this.#world.crash(`before ${write.what}`);
        else this.#run(write, call, { fault, resolve, reject });
      });
    });
  }

  #run<T>(
    { what, work, event }: Write<T>,
    call: StoreCall,
    end: {
      readonly fault: StoreFault;
      readonly resolve: (value: T) => void;
      readonly reject: (error: unknown) => void;
    },
  ): void {
    const committed = this.#commit(work);
    if (!committed.ok) {
      this.#world.refused(what, committed.error);
      end.reject(committed.error);
      return;
    }
    const { number, value, nowMs } = committed.value;
    const told = event(value);
    if (told !== undefined) call.event = told;
    call.nowMs = nowMs;
    this.#world.committed(call);
    if (end.fault === 'crash after commit') this.#world.crash(`after ${what}`);
    else if (end.fault === 'uncertain, written') end.reject(storeErrors.uncertain());
    else {
      this.#world.schedule(`has ${what}`, () => {
        this.#world.database.sync(number);
        this.#world.answered(call);
        end.resolve(value);
      });
    }
  }

  /** What happens to the next call, and the error that it ends with. */
  #fate(isWrite: boolean): {
    readonly fault: StoreFault;
    readonly refusal: StoreError | undefined;
  } {
    const fault = this.#fatal === undefined ? this.#world.pickFault(isWrite) : 'fsync failed';
    if (fault !== 'none') this.#world.failed(fault);
    return { fault, refusal: this.#refusalOf(fault) };
  }

  #refusalOf(fault: StoreFault): StoreError | undefined {
    if (fault === 'busy' || fault === 'full') return storeErrors[fault]();
    if (fault === 'uncertain, lost') return storeErrors.uncertain();
    if (fault === 'fsync failed') this.#fatal ??= storeErrors.broken();
    return this.#fatal;
  }

  #commit<T>(work: (rows: TableRows) => T): Result<Committed<T>, unknown> {
    try {
      return { ok: true, value: this.#world.database.commit(this.#stamp, work) };
    } catch (error) {
      return { ok: false, error };
    }
  }

  #read<T>(what: string, work: () => T, event?: (value: T) => StoreEvent): Promise<T> {
    const call = this.#world.called();
    return new Promise((resolve, reject) => {
      this.#world.schedule(`reads ${what}`, () => {
        const { refusal } = this.#fate(false);
        if (refusal !== undefined) return reject(refusal);
        const value = work();
        // What anybody has seen is on the disk.
        this.#world.database.sync(this.#world.database.commits);
        const told = event?.(value);
        if (told !== undefined) call.event = told;
        this.#world.answered(call);
        resolve(value);
      });
    });
  }

  start(): Promise<StartReport> {
    const { database, origin } = this.#world;
    const sinceMs = this.#world.nowMs();
    return this.#write({
      what: 'start',
      work: (rows) => {
        if (database.tables.leaves.length === 0) {
          const open = { origin, reason: 'first start' };
          rows.apply({ ...noWrites, leaves: [{ type: 'log.start', open, committed: {} }] });
        }
        return this.#beat(rows);
      },
      event: (found) => ({ kind: 'start', ...found }),
    }).then(({ orphans }) => {
      this.#leaseUntilMs = sinceMs + leaseMs;
      const logSize = database.tables.leaves.length;
      return { origin, orphans, logSize, secret: database.secret };
    });
  }

  joinMandate(draft: MandateDraft): Promise<MandateRow> {
    return this.#write({
      what: 'join the mandate',
      work: (rows) => this.#world.methods.joinMandate(rows, draft),
      event: (mandate) => ({ kind: 'join', draft, mandate }),
    });
  }

  decide(facts: StaticFacts, draft: ProposalDraft): Promise<DecisionPlan> {
    return this.#write({
      what: 'decide',
      work: (rows) => this.#world.methods.decideProposal(rows, facts, draft),
      event: (plan) => (plan.kind === 'decided' ? { kind: 'decide', draft, plan } : undefined),
    });
  }

  finish(report: OutcomeReport): Promise<OutcomePlan> {
    return this.#write({
      what: 'finish',
      work: (rows) => this.#world.methods.finishAttempt(rows, report),
      event: (plan) => ({ kind: 'finish', report, plan }),
    });
  }

  reconcile(finding: Finding): Promise<ReconcilePlan> {
    return this.#write({
      what: 'reconcile',
      work: (rows) => this.#world.methods.reconcileOperation(rows, finding),
      event: (plan) => ({ kind: 'reconcile', finding, plan }),
    });
  }

  resend(request: ResendRequest): Promise<ResendPlan> {
    return this.#write({
      what: 'resend',
      work: (rows) => this.#world.methods.resendOperation(rows, request),
      event: (plan) => ({ kind: 'resend', request, plan }),
    });
  }

  claimCheck(wish: CheckWish): Promise<CheckJob | undefined> {
    const { processId: owner } = this;
    return this.#write({
      what: 'claim',
      work: ({ nowMs }) =>
        claimCheck(this.#world.database.tables, wish, { processId: owner, nowMs }),
      event: (job) => ({ kind: 'claim', owner, wish, job }),
    });
  }

  finishCheck(done: CheckDone): Promise<boolean> {
    const { processId: owner } = this;
    return this.#write({
      what: 'plan the next look-up',
      work: (rows) => {
        const isHeld = finishCheck(this.#world.database.tables, done, owner);
        if (isHeld) rows.apply({ ...noWrites, leaves: done.leaves });
        return isHeld;
      },
      event: (isHeld) => ({ kind: 'checked', owner, done, isHeld }),
    });
  }

  answer(answer: ApprovalAnswer): Promise<AnswerPlan> {
    return this.#write({
      what: 'answer',
      work: (rows) => this.#world.methods.answerRequest(rows, answer),
      event: (plan) => ({ kind: 'answer', answer, plan }),
    });
  }

  cancelApproval(opId: string, reason: string): Promise<ApprovalRow | undefined> {
    return this.#write({
      what: 'cancel',
      work: (rows) => this.#world.methods.cancelRequest(rows, opId, reason),
      event: (ended) => ({ kind: 'cancel', opId, ended }),
    });
  }

  expireApprovals(): Promise<readonly ApprovalRow[]> {
    return this.#write({
      what: 'expire',
      work: (rows) => this.#world.methods.expireRequests(rows),
      event: (ended) => ({ kind: 'expire', ended }),
    });
  }

  resumeMandate(mandateId: string, person: string): Promise<MandateRow | undefined> {
    return this.#write({
      what: 'resume',
      work: (rows) => this.#world.methods.resumeMandate(rows, mandateId, person),
      event: (mandate) => ({ kind: 'resume', mandateId, mandate }),
    });
  }

  /** Not a call of the contract: an administrator stops the mandate. */
  suspendMandate(mandateId: string): Promise<void> {
    return this.#write({
      what: 'suspend',
      work: (rows) => {
        const mandate = rows.mandate(mandateId);
        if (mandate?.status !== 'active') return false;
        const open = { mandate: mandateId };
        rows.apply({
          ...noWrites,
          updateMandates: [{ ...mandate, status: 'suspended' }],
          leaves: [{ type: 'mandate.suspend', open, committed: { reason: 'by hand' } }],
        });
        return true;
      },
      event: (isDone) => (isDone ? { kind: 'suspend', mandateId } : undefined),
    }).then(() => undefined);
  }

  appendLeaves(leaves: readonly LeafDraft[]): Promise<void> {
    return this.#write({
      what: 'append',
      work: (rows) => rows.apply({ ...noWrites, leaves }),
      event: () => undefined,
    });
  }

  readOperation(opId: string): Promise<StoredOperation | undefined> {
    return this.#read(
      'an operation',
      () => storedOperation(this.#world.database.tables, opId),
      (stored) => ({ kind: 'read operation', opId, state: stored?.row.state ?? 'absent' }),
    );
  }

  readLeaves(query: LeafQuery): Promise<readonly StoredLeaf[]> {
    if (!('opId' in query)) return notSimulated();
    return this.#read('leaves', () => leavesOf(this.#world.database.tables, query.opId));
  }

  readApproval(approvalId: string): Promise<StoredApproval | undefined> {
    return this.#read('a request', () => {
      const { tables } = this.#world.database;
      const approval = tables.approvals.get(approvalId);
      const operation = approval && storedOperation(tables, approval.opId);
      if (approval === undefined || operation === undefined) return undefined;
      const { opId } = approval;
      const view = openingOf(tables, { opId, type: 'approval.request', field: 'view' }) ?? '';
      return { approval, operation, view };
    });
  }

  readStatus(mandateId: string): Promise<MandateStatus | undefined> {
    return this.#read(
      'the status',
      () => {
        const { tables } = this.#world.database;
        const mandate = tables.mandates.get(mandateId);
        if (mandate === undefined) return undefined;
        const nowMs = Math.max(this.#world.nowMs(), tables.lastMs);
        const budgets = currentBudgets({
          mandate,
          nowMs,
          budgets: [...tables.budgets.values()],
          aged: agedEntries(tables, nowMs),
        });
        return { mandate, budgets, openApprovals: openApprovalsOf(tables, mandateId, nowMs) };
      },
      (status) => ({ kind: 'read budgets', budgets: status?.budgets ?? [] }),
    );
  }

  async heartbeat(): Promise<readonly string[]> {
    const sinceMs = this.#world.nowMs();
    const { orphans } = await this.#write({
      what: 'say that it lives',
      work: (rows) => this.#beat(rows),
      event: (found) => ({ kind: 'heartbeat', ...found }),
    });
    this.#leaseUntilMs = sinceMs + leaseMs;
    return orphans;
  }

  #beat(rows: TableRows): BurialEvent {
    return beat(rows, { ...this.#world, identity: this.#identity });
  }

  holdsLease(): boolean {
    return this.#world.nowMs() < this.#leaseUntilMs;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  // No part of a history asks for these.
  readonly readUnknown: Store['readUnknown'] = notSimulated;
  readonly findMandate: Store['findMandate'] = notSimulated;
  readonly tell: Store['tell'] = notSimulated;
  readonly readTree: Store['readTree'] = notSimulated;
  readonly readNode: Store['readNode'] = notSimulated;
  readonly checkpoint: Store['checkpoint'] = notSimulated;
  readonly readCheckpoints: Store['readCheckpoints'] = notSimulated;
  readonly readOperations: Store['readOperations'] = notSimulated;
  readonly readBudgetSums: Store['readBudgetSums'] = notSimulated;
  readonly readDefinitions: Store['readDefinitions'] = notSimulated;
  readonly recordDefinitions: Store['recordDefinitions'] = notSimulated;
  readonly countPasscodeFailure: Store['countPasscodeFailure'] = notSimulated;
  readonly readPasscodeLock: Store['readPasscodeLock'] = notSimulated;
  readonly clearPasscodeFailures: Store['clearPasscodeFailures'] = notSimulated;
  readonly useNonce: Store['useNonce'] = notSimulated;
  readonly wasUnclean: Store['wasUnclean'] = notSimulated;
  readonly checkFile: Store['checkFile'] = notSimulated;
  readonly restart: Store['restart'] = notSimulated;
  readonly timestamp: Store['timestamp'] = notSimulated;
  readonly readTimestamped: Store['readTimestamped'] = notSimulated;
  readonly delegateMandate: Store['delegateMandate'] = notSimulated;
  readonly claimCallKey: Store['claimCallKey'] = notSimulated;
  readonly readLastCheckpoint: Store['readLastCheckpoint'] = notSimulated;
  readonly cosign: Store['cosign'] = notSimulated;
  readonly readCosigned: Store['readCosigned'] = notSimulated;
  readonly readBudgets: Store['readBudgets'] = notSimulated;
  readonly unfreezeBudget: Store['unfreezeBudget'] = notSimulated;
  readonly redact: Store['redact'] = notSimulated;
  readonly readRepeats: Store['readRepeats'] = notSimulated;
  readonly readKept: Store['readKept'] = notSimulated;
  readonly claimChore: Store['claimChore'] = notSimulated;
}

const notSimulated = (): Promise<never> =>
  Promise.reject(new Error('the simulator has no such call'));
