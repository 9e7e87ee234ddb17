// Many callers want more of one budget than it has, on stores that share it. Some attempts succeed,
// some fail for certain, and of some nobody knows until later. A target counts what really happened.

import type { ProposalDraft } from '../../src/core/moves/proposal-draft.ts';
import type { OutcomeClass } from '../../src/core/operation.ts';
import type { Store } from '../../src/stores/store.ts';
import { aCall, aMandateDraft, aProposal, aReport } from '../../src/testing/store-builders.ts';
import type { BudgetEvent, BudgetInput, BudgetOutput } from '../linearizability/budget-counter.ts';

export interface BudgetTerms {
  /** Who the mandate of this round is for. */
  readonly agent: string;
  readonly limit: number;
  /** What is wanted, in this order; refused ones come again when something was released. */
  readonly demands: readonly number[];
  readonly callers: number;
  readonly random: () => number;
}

export interface BudgetFindings {
  readonly object: string;
  readonly limit: number;
  /** Sum of the effects that happened, counted by the target. */
  readonly effects: number;
  readonly spent: number;
  readonly reserved: number;
  /** Proposals, and those of them that were refused for the budget. */
  readonly proposals: number;
  readonly refused: number;
  /** Moments at which more was under way or done than the limit, one line each. */
  readonly overshoots: readonly string[];
  /** Refusals while nothing was under way and enough was left, one line each. */
  readonly falseRefusals: readonly string[];
  readonly history: readonly BudgetEvent[];
}

/** So many may be unknown at one time; the oldest is found out about then. */
const unresolvedMax = 16;

/** How an attempt ends: its class, and whether it had its effect. */
interface Fate {
  readonly class: OutcomeClass;
  readonly happens: boolean;
}

const success: Fate = { class: 'SUCCESS', happens: true };
/** One of these at random: six in ten succeed. */
const fates: readonly Fate[] = [
  ...Array.from({ length: 12 }, () => success),
  { class: 'REJECTED', happens: false },
  { class: 'REJECTED', happens: false },
  { class: 'REJECTED', happens: false },
  { class: 'NOT_SENT', happens: false },
  { class: 'NOT_SENT', happens: false },
  { class: 'AMBIGUOUS', happens: true },
  { class: 'AMBIGUOUS', happens: true },
  { class: 'AMBIGUOUS', happens: false },
];

interface Attempt {
  readonly draft: ProposalDraft;
  readonly amount: number;
  readonly fate: Fate;
}

/** Ends when every attempt is settled and nothing that was refused fits any more. */
export async function budgetRound(
  stores: readonly Store[],
  terms: BudgetTerms,
): Promise<BudgetFindings> {
  const [first] = stores;
  if (first === undefined) throw new Error('a round needs a store');
  const { mandateId } = await first.joinMandate(
    aMandateDraft({ agent: terms.agent, budgets: [{ kind: 'amount', limit: terms.limit }] }),
  );
  const round = new Round(terms, mandateId);
  await Promise.all(
    Array.from({ length: terms.callers }, (_, at) =>
      round.call(stores[at % stores.length] as Store),
    ),
  );
  await round.useUp(first);
  const status = await first.readStatus(mandateId);
  const budget = status?.budgets.find(({ kind }) => kind === 'amount');
  return {
    ...round.findings(),
    spent: budget?.spent ?? Number.NaN,
    reserved: budget?.reserved ?? Number.NaN,
  };
}

class Round {
  readonly #terms: BudgetTerms;
  readonly #mandateId: string;
  readonly #target: CountingTarget;
  readonly #history: BudgetEvent[] = [];
  readonly #falseRefusals: string[] = [];
  readonly #queue: number[];
  readonly #refused: number[] = [];
  readonly #unresolved: Attempt[] = [];
  #proposals = 0;
  #refusals = 0;

  constructor(terms: BudgetTerms, mandateId: string) {
    this.#terms = terms;
    this.#mandateId = mandateId;
    this.#target = new CountingTarget(terms.limit);
    this.#queue = terms.demands.toReversed();
  }

  /** One caller, until nothing is left to ask for. */
  async call(store: Store): Promise<void> {
    for (;;) {
      const amount = this.#queue.pop();
      const due = amount === undefined || this.#unresolved.length > unresolvedMax;
      const unresolved = due ? this.#unresolved.shift() : undefined;
      if (unresolved !== undefined) await this.#resolve(store, unresolved);
      if (amount !== undefined) await this.#propose(store, amount, this.#fate());
      else if (unresolved === undefined) return;
    }
  }

