// The store in PostgreSQL, for any number of processes on any number of machines. Reads run at once
// on a few connections; writes are grouped on one.
import type { StaticFacts } from '../../core/facts.ts';
import type { AmendmentDraft } from '../../core/history.ts';
import type { RecordChange } from '../../core/kept-record.ts';
import type { LeafDraft } from '../../core/leaf.ts';
import type { AnswerPlan, ApprovalAnswer } from '../../core/moves/plan-answer.ts';
import type { ChildPlan } from '../../core/moves/plan-child.ts';
import type { DecisionPlan } from '../../core/moves/plan-decision.ts';
import type { MandateDraft } from '../../core/moves/plan-mandate.ts';
import { neverSent, type OutcomePlan, type OutcomeReport } from '../../core/moves/plan-outcome.ts';
import type { Finding, ReconcilePlan } from '../../core/moves/plan-reconcile.ts';
import type { RedactionOrder } from '../../core/moves/plan-redaction.ts';
import type { ResendPlan, ResendRequest } from '../../core/moves/plan-resend.ts';
import type { UnfreezePlan } from '../../core/moves/plan-unfreeze.ts';
import type { ProposalDraft } from '../../core/moves/proposal-draft.ts';
import { noWrites, type Writes } from '../../core/moves/writes.ts';
import type { ApprovalRow, MandateRow } from '../../core/operation.ts';
import type { CallKey, ClaimedCallKey } from '../call-key.ts';
import type { CheckDone, CheckJob, CheckWish } from '../check-job.ts';
import { configStamp } from '../config-stamp.ts';
import type { RedactionResult } from '../erasure.ts';
import { isLeaseHeld } from '../lease.ts';
import { outcomeError } from '../outcome-error.ts';
import { createSaltSource } from '../salt-source.ts';
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
  expireRequests,
  finishAttempt,
  joinMandate,
  reconcileOperation,
  resendOperation,
  resumeMandate,
  unfreezeBudget,
} from '../store-methods.ts';
import { claimCheck, finishCheck, isCheckDue } from './check-works.ts';
import { draftAmendment } from './draft-amendment.ts';
import { moveGuard } from './guard-log.ts';
import {
  claimCallKey,
  claimChore,
  clearPasscode,
  countPasscodeFailure,
  putDefinition,
  useNonce,
} from './guard-works.ts';
import type { Needs } from './needs.ts';
import type { PlannedRows } from './planned-rows.ts';
import { PostgresReads } from './postgres-reads.ts';
import { removeProcesses } from './process-table.ts';
import { hasDueApprovals } from './read-stored.ts';
import { Reader } from './reader.ts';
import { changeRecord, forgetRecords } from './record-table.ts';
import { redactLeaves } from './redact-leaves.ts';
import { restartStore } from './restart-store.ts';
import {
  claimCheckpoint,
  cosignCheckpoint,
  setNote,
  timestampCheckpoint,
} from './sign-checkpoint.ts';
import { beat, identify, wasUnclean } from './start-store.ts';
import type { Transaction } from './transaction.ts';
import { type AddOptions, WriteQueue } from './write-queue.ts';
import { Writer } from './writer.ts';

/** An outcome that cannot be written stops the process, so it waits longer for the server: 30 s. */
const outcomeWaitMs = 30_000;

/** Nothing is connected before the start. */
export function openPostgresStore(url: string, settings: StoreSettings): Store {
  return new PostgresStore(url, settings);
}

class PostgresStore extends PostgresReads implements Store {
  readonly name = 'postgres';
  readonly #writer: Writer;
  readonly #queue: WriteQueue;
  #config: string | undefined;
  #aliveMs: number | undefined;
  #closing: Promise<void> | undefined;

