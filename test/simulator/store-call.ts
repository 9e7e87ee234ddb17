// One call of the store from its start to its answer: what the reference gateway, the rules and the
// linearizability check look at.
import type { AnswerPlan, ApprovalAnswer } from '../../src/core/moves/plan-answer.ts';
import type { DecisionPlan } from '../../src/core/moves/plan-decision.ts';
import type { MandateDraft } from '../../src/core/moves/plan-mandate.ts';
import type { OutcomePlan, OutcomeReport } from '../../src/core/moves/plan-outcome.ts';
import type { Finding, ReconcilePlan } from '../../src/core/moves/plan-reconcile.ts';
import type { ResendPlan, ResendRequest } from '../../src/core/moves/plan-resend.ts';
import type { ProposalDraft } from '../../src/core/moves/proposal-draft.ts';
import type {
  ApprovalRow,
  BudgetRow,
  MandateRow,
  OperationState,
} from '../../src/core/operation.ts';
import type { CheckDone, CheckJob, CheckWish } from '../../src/stores/check-job.ts';
import type { Standing } from '../../src/stores/sort-processes.ts';

/** What a dead process left, and what was made of it. */
export interface SettledOrphan {
  readonly opId: string;
  readonly to: OperationState;
  /** Budgets that got back what it held. */
  readonly released: readonly string[];
}

/** What a process made of those that are dead or silent. */
export interface BurialEvent {
  readonly by: string;
  readonly standing: Standing;
  /** As it is reported: what is UNKNOWN now. */
  readonly orphans: readonly string[];
  /** Everything that was settled, also reads. */
  readonly settled: readonly SettledOrphan[];
}

/** What a transaction was asked, and what it answered. */
export type StoreEvent =
  | ({ readonly kind: 'start' } & BurialEvent)
  | ({ readonly kind: 'heartbeat' } & BurialEvent)
  | { readonly kind: 'join'; readonly draft: MandateDraft; readonly mandate: MandateRow }
  | { readonly kind: 'decide'; readonly draft: ProposalDraft; readonly plan: DecisionPlan }
  | { readonly kind: 'finish'; readonly report: OutcomeReport; readonly plan: OutcomePlan }
  | { readonly kind: 'reconcile'; readonly finding: Finding; readonly plan: ReconcilePlan }
  | { readonly kind: 'resend'; readonly request: ResendRequest; readonly plan: ResendPlan }
  | {
      readonly kind: 'claim';
      readonly owner: string;
      readonly wish: CheckWish;
      readonly job: CheckJob | undefined;
    }
  | {
      readonly kind: 'checked';
      readonly owner: string;
      readonly done: CheckDone;
      readonly isHeld: boolean;
    }
  | { readonly kind: 'answer'; readonly answer: ApprovalAnswer; readonly plan: AnswerPlan }
  | { readonly kind: 'cancel'; readonly opId: string; readonly ended: ApprovalRow | undefined }
  | { readonly kind: 'expire'; readonly ended: readonly ApprovalRow[] }
  | { readonly kind: 'suspend'; readonly mandateId: string }
  | {
      readonly kind: 'resume';
      readonly mandateId: string;
      readonly mandate: MandateRow | undefined;
    }
  | {
      readonly kind: 'read operation';
      readonly opId: string;
      readonly state: OperationState | 'absent';
    }
  | { readonly kind: 'read budgets'; readonly budgets: readonly BudgetRow[] };

export interface StoreCall {
  readonly processId: string;
  /** Moment of the call; moments are counted from 1. */
  readonly calledAt: number;
  /** Moment of the answer; absent while nobody knows. */
  returnedAt?: number;
  /** Present when the transaction ran, whether or not it survived. */
  event?: StoreEvent;
  /** Store time of the transaction. */
  nowMs?: number;
  /** The end of the log after the transaction. */
  log?: { readonly size: number; readonly hash: string };
}
