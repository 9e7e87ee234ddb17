import { describe, expect, it } from 'vitest';
import { randomOf } from '../fixtures/random-of.ts';
import {
  badBudgetHistories,
  badRegisterHistories,
  budget,
  limit,
  lostBudget,
  lostRegister,
  register,
} from './bad-histories.ts';
import { type BudgetEvent, budgetCounter } from './budget-counter.ts';
import { checkLinearizable, type HistoryEvent, type Model } from './check-linearizable.ts';
import { operationRegister, type RegisterEvent } from './operation-register.ts';

const ok = { ok: true };
const judgeBudget = (history: readonly BudgetEvent[]) =>
  checkLinearizable(budgetCounter({ limit }), history);
const judgeRegister = (history: readonly RegisterEvent[], resends = false) =>
  checkLinearizable(operationRegister({ resends }), history);

describe('checkLinearizable refuses', () => {
  for (const [name, history] of Object.entries(badBudgetHistories)) {
    it(`a budget: ${name}`, () => {
      expect(judgeBudget(history)).toMatchObject({ ok: false, reason: 'not_linearizable' });
    });
  }
  for (const [name, history] of Object.entries(badRegisterHistories)) {
    it(`an operation: ${name}`, () => {
      expect(judgeRegister(history)).toMatchObject({ ok: false, reason: 'not_linearizable' });
    });
  }
  it('at least twenty histories', () => {
    const count = Object.keys(badBudgetHistories).length + Object.keys(badRegisterHistories).length;
    expect(count).toBeGreaterThanOrEqual(20);
  });
});

const goodBudgets: Readonly<Record<string, readonly BudgetEvent[]>> = {
  'nothing at all': [],
  'a reservation that was refused while the other one held the rest': [
    budget([1, 8], { kind: 'reserve', op: 'a', amount: 6 }, 'ok'),
    budget([2, 3], { kind: 'reserve', op: 'b', amount: 6 }, 'refused'),
  ],
  'a read between two moves of the same moment': [
    budget([1, 9], { kind: 'reserve', op: 'a', amount: 4 }, 'ok'),
    budget([1, 9], { kind: 'settle', op: 'a', amount: 3 }, 'ok'),
    budget([1, 9], { kind: 'read' }, { reserved: 4, spent: 0 }),
  ],
  'a lost reservation that took effect': [
    lostBudget(1, { kind: 'reserve', op: 'a', amount: 6 }),
    budget([2, 3], { kind: 'reserve', op: 'b', amount: 6 }, 'refused'),
  ],
  'a lost reservation that took none': [
    lostBudget(1, { kind: 'reserve', op: 'a', amount: 6 }),
    budget([2, 3], { kind: 'reserve', op: 'b', amount: 6 }, 'ok'),
  ],
  'a lost reservation that took effect long after its call': [
    lostBudget(1, { kind: 'reserve', op: 'a', amount: 6 }),
    budget([2, 3], { kind: 'read' }, { reserved: 0, spent: 0 }),
    budget([4, 5], { kind: 'settle', op: 'a', amount: 6 }, 'ok'),
    budget([6, 7], { kind: 'read' }, { reserved: 0, spent: 6 }),
  ],
  'what was given back is there again': [
    budget([1, 2], { kind: 'reserve', op: 'a', amount: 10 }, 'ok'),
    budget([3, 4], { kind: 'release', op: 'a' }, 'ok'),
    budget([5, 6], { kind: 'reserve', op: 'b', amount: 10 }, 'ok'),
  ],
  'nothing to give back': [budget([1, 2], { kind: 'release', op: 'a' }, 'refused')],
};

const goodRegisters: Readonly<Record<string, readonly RegisterEvent[]>> = {
  'asked, dispatched, succeeded': [
    register([1, 2], { kind: 'create', state: 'ASKING' }, 'ok'),
    register([3, 4], { kind: 'move', from: 'ASKING', to: 'DISPATCHING' }, 'ok'),
    register([5, 6], { kind: 'move', from: 'DISPATCHING', to: 'SUCCEEDED', attempt: 1 }, 'ok'),
    register([7, 8], { kind: 'read' }, 'SUCCEEDED'),
  ],
  'an outcome and an orphan: one of them wins': [
    register([1, 2], { kind: 'create', state: 'DISPATCHING' }, 'ok'),
    register([3, 9], { kind: 'move', from: 'DISPATCHING', to: 'SUCCEEDED' }, 'refused'),
    register([4, 5], { kind: 'move', from: 'DISPATCHING', to: 'UNKNOWN' }, 'ok'),
  ],
  'a lost dispatch that is seen': [
    lostRegister(1, { kind: 'create', state: 'DISPATCHING' }),
    register([2, 3], { kind: 'read' }, 'absent'),
    register([4, 5], { kind: 'read' }, 'DISPATCHING'),
  ],
};

describe('checkLinearizable accepts', () => {
  for (const [name, history] of Object.entries(goodBudgets)) {
    it(`a budget: ${name}`, () => expect(judgeBudget(history)).toEqual(ok));
  }
  for (const [name, history] of Object.entries(goodRegisters)) {
    it(`an operation: ${name}`, () => expect(judgeRegister(history)).toEqual(ok));
  }
  it('an operation that an idempotent target may get once more', () => {
    const history = badRegisterHistories['an unknown operation is sent again'] ?? [];
    expect(history).not.toEqual([]);
    expect(judgeRegister(history, true)).toEqual(ok);
  });
});