  constructor(url: string, settings: StoreSettings) {
    super(new Reader(url), settings);
    this.#writer = new Writer(url, {
      nowMs: settings.nowMs,
      gatewayVersion: settings.gatewayVersion,
      salts: createSaltSource(settings.random),
      config: () => this.#configStamp(),
    });
    this.#queue = new WriteQueue(this.#writer);
  }

  protected get fatal(): StoreError | undefined {
    return this.#queue.fatal;
  }

  get processId(): string {
    return this.settings.identity.processId;
  }

  #configStamp(): string {
    if (this.#config === undefined) throw new StoreError('STORE_FAILED', 'the store has no secret');
    return this.#config;
  }

  /** Together with others in one transaction. */
  #plan<T>(needs: Needs, plan: (rows: PlannedRows) => T, options: AddOptions<T> = {}): Promise<T> {
    return this.#queue.add({ kind: 'rows', needs, plan }, options);
  }

  /** In a transaction of its own. */
  #run<T>(run: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#queue.add({ kind: 'own', run });
  }

  wasUnclean(): Promise<boolean> {
    return this.#run((transaction) => wasUnclean(transaction, this.settings));
  }

  /** The server looks after its files. */
  async checkFile(): Promise<string | undefined> {
    return undefined;
  }

  async start(): Promise<StartReport> {
    const settings = this.settings;
    const useSecret = (secret: Uint8Array): void => {
      this.#config = configStamp(secret, settings.configDigest);
    };
    const identity = await this.#run((transaction) => identify(transaction, settings, useSecret));
    return { ...identity, ...(await this.#beat()) };
  }

  restart(request: RestartRequest): Promise<RestartReport> {
    const settings = this.settings;
    const useSecret = (secret: Uint8Array): void => {
      this.#config = configStamp(secret, settings.configDigest);
    };
    return this.#run((transaction) => restartStore(transaction, { settings, useSecret, request }));
  }

  joinMandate(draft: MandateDraft): Promise<MandateRow> {
    const { principal, agent } = draft;
    return this.#plan({ agents: [{ principal, agent }] }, (rows) => joinMandate(rows, draft));
  }

  delegateMandate(parentId: string, draft: MandateDraft): Promise<ChildPlan> {
    const { principal, agent } = draft;
    return this.#plan({ mandateIds: [parentId], agents: [{ principal, agent }] }, (rows) =>
      delegateMandate(rows, parentId, draft),
    );
  }

  decide(facts: StaticFacts, draft: ProposalDraft): Promise<DecisionPlan> {
    const { mandateId, fingerprint } = draft;
    const isRepeatable = fingerprint === undefined || fingerprint === '';
    const needs: Needs = {
      mandateIds: [mandateId],
      onceKeys: draft.once === undefined ? [] : [draft.once],
      repeats: isRepeatable ? [] : [{ fingerprint, mandateId }],
    };
    return this.#plan(needs, (rows) => decideProposal(rows, facts, draft), {
      onAbandoned: (plan) => {
        if (plan.kind === 'decided') this.#neverSent(plan.writes);
      },
    });
  }

  /** The caller was refused because nobody knew: nothing was sent, and nothing may stay reserved. */
  #neverSent({ insertOperations, moveOperations }: Writes): void {
    for (const row of [...insertOperations, ...moveOperations.map(({ to }) => to)]) {
      if (row.state !== 'DISPATCHING' || row.owner === undefined) continue;
      const { opId, attempt, owner } = row;
      const reason = 'the store could not be reached: nothing was sent';
      this.finish(neverSent({ opId, attempt, owner }, reason)).catch(() => {
        // It stays under way and is an orphan at the next start.
      });
    }
  }

  async finish(report: OutcomeReport): Promise<OutcomePlan> {
    const options = { waitMs: outcomeWaitMs };
    return this.#plan(
      { opIds: [report.opId] },
      (rows) => finishAttempt(rows, report),
      options,
    ).catch((error: unknown) => {
      throw outcomeError(error);
    });
  }

  reconcile(finding: Finding): Promise<ReconcilePlan> {
    return this.#plan({ opIds: [finding.opId] }, (rows) => reconcileOperation(rows, finding));
  }

  resend(request: ResendRequest): Promise<ResendPlan> {
    const needs = { opIds: [request.opId], mandateIds: [request.mandateId] };
    return this.#plan(needs, (rows) => resendOperation(rows, request), {
      onAbandoned: ({ writes }) => this.#neverSent(writes),
    });
  }

  async claimCheck(wish: CheckWish): Promise<CheckJob | undefined> {
    const holder = { processId: this.processId, nowMs: this.settings.nowMs() };
    const isDue = wish.opId !== undefined || (await this.readOne(isCheckDue(holder.nowMs)));
    if (isDue !== true) return undefined;
    return this.#run((transaction) => claimCheck(transaction, wish, holder));
  }

  finishCheck(done: CheckDone): Promise<boolean> {
    return this.#run((transaction) => finishCheck(transaction, done, this.processId));
  }

  claimCallKey(claim: CallKey): Promise<ClaimedCallKey> {
    return this.#run((transaction) => claimCallKey(transaction, claim));
  }

  answer(answer: ApprovalAnswer): Promise<AnswerPlan> {
    return this.#plan({ approvalIds: [answer.approvalId] }, (rows) => answerRequest(rows, answer));
  }

  draftAmendment(approvalId: string, draftId: string): Promise<AmendmentDraft | undefined> {
    const nowMs = this.settings.nowMs();
    return this.#run((transaction) => draftAmendment(transaction, { approvalId, draftId, nowMs }));
  }

  cancelApproval(opId: string, reason: string): Promise<ApprovalRow | undefined> {
    return this.#plan({ opIds: [opId] }, (rows) => cancelRequest(rows, opId, reason));
  }

  async expireApprovals(): Promise<readonly ApprovalRow[]> {
    const dueMs = this.settings.nowMs();
    const isDue = await this.readOne(hasDueApprovals(dueMs));
    return isDue === true ? this.#plan({ dueMs }, expireRequests) : [];
  }

  resumeMandate(mandateId: string, person: string): Promise<MandateRow | undefined> {
    return this.#plan({ mandateIds: [mandateId] }, (rows) =>
      resumeMandate(rows, mandateId, person),
    );
  }

  tell(opId: string): Promise<void> {
    return this.#plan({ opIds: [opId] }, (rows) => rows.tell(opId));
  }

  appendLeaves(leaves: readonly LeafDraft[]): Promise<void> {
    return this.#plan({}, (rows) => rows.apply({ ...noWrites, leaves }));
  }

  async checkpoint(sign: (size: number, root: Uint8Array) => string): Promise<SignedCheckpoint> {
    const { size, root, note } = await this.#run(claimCheckpoint);
    if (note !== undefined) return { size, root, note };
    const { guard } = this.settings;
    if (guard !== undefined) {
      await this.#run((transaction) => moveGuard(transaction, guard, { size, root }));
    }
    const signed = sign(size, root);
    await this.#run((transaction) => transaction.write([setNote(size, signed)]));
    return { size, root, note: signed };
  }

  cosign(cosigning: Cosigning): Promise<void> {
    return this.#run((transaction) => cosignCheckpoint(transaction, cosigning));
  }

  timestamp(timestamping: Timestamping): Promise<void> {
    return this.#run((transaction) => timestampCheckpoint(transaction, timestamping));
  }

  unfreezeBudget(budgetId: string, person: string): Promise<UnfreezePlan> {
    return this.#plan({ budgetIds: [budgetId] }, (rows) => unfreezeBudget(rows, budgetId, person));
  }

  recordDefinitions(
    definitions: readonly StoredDefinition[],
    leaves: readonly LeafDraft[],
  ): Promise<void> {
    return this.#run(async (transaction) => {
      await transaction.write(definitions.map(putDefinition));
      await transaction.change({}, (rows) => rows.apply({ ...noWrites, leaves }));
    });
  }

  countPasscodeFailure(person: string): Promise<number> {
    const nowMs = this.settings.nowMs();
    return this.#run((transaction) => countPasscodeFailure(transaction, { person, nowMs }));
  }

  async clearPasscodeFailures(person: string): Promise<void> {
    await this.#run((transaction) => transaction.write([clearPasscode(person)]));
  }

  changeRecords(changes: readonly RecordChange[], leaves: readonly LeafDraft[]): Promise<boolean> {
    const forget = forgetRecords(this.settings.nowMs());
    return this.#run(async (transaction) => {
      await transaction.write([forget, ...changes.map(changeRecord)]);
      await transaction.change({}, (rows) => rows.apply({ ...noWrites, leaves }));
      return true;
    }).catch(isConflict);
  }

  useNonce(nonce: string, expiresMs: number): Promise<boolean> {
    const nowMs = this.settings.nowMs();
    return this.#run((transaction) => useNonce(transaction, { nonce, expiresMs, nowMs }));
  }

  redact(order: RedactionOrder): Promise<RedactionResult> {
    return this.#run((transaction) => redactLeaves(transaction, order, this.settings.redactions));
  }

  claimChore(name: string, everyMs: number): Promise<boolean> {
    const nowMs = this.settings.nowMs();
    return this.#run((transaction) => claimChore(transaction, { name, everyMs, nowMs }));
  }

  async heartbeat(): Promise<readonly string[]> {
    return (await this.#beat()).orphans;
  }

  /** The lease counts from before the write: others may have read the time that it writes. */
  async #beat(): Promise<Pick<StartReport, 'orphans' | 'logSize'>> {
    const sinceMs = this.settings.nowMs();
    const found = await this.#run((transaction) => beat(transaction, this.settings));
    this.#aliveMs = sinceMs;
    return found;
  }

  holdsLease(): boolean {
    return isLeaseHeld(this.#aliveMs, this.settings.nowMs());
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const leaving = this.#run((transaction) =>
      transaction.write([removeProcesses([this.processId])]),
    );
    // Whoever starts next finds the process dead; there is nothing left to lose here.
    leaving.catch(() => {});
    await this.#queue.close();
    await this.#writer.close();
    await this.closeReads();
  }
}
