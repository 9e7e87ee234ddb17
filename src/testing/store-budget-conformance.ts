// What every store must do about budgets that count a window of time, a chain of mandates, a
// currency, or what the target really took.
import { expect, it } from 'vitest';
import type { BudgetDraft, MandateDraft } from '../core/moves/plan-mandate.ts';
import type { MandateRow } from '../core/operation.ts';
import type { OpenedStore, StoreTestContext } from './opened-store.ts';
import { outcomeOf } from './opened-store.ts';
import { aCall, aMandateDraft, aReport } from './store-builders.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const berlin = 'Europe/Berlin';

type Draft = ReturnType<OpenedStore['proposal']>;

/** A mandate with these budgets, and what a test does under it. */
export class Spender {
  readonly opened: OpenedStore;
  readonly mandate: MandateRow;

  constructor(opened: OpenedStore, mandate: MandateRow) {
    this.opened = opened;
    this.mandate = mandate;
  }

  static async join(
    opened: OpenedStore,
    budgets: readonly BudgetDraft[],
    over: Partial<MandateDraft> = {},
  ): Promise<Spender> {
    const year = { validForMs: 400 * dayMs };
    const draft = aMandateDraft({ agent: 'spender', budgets, ...year, ...over });
    return new Spender(opened, await opened.store.joinMandate(draft));
  }

  /** A mandate below this one. */
  async delegate(budgets: readonly BudgetDraft[] = []): Promise<Spender> {
    const draft = aMandateDraft({ agent: 'helper', budgets, validForMs: 400 * dayMs });
    const plan = await this.opened.store.delegateMandate(this.mandate.mandateId, draft);
    if (!plan.ok) throw new Error(plan.fault);
    return new Spender(this.opened, plan.mandate);
  }

  proposal(): Draft {
    return this.opened.proposal({ mandateId: this.mandate.mandateId });
  }

  /** Reserves; the code or kind of the decision, with its detail. */
  async reserve(
    amount: number,
    draft: Draft = this.proposal(),
    currency?: string,
  ): Promise<string> {
    const facts = aCall({ amount, ...(currency === undefined ? {} : { currency }) });
    const { decision } = await this.opened.decide(draft, facts);
    const detail = decision.kind === 'deny' ? decision.failures[0].detail : undefined;
    return detail === undefined ? outcomeOf(decision) : `${outcomeOf(decision)} ${detail}`;
  }

  /** Reserves and settles. */
  async spend(amount: number): Promise<string> {
    const draft = this.proposal();
    const outcome = await this.reserve(amount, draft);
    if (outcome === 'allow') await this.opened.store.finish(aReport(draft));
    return outcome;
  }

  /** `id:reserved/spent` of each budget, its root left out. */
  async budgets(): Promise<readonly string[]> {
    const status = await this.opened.store.readStatus(this.mandate.mandateId);
    return (status?.budgets ?? []).map(
      ({ budgetId, budgetRoot, reserved, spent }) =>
        `${budgetId.slice(budgetRoot.length + 1)}:${reserved}/${spent}`,
    );
  }
}

/** Every counter is what its entries add up to. */
export async function expectSums({ store }: Pick<OpenedStore, 'store'>): Promise<void> {
  for (const { budget, reserved, spent } of await store.readBudgetSums()) {
    expect([budget.budgetId, reserved, spent]).toEqual([
      budget.budgetId,
      budget.reserved,
      budget.spent,
    ]);
  }
}

async function alarms(opened: OpenedStore): Promise<readonly string[]> {
  return (await opened.allLeaves())
    .filter(({ type }) => type === 'alarm')
    .map(({ bytes }) => (JSON.parse(new TextDecoder().decode(bytes)) as { kind: string }).kind);
}

export function testBudgetLedger(context: StoreTestContext): void {
  testWindows(context);
  testClock(context);
  testChains(context);
  testActualAmounts(context);
}

