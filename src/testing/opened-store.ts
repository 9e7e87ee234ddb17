// A started store with a mandate, and shorthands for what tests do with it.
import type { Decision } from '../core/decision.ts';
import type { StaticFacts } from '../core/facts.ts';
import type { DecisionPlan } from '../core/moves/plan-decision.ts';
import type { MandateDraft } from '../core/moves/plan-mandate.ts';
import type { ProposalDraft } from '../core/moves/proposal-draft.ts';
import type { MandateRow, OperationState } from '../core/operation.ts';
import type { MandateStatus, Store, StoredLeaf, StoreSettings } from '../stores/store.ts';
import {
  aCall,
  aMandateDraft,
  anAnswer,
  aProposal,
  aStoreSettings,
  type TestClock,
} from './store-builders.ts';

/** Where stores of one kind can be opened. A durable one is found again by the next store. */
export interface StorePlace {
  readonly isDurable: boolean;
  open(settings: StoreSettings): Store;
  remove(): void | Promise<void>;
}

type Decided = Extract<DecisionPlan, { kind: 'decided' }>;

export class OpenedStore {
  readonly clock: TestClock;
  readonly store: Store;
  readonly settings: StoreSettings;
  readonly mandate: MandateRow;

  private constructor(opened: Pick<OpenedStore, 'clock' | 'store' | 'settings' | 'mandate'>) {
    this.clock = opened.clock;
    this.store = opened.store;
    this.settings = opened.settings;
    this.mandate = opened.mandate;
  }

  static async open(
    place: StorePlace,
    over: {
      readonly clock?: TestClock;
      readonly settings?: Partial<StoreSettings>;
      readonly mandate?: Partial<MandateDraft>;
    } = {},
  ): Promise<OpenedStore> {
    const clock = over.clock ?? { nowMs: 1_800_000_000_000 };
    const settings = aStoreSettings(clock, over.settings);
    const store = place.open(settings);
    await store.start();
    const mandate = await store.joinMandate(aMandateDraft(over.mandate));
    return new OpenedStore({ clock, store, settings, mandate });
  }

  /** A draft under the mandate of this store. */
  proposal(over: Partial<ProposalDraft> = {}): ProposalDraft {
    const { mandateId } = this.mandate;
    return aProposal({ mandateId, owner: this.store.processId }, over);
  }

  async decide(draft: ProposalDraft, facts: StaticFacts = aCall()): Promise<Decided> {
    const plan = await this.store.decide(facts, draft);
    if (plan.kind !== 'decided') throw new Error(`nothing was decided: level ${plan.level}`);
    return plan;
  }

  /** Asks a person about the draft; returns what an answer needs. */
  async ask(draft: ProposalDraft): Promise<{ approvalId: string; opHash: string }> {
    await this.decide(draft, aCall({ level: 1 }));
    const asked = await this.store.readApproval(draft.approvalId);
    if (asked === undefined) throw new Error('nobody was asked');
    return { approvalId: draft.approvalId, opHash: asked.operation.row.opHash };
  }

  async grant(draft: ProposalDraft): Promise<void> {
    await this.store.answer(anAnswer(await this.ask(draft)));
  }

  async state(opId: string): Promise<OperationState | undefined> {
    return (await this.store.readOperation(opId))?.row.state;
  }

  async status(): Promise<MandateStatus> {
    const status = await this.store.readStatus(this.mandate.mandateId);
    if (status === undefined) throw new Error('the mandate is gone');
    return status;
  }

  /** `kind:reserved/spent` of each budget. */
  async budgets(): Promise<readonly string[]> {
    const { budgets } = await this.status();
    return budgets.map(({ kind, reserved, spent }) => `${kind}:${reserved}/${spent}`);
  }

  async types(opId: string): Promise<readonly string[]> {
    return (await this.store.readLeaves({ opId })).map((leaf) => leaf.type);
  }

  async allLeaves(): Promise<readonly StoredLeaf[]> {
    return this.store.readLeaves({ from: 0, count: 1_000_000 });
  }
}

/** The store of the running test. */
export interface StoreTestContext {
  readonly opened: () => OpenedStore;
  /** Closes the store and opens it again at the same place; only durable ones remember anything. */
  readonly reopen: () => Promise<OpenedStore>;
  readonly place: () => StorePlace;
}

/** Code of a refusal, or the kind of decision. */
export function outcomeOf(decision: Decision): string {
  return decision.kind === 'deny' ? decision.failures[0].code : decision.kind;
}