  /** Nothing is under way now: what was refused and fits must be allowed, until all is used. */
  async useUp(store: Store): Promise<void> {
    const wanted = [...this.#refused, ...this.#queue].toSorted((a, b) => b - a);
    const left = (): number => this.#terms.limit - this.#target.effects;
    for (const amount of wanted) {
      if (amount > left()) continue;
      if (await this.#propose(store, amount, success)) continue;
      this.#falseRefusals.push(`${amount} was refused when ${left()} were left`);
    }
    if (await this.#propose(store, 1, success)) {
      this.#falseRefusals.push('1 more was allowed when nothing was left');
    }
  }

  findings(): Omit<BudgetFindings, 'spent' | 'reserved'> {
    return {
      object: this.#terms.agent,
      limit: this.#terms.limit,
      effects: this.#target.effects,
      proposals: this.#proposals,
      refused: this.#refusals,
      overshoots: this.#target.overshoots,
      falseRefusals: this.#falseRefusals,
      history: this.#history,
    };
  }

  #fate(): Fate {
    return fates[Math.floor(this.#terms.random() * fates.length)] ?? success;
  }

  /** Whether it was allowed. */
  async #propose(store: Store, amount: number, fate: Fate): Promise<boolean> {
    this.#proposals += 1;
    const draft = aProposal({ mandateId: this.#mandateId, owner: store.processId });
    const isAllowed = await this.#recorded(
      { kind: 'reserve', op: draft.opId, amount },
      async () => {
        const plan = await store.decide(aCall({ amount }), draft);
        if (plan.kind !== 'decided') throw new Error(`nothing was decided: level ${plan.level}`);
        const { decision } = plan;
        if (decision.kind === 'allow') return 'ok';
        const code = decision.kind === 'deny' ? decision.failures[0].code : decision.kind;
        if (code !== 'BUDGET_AMOUNT') throw new Error(`a proposal was ${code}`);
        return 'refused';
      },
    );
    if (isAllowed) await this.#attempt(store, { draft, amount, fate });
    else {
      this.#refusals += 1;
      this.#refused.push(amount);
    }
    return isAllowed;
  }

  async #attempt(store: Store, attempt: Attempt): Promise<void> {
    const { draft, amount, fate } = attempt;
    this.#target.begin(amount);
    if (fate.happens) this.#target.happen(amount);
    const report = aReport(draft, {
      class: fate.class,
      ...(fate.class === 'SUCCESS' ? {} : { result: undefined }),
    });
    if (fate.class === 'AMBIGUOUS') {
      await store.finish(report);
      this.#unresolved.push(attempt);
    } else await this.#settle(attempt, () => store.finish(report));
  }

  #resolve(store: Store, attempt: Attempt): Promise<void> {
    const { draft, fate } = attempt;
    return this.#settle(attempt, () =>
      store.reconcile({
        opId: draft.opId,
        finding: fate.happens ? 'succeeded' : 'failed',
        method: 'person',
        person: 'alice',
        evidence: 'the statement of the bank',
        isTold: true,
      }),
    );
  }

  async #settle(
    { draft, amount, fate }: Attempt,
    write: () => Promise<{ readonly state: string | undefined }>,
  ): Promise<void> {
    const op = draft.opId;
    // From here on the store may give it to somebody else.
    if (!fate.happens) this.#target.giveBack(amount);
    const input: BudgetInput = fate.happens
      ? { kind: 'settle', op, amount }
      : { kind: 'release', op };
    await this.#recorded(input, async () => {
      const { state } = await write();
      const wanted = fate.happens ? 'SUCCEEDED' : 'FAILED';
      if (state !== wanted) throw new Error(`an outcome led to ${state}, not to ${wanted}`);
      return 'ok';
    });
    if (!fate.happens) this.#askAgain(amount);
  }

  /** What was refused may fit now. */
  #askAgain(released: number): void {
    for (let room = released; room > 0; ) {
      const amount = this.#refused.shift();
      if (amount === undefined) return;
      room -= amount;
      this.#queue.push(amount);
    }
  }

  async #recorded(input: BudgetInput, work: () => Promise<BudgetOutput>): Promise<boolean> {
    const calledAt = performance.now();
    const output = await work();
    const object = this.#terms.agent;
    this.#history.push({ object, calledAt, returnedAt: performance.now(), input, output });
    return output === 'ok';
  }
}

/** What happened and what may still happen, known without the store. */
class CountingTarget {
  readonly #limit: number;
  readonly overshoots: string[] = [];
  #effects = 0;
  #underWay = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get effects(): number {
    return this.#effects;
  }

  begin(amount: number): void {
    this.#underWay += amount;
    const sum = this.#effects + this.#underWay;
    if (sum > this.#limit) this.overshoots.push(`${sum} of ${this.#limit} were done or under way`);
  }

  happen(amount: number): void {
    this.#underWay -= amount;
    this.#effects += amount;
  }

  giveBack(amount: number): void {
    this.#underWay -= amount;
  }
}