function testWindows({ opened, reopen, place }: StoreTestContext): void {
  const rolling: BudgetDraft = {
    kind: 'amount',
    limit: 100,
    window: { kind: 'rolling', ms: dayMs },
  };
  const daily = (kind: 'amount' | 'calls', limit: number): BudgetDraft => ({
    kind,
    limit,
    window: { kind: 'calendar', unit: 'day', zone: berlin },
  });

  it('EXE-20: a rolling window lets go of what it holds to the millisecond', async () => {
    const spender = await Spender.join(opened(), [rolling]);
    expect(await spender.spend(60)).toBe('allow');
    opened().clock.nowMs += 1_000;
    expect(await spender.spend(40)).toBe('allow');
    expect(await spender.spend(1)).toBe('BUDGET_PERIOD');
    opened().clock.nowMs += dayMs - 1_001;
    expect(await spender.spend(1)).toBe('BUDGET_PERIOD');
    expect(await spender.budgets()).toEqual(['amount.1d:0/100']);
    opened().clock.nowMs += 1;
    expect(await spender.budgets()).toEqual(['amount.1d:0/40']);
    expect(await spender.spend(61)).toBe('BUDGET_PERIOD');
    expect(await spender.spend(60)).toBe('allow');
    expect(await spender.budgets()).toEqual(['amount.1d:0/100']);
    await expectSums(opened());
  });

  it('EXE-20: what aged long ago is subtracted at once, however much it is', async () => {
    const spender = await Spender.join(opened(), [{ ...rolling, limit: 70 }]);
    for (let n = 0; n < 70; n += 1) expect(await spender.spend(1)).toBe('allow');
    expect(await spender.spend(1)).toBe('BUDGET_PERIOD');
    opened().clock.nowMs += dayMs;
    const drafts = Array.from({ length: 10 }, () => spender.proposal());
    const all = await Promise.all(drafts.map((draft) => spender.reserve(7, draft)));
    expect(all).toEqual(Array(10).fill('allow'));
    expect(await spender.reserve(1)).toBe('BUDGET_PERIOD');
    await expectSums(opened());
  });

  it('EXE-08 EXE-20: an unknown outcome stays in every window, and in none of them once it is settled late', async () => {
    const spender = await Spender.join(opened(), [rolling, daily('calls', 2)]);
    const unknown = spender.proposal();
    await spender.reserve(100, unknown);
    await opened().store.finish(aReport(unknown, { class: 'AMBIGUOUS', result: undefined }));
    opened().clock.nowMs += 40 * dayMs;
    expect(await spender.reserve(1)).toBe('BUDGET_PERIOD');
    expect(await spender.budgets()).toEqual(['amount.1d:100/0', `calls.day:${berlin}:0/0`]);
    expect(await opened().store.finish(aReport(unknown))).toMatchObject({ state: 'SUCCEEDED' });
    expect(await spender.budgets()).toEqual(['amount.1d:0/0', `calls.day:${berlin}:0/0`]);
    expect(await spender.spend(100)).toBe('allow');
    const sums = await opened().store.readBudgetSums();
    const days = sums.filter(({ budget }) => budget.period !== undefined);
    expect(days.map(({ budget, spent }) => [budget.reserved, spent])).toEqual([
      [0, 1],
      [0, 1],
    ]);
    await expectSums(opened());
  });

  it('EXE-20: a civil day begins and ends at midnight of its zone, and is settled where it was reserved', async () => {
    opened().clock.nowMs = Date.parse('2027-03-27T22:59:59.999Z');
    const spender = await Spender.join(opened(), [daily('amount', 100)]);
    const late = spender.proposal();
    expect(await spender.reserve(70, late)).toBe('allow');
    expect(await spender.reserve(31)).toBe('BUDGET_PERIOD');
    opened().clock.nowMs += 1;
    expect(await spender.reserve(100)).toBe('allow');
    expect(await spender.reserve(1)).toBe('BUDGET_PERIOD');
    await opened().store.finish(aReport(late));
    const name = `amount.day:${berlin}`;
    expect(await spender.budgets()).toEqual([`${name}:100/0`]);
    const rows = (await opened().store.readBudgetSums()).filter(
      ({ budget }) => budget.budgetRoot === spender.mandate.line && budget.period !== undefined,
    );
    expect(rows.map(({ budget }) => [budget.period, budget.reserved, budget.spent])).toEqual([
      ['2027-03-27', 0, 70],
      ['2027-03-28', 100, 0],
    ]);
    // The day of summer time has 23 hours.
    const status = await opened().store.readStatus(spender.mandate.mandateId);
    expect(status?.budgets[0]).toMatchObject({
      period: '2027-03-28',
      endsMs: Date.parse('2027-03-28T22:00:00Z'),
    });
    await expectSums(opened());
  });

  it('EXE-20: windows go on over a renewal and a restart, a life budget begins anew', async () => {
    const budgets: readonly BudgetDraft[] = [{ kind: 'amount', limit: 500 }, rolling];
    const short = { validForMs: hourMs };
    const first = await Spender.join(opened(), budgets, short);
    await first.spend(70);
    opened().clock.nowMs += hourMs;
    const store = place().isDurable ? await reopen() : opened();
    const renewed = await Spender.join(store, budgets, short);
    expect(renewed.mandate.supersedes).toBe(first.mandate.mandateId);
    expect(await renewed.budgets()).toEqual(['amount:0/0', 'amount.1d:0/70']);
    expect(await renewed.reserve(31)).toBe('BUDGET_PERIOD');
    expect(await renewed.reserve(30)).toBe('allow');
  });

  it('EXE-21: an amendment of a window keeps what was used of it', async () => {
    const first = await Spender.join(opened(), [rolling, daily('calls', 5)]);
    await first.spend(70);
    const narrow = [{ ...rolling, limit: 50 }, daily('calls', 1)];
    const next = await Spender.join(opened(), narrow, { terms: 'cd'.repeat(32) });
    expect(await next.reserve(1)).toBe('BUDGET_PERIOD');
    expect(await next.budgets()).toEqual(['amount.1d:0/70', `calls.day:${berlin}:0/1`]);
    opened().clock.nowMs += dayMs;
    expect(await next.spend(50)).toBe('allow');
    expect(await next.reserve(1)).toBe('BUDGET_PERIOD');
    const wide = [{ ...rolling, limit: 1_000 }, daily('calls', 2)];
    const last = await Spender.join(opened(), wide, { terms: 'ef'.repeat(32) });
    expect(await last.reserve(950)).toBe('allow');
    expect(await last.reserve(1)).toBe('BUDGET_PERIOD');
    await expectSums(opened());
  });

  it('EXE-22: what is denied, failed or waits for a person costs nothing in any window', async () => {
    const spender = await Spender.join(opened(), [rolling, daily('amount', 90)]);
    const failed = spender.proposal();
    await spender.reserve(50, failed);
    await opened().store.finish(aReport(failed, { class: 'REJECTED', result: undefined }));
    expect(await spender.reserve(91)).toBe('BUDGET_PERIOD');
    await opened().ask(spender.proposal());
    expect(await spender.budgets()).toEqual(['amount.1d:0/0', `amount.day:${berlin}:0/0`]);
    expect(await spender.spend(90)).toBe('allow');
    await expectSums(opened());
  });

  it('EXE-40: a budget takes its own currency and no other', async () => {
    const spender = await Spender.join(opened(), [{ ...rolling, currency: 'EUR' }]);
    expect(await spender.reserve(1, spender.proposal(), 'JPY')).toBe(
      'BUDGET_AMOUNT currency_mismatch',
    );
    expect(await spender.reserve(1)).toBe('BUDGET_AMOUNT currency_mismatch');
    expect(await spender.reserve(1, spender.proposal(), 'EUR')).toBe('allow');
    const amended = [{ ...rolling, currency: 'JPY', limit: 2 }];
    const next = await Spender.join(opened(), amended, { terms: 'cd'.repeat(32) });
    expect(await next.reserve(2, next.proposal(), 'JPY')).toBe('BUDGET_PERIOD');
    expect(await next.reserve(1, next.proposal(), 'JPY')).toBe('allow');
  });
}