describe('checkLinearizable', () => {
  it('judges objects apart', () => {
    const full = budget([1, 2], { kind: 'reserve', op: 'a', amount: limit }, 'ok');
    const other = { ...full, object: 'c' };
    expect(judgeBudget([full, other])).toEqual(ok);
    const over = { ...other, calledAt: 3, returnedAt: 4, input: { ...full.input, op: 'b' } };
    expect(judgeBudget([full, other, over as BudgetEvent])).toMatchObject({
      ok: false,
      object: 'c',
    });
  });

  it('names the longest order that worked and what could not follow', () => {
    const history =
      badBudgetHistories['two reservations one after the other, over the limit'] ?? [];
    expect(judgeBudget(history)).toEqual({
      ok: false,
      object: 'b',
      reason: 'not_linearizable',
      order: [history[0]],
      stuck: [history[1]],
    });
  });

  it('says when it gave up, which proves nothing', () => {
    const history = Array.from({ length: 12 }, (_, index) =>
      budget([1, 99], { kind: 'reserve', op: `o${index}`, amount: 1 }, 'ok'),
    );
    expect(checkLinearizable(budgetCounter({ limit: 11 }), history, 100)).toMatchObject({
      ok: false,
      reason: 'too_long',
    });
  });

  it('refuses a call that ends before it starts, and half an answer', () => {
    const call = budget([2, 1], { kind: 'read' }, 'ok');
    expect(() => judgeBudget([call])).toThrow('a call of b ends before it starts');
    expect(() => judgeBudget([{ ...call, returnedAt: undefined }])).toThrow('and not both');
  });

  it('finds the order of ten thousand calls of sixty-four clients', () => {
    expect(
      checkLinearizable(
        budgetCounter({ limit: 100 }),
        busyBudget({ calls: 10_000, clients: 64, room: 50 }),
      ),
    ).toEqual(ok);
  });

  it('finds the one wrong answer among two thousand calls', () => {
    const history = busyBudget({ calls: 2_000, clients: 4, room: 3 });
    const last = budget([1e9, 1e9], { kind: 'read' }, { reserved: 1, spent: 0 });
    const model = budgetCounter({ limit: 6 });
    expect(checkLinearizable(model, history)).toEqual(ok);
    expect(checkLinearizable(model, [...history, last])).toMatchObject({
      reason: 'not_linearizable',
      stuck: [last],
    });
  });

  it('agrees with trying every order, on small histories made at random', () => {
    const random = randomOf(7);
    const counts = { good: 0, bad: 0 };
    for (let round = 0; round < 2_000; round += 1) {
      const history = smallBudget(random);
      const model = budgetCounter({ limit: 3 });
      const expected = hasOrder(model, history);
      counts[expected ? 'good' : 'bad'] += 1;
      expect(checkLinearizable(model, history).ok, JSON.stringify(history)).toBe(expected);
    }
    expect(Math.min(counts.good, counts.bad)).toBeGreaterThan(200);
  });
});

/** A history that a real counter gave: calls take effect at one moment between start and answer. */
function busyBudget({
  calls,
  clients,
  room,
}: {
  readonly calls: number;
  readonly clients: number;
  /** Reservations that the limit holds. */
  readonly room: number;
}): readonly BudgetEvent[] {
  const random = randomOf(1);
  const held = new Set<string>();
  const freeAt = Array.from({ length: clients }, () => 0);
  const holding = new Map<number, string>();
  const history: BudgetEvent[] = [];
  for (let effect = 1; effect <= calls; effect += 1) {
    const client = Math.floor(random() * clients);
    const calledAt = Math.max(freeAt[client] ?? 0, effect - random() * clients);
    const returnedAt = effect + random() * 0.9;
    freeAt[client] = returnedAt;
    const own = holding.get(client);
    const op = own ?? `o${effect}`;
    if (own !== undefined) {
      history.push(budget([calledAt, returnedAt], { kind: 'release', op }, 'ok'));
      held.delete(op);
      holding.delete(client);
    } else {
      const isRoom = held.size < room;
      if (isRoom) {
        held.add(op);
        holding.set(client, op);
      }
      const input = { kind: 'reserve', op, amount: 2 } as const;
      history.push(budget([calledAt, returnedAt], input, isRoom ? 'ok' : 'refused'));
    }
  }
  return history;
}

function smallBudget(random: () => number): readonly BudgetEvent[] {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  return Array.from({ length: 2 + Math.floor(random() * 4) }, (): BudgetEvent => {
    const calledAt = Math.floor(random() * 6);
    const op = pick(['a', 'b']);
    const kind = pick(['reserve', 'settle', 'release', 'read'] as const);
    const input =
      kind === 'reserve' || kind === 'settle'
        ? { kind, op, amount: pick([1, 2]) }
        : kind === 'release'
          ? { kind, op }
          : { kind };
    if (random() < 0.25) return lostBudget(calledAt, input);
    const output = kind === 'read' ? { reserved: pick([0, 1, 2]), spent: pick([0, 1]) } : undefined;
    const span = [calledAt, calledAt + Math.floor(random() * 4)] as const;
    return budget(span, input, output ?? pick(['ok', 'ok', 'refused'] as const));
  });
}

/** Tries every order, and every choice of what lost calls did. */
function hasOrder<State, Input, Output>(
  model: Model<State, Input, Output>,
  history: readonly HistoryEvent<Input, Output>[],
  state: State = model.initial,
): boolean {
  if (history.every((event) => event.returnedAt === undefined)) return true;
  return history.some((event) => {
    const others = history.filter((other) => other !== event);
    const isFirst = others.every(
      ({ returnedAt }) => returnedAt === undefined || returnedAt >= event.calledAt,
    );
    if (!isFirst) return false;
    return model
      .step(state, event.input, event.output)
      .some((next) => hasOrder(model, others, next));
  });
}