function testClock({ opened }: StoreTestContext): void {
  it('EXE-20: a clock that steps back by more than a minute stops windows, with one alarm for each step', async () => {
    const day = { kind: 'rolling', ms: dayMs } as const;
    const window: BudgetDraft = { kind: 'amount', limit: 100, window: day };
    const spender = await Spender.join(opened(), [window]);
    const life = await Spender.join(opened(), [{ kind: 'amount', limit: 9 }], { agent: 'b' });
    const { clock } = opened();
    await spender.spend(1);
    clock.nowMs -= 60_000;
    expect(await spender.spend(1)).toBe('allow');
    clock.nowMs -= 1;
    expect(await spender.reserve(1)).toBe('BUDGET_PERIOD clock_regressed');
    expect(await spender.reserve(1)).toBe('BUDGET_PERIOD clock_regressed');
    expect(await alarms(opened())).toEqual(['clock_regressed']);
    expect(await life.spend(1)).toBe('allow');
    clock.nowMs += 120_000;
    expect(await spender.spend(1)).toBe('allow');
    clock.nowMs -= hourMs;
    expect(await spender.reserve(1)).toBe('BUDGET_PERIOD clock_regressed');
    expect(await alarms(opened())).toEqual(['clock_regressed', 'clock_regressed']);
    expect(await spender.budgets()).toEqual(['amount.1d:0/3']);
  });
}

function testChains({ opened }: StoreTestContext): void {
  const amount = (limit: number): BudgetDraft => ({ kind: 'amount', limit });

  it('EXE-21: an operation is charged to every mandate above it, or to none', async () => {
    const root = await Spender.join(opened(), [amount(100), { kind: 'calls', limit: 10 }]);
    const child = await root.delegate([amount(100)]);
    const grandchild = await child.delegate([amount(80)]);
    expect(await grandchild.reserve(60)).toBe('allow');
    for (const each of [root, child, grandchild]) {
      expect((await each.budgets())[0]).toBe('amount:60/0');
    }
    const sibling = await root.delegate([amount(100)]);
    expect(await sibling.reserve(60)).toBe('BUDGET_AMOUNT ancestor');
    expect(await sibling.budgets()).toEqual(['amount:0/0']);
    expect(await root.budgets()).toEqual(['amount:60/0', 'calls:1/0']);
    expect(await grandchild.reserve(21)).toBe('BUDGET_AMOUNT');
    expect(await sibling.spend(40)).toBe('allow');
    expect(await root.budgets()).toEqual(['amount:60/40', 'calls:1/1']);
    await expectSums(opened());
  });

  it('EXE-21: `self` counts what the mandate does itself', async () => {
    const root = await Spender.join(opened(), [{ ...amount(100), spread: 'self' }]);
    const child = await root.delegate();
    expect(await child.spend(500)).toBe('allow');
    expect(await root.budgets()).toEqual(['amount:0/0']);
    expect(await root.reserve(101)).toBe('BUDGET_AMOUNT');
  });

  it('EXE-21: windows of ancestors count what is below them', async () => {
    const day: BudgetDraft = {
      kind: 'amount',
      limit: 100,
      window: { kind: 'calendar', unit: 'day', zone: 'UTC' },
    };
    const rolling: BudgetDraft = { ...day, limit: 150, window: { kind: 'rolling', ms: dayMs } };
    const root = await Spender.join(opened(), [day, rolling]);
    const child = await root.delegate();
    expect(await child.spend(100)).toBe('allow');
    expect(await child.spend(1)).toBe('BUDGET_PERIOD ancestor');
    opened().clock.nowMs += dayMs - 1;
    expect(await child.spend(51)).toBe('BUDGET_PERIOD ancestor');
    expect(await child.spend(50)).toBe('allow');
    opened().clock.nowMs += 1;
    expect(await child.reserve(50)).toBe('allow');
    await expectSums(opened());
  });

  it('EXE-21: nothing runs below a mandate that is suspended, and a successor takes its place', async () => {
    const root = await Spender.join(opened(), [amount(100)]);
    const child = await root.delegate();
    const grandchild = await child.delegate();
    expect(await grandchild.spend(90)).toBe('allow');
    const narrow = await Spender.join(opened(), [amount(115)], { terms: 'cd'.repeat(32) });
    expect(narrow.mandate.supersedes).toBe(root.mandate.mandateId);
    expect(await grandchild.reserve(26)).toBe('BUDGET_AMOUNT ancestor');
    expect(await grandchild.spend(5)).toBe('allow');
    expect(await narrow.budgets()).toEqual(['amount:0/95']);
    for (let n = 0; n < 3; n += 1) await reject(narrow);
    expect(await child.reserve(1)).toBe('AUTHN_CHAIN_BROKEN');
    expect(await grandchild.reserve(1)).toBe('AUTHN_CHAIN_BROKEN');
    await opened().store.resumeMandate(narrow.mandate.mandateId, 'alice');
    expect(await grandchild.reserve(21)).toBe('BUDGET_AMOUNT ancestor');
  });

  it('EXE-21: six mandates are a chain, seven are not; no child has more than its parent', async () => {
    const { store } = opened();
    let last = await Spender.join(opened(), [amount(100)]);
    const wider = aMandateDraft({ agent: 'helper', budgets: [amount(101)] });
    expect(await store.delegateMandate(last.mandate.mandateId, wider)).toMatchObject({
      ok: false,
      fault: 'child_budget_higher',
    });
    for (let n = 0; n < 5; n += 1) last = await last.delegate([amount(100)]);
    expect(last.mandate.ancestors).toHaveLength(5);
    expect(await last.reserve(7)).toBe('allow');
    const draft = aMandateDraft({ agent: 'helper' });
    expect(await store.delegateMandate(last.mandate.mandateId, draft)).toMatchObject({
      fault: 'delegation_chain_too_deep',
    });
    expect(await store.delegateMandate('nobody', draft)).toMatchObject({
      fault: 'parent_mandate_not_found',
    });
  });

  it('EXE-18 EXE-21: siblings at once never take more than their parent has', async () => {
    const root = await Spender.join(opened(), [amount(100)]);
    const children = [await root.delegate(), await root.delegate(), await root.delegate()];
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, n) => (children[n % 3] as Spender).reserve(9)),
    );
    expect(outcomes.filter((each) => each === 'allow')).toHaveLength(11);
    expect(await root.budgets()).toEqual(['amount:99/0']);
    await expectSums(opened());
  });

  async function reject({ mandate, opened: store }: Spender): Promise<void> {
    const draft = store.proposal({ mandateId: mandate.mandateId });
    const { approvalId, opHash } = await store.ask(draft);
    await store.store.answer({
      approvalId,
      opHash,
      verdict: 'reject',
      person: 'alice',
      assurance: 'passcode',
      channel: 'page',
      reason: undefined,
      evidence: '{}',
      evidenceHash: 'ab'.repeat(32),
    });
  }
}

function testActualAmounts({ opened }: StoreTestContext): void {
  const budgets: readonly BudgetDraft[] = [
    { kind: 'amount', limit: 100 },
    { kind: 'calls', limit: 50 },
  ];

  it('EXE-19: what was not taken is free again', async () => {
    const spender = await Spender.join(opened(), budgets);
    const [some, none] = [spender.proposal(), spender.proposal()];
    await spender.reserve(60, some);
    await opened().store.finish(aReport(some, { amount: 25 }));
    expect(await spender.budgets()).toEqual(['amount:0/25', 'calls:0/1']);
    await spender.reserve(75, none);
    await opened().store.finish(aReport(none, { amount: 0 }));
    expect(await spender.budgets()).toEqual(['amount:0/25', 'calls:0/2']);
    await expectSums(opened());
  });

  it('EXE-03 EXE-19: more than was reserved is spent, freezes the budget and alarms, until a person lifts it', async () => {
    const spender = await Spender.join(opened(), budgets);
    const [other, over] = [spender.proposal(), spender.proposal()];
    await spender.reserve(10, other);
    await spender.reserve(60, over);
    expect(await opened().store.finish(aReport(over, { amount: 130 }))).toMatchObject({
      state: 'SUCCEEDED',
    });
    expect(await spender.budgets()).toEqual(['amount:10/130', 'calls:1/1']);
    expect(await alarms(opened())).toEqual(['budget_overrun']);
    expect(await spender.reserve(1)).toBe('BUDGET_AMOUNT frozen');
    // What is under way already ends as it ends.
    await opened().store.finish(aReport(other));
    expect(await spender.budgets()).toEqual(['amount:0/140', 'calls:0/2']);
    await expectSums(opened());

    const { budgetIds } = spender.mandate;
    const [amountId = '', callsId = ''] = budgetIds;
    expect(await opened().store.unfreezeBudget(callsId, 'alice')).toMatchObject({
      isLifted: false,
    });
    expect(await opened().store.unfreezeBudget('nobody/amount', 'alice')).toMatchObject({
      isLifted: false,
      budget: undefined,
    });
    expect(await opened().store.unfreezeBudget(amountId, 'alice')).toMatchObject({
      isLifted: true,
    });
    expect(await alarms(opened())).toEqual(['budget_overrun', 'budget_unfrozen']);
    expect(await spender.reserve(1)).toBe('BUDGET_AMOUNT');
    const wide = [{ kind: 'amount', limit: 150 }] as const;
    const next = await Spender.join(opened(), wide, { terms: 'cd'.repeat(32) });
    expect(await next.spend(10)).toBe('allow');
    expect(await next.reserve(1)).toBe('BUDGET_AMOUNT');
    await expectSums(opened());
  });

  it('EXE-19: an overrun below the limit freezes too, also of a window and of an ancestor', async () => {
    const day: BudgetDraft = {
      kind: 'amount',
      limit: 1_000,
      window: { kind: 'calendar', unit: 'day', zone: 'UTC' },
    };
    const rolling: BudgetDraft = { ...day, window: { kind: 'rolling', ms: dayMs } };
    const root = await Spender.join(opened(), [day, rolling]);
    const child = await root.delegate([day]);
    const over = child.proposal();
    await child.reserve(10, over);
    await opened().store.finish(aReport(over, { amount: 11 }));
    expect(await child.reserve(1)).toBe('BUDGET_PERIOD frozen');
    expect(await root.reserve(1)).toBe('BUDGET_PERIOD frozen');
    opened().clock.nowMs += dayMs;
    expect(await child.reserve(1)).toBe('BUDGET_PERIOD frozen');
    const frozen = (await opened().store.readBudgets()).filter((budget) => budget.frozen);
    expect(frozen).toHaveLength(3);
    for (const { budgetId } of frozen) await opened().store.unfreezeBudget(budgetId, 'alice');
    expect(await child.reserve(1_000)).toBe('allow');
    await expectSums(opened());
  });

  it('EXE-19: an amount that is none is not believed', async () => {
    const spender = await Spender.join(opened(), budgets);
    for (const amount of [-1, 0.5, Number.NaN, 2 ** 53]) {
      const draft = spender.proposal();
      await spender.reserve(1, draft);
      const plan = await opened().store.finish(aReport(draft, { amount }));
      expect(plan.state, String(amount)).toBe('UNKNOWN');
      const finding = { finding: 'succeeded', method: 'connector', person: undefined } as const;
      const found = { ...finding, opId: draft.opId, evidence: 'asked', isTold: false, amount };
      expect(await opened().store.reconcile(found)).toMatchObject({
        isSettled: false,
        state: 'UNKNOWN',
      });
    }
    expect(await spender.budgets()).toEqual(['amount:4/0', 'calls:4/0']);
    expect(await alarms(opened())).toEqual(Array(8).fill('odd_amount'));
  });

  it('EXE-19: a finding settles what was really taken', async () => {
    const spender = await Spender.join(opened(), budgets);
    const draft = spender.proposal();
    await spender.reserve(50, draft);
    await opened().store.finish(aReport(draft, { class: 'AMBIGUOUS', result: undefined }));
    await opened().store.reconcile({
      opId: draft.opId,
      finding: 'succeeded',
      method: 'connector',
      person: undefined,
      evidence: 'asked',
      isTold: false,
      amount: 20,
    });
    expect(await spender.budgets()).toEqual(['amount:0/20', 'calls:0/1']);
    await expectSums(opened());
  });

  it('EXE-19: an overrun as large as numbers go leaves a counter that adds up', async () => {
    const spender = await Spender.join(opened(), budgets);
    const [first, second] = [spender.proposal(), spender.proposal()];
    for (const draft of [first, second]) await spender.reserve(10, draft);
    const amount = Number.MAX_SAFE_INTEGER;
    await opened().store.finish(aReport(first, { amount }));
    await opened().store.finish(aReport(second, { amount }));
    const [budget] = (await opened().store.readBudgets()).filter(({ frozen }) => frozen);
    expect(budget).toMatchObject({ reserved: 0, spent: Number.MAX_SAFE_INTEGER });
    await expectSums(opened());
  });
}
