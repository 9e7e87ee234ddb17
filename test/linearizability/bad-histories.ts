// Histories that no order of their calls explains; the checker must refuse each of them.
import type { BudgetEvent, BudgetInput, BudgetOutput } from './budget-counter.ts';
import type { RegisterEvent, RegisterInput, RegisterOutput } from './operation-register.ts';

/** A call of the budget `b` from one instant to another. */
export const budget = (
  [calledAt, returnedAt]: readonly [number, number],
  input: BudgetInput,
  output: BudgetOutput,
): BudgetEvent => ({ object: 'b', calledAt, returnedAt, input, output });

/** A call of the budget `b` that nobody heard of again. */
export const lostBudget = (calledAt: number, input: BudgetInput): BudgetEvent => ({
  object: 'b',
  calledAt,
  input,
});

/** A call about the operation `o` from one instant to another. */
export const register = (
  [calledAt, returnedAt]: readonly [number, number],
  input: RegisterInput,
  output: RegisterOutput,
): RegisterEvent => ({ object: 'o', calledAt, returnedAt, input, output });

/** A call about the operation `o` that nobody heard of again. */
export const lostRegister = (calledAt: number, input: RegisterInput): RegisterEvent => ({
  object: 'o',
  calledAt,
  input,
});

/** Limit of the budget of these histories. */
export const limit = 10;

const read: { readonly kind: 'read' } = { kind: 'read' };
const reserve = (op: string, amount: number): BudgetInput => ({ kind: 'reserve', op, amount });
const settle = (op: string, amount: number): BudgetInput => ({ kind: 'settle', op, amount });
const release = (op: string): BudgetInput => ({ kind: 'release', op });

export const badBudgetHistories: Readonly<Record<string, readonly BudgetEvent[]>> = {
  'two reservations one after the other, over the limit': [
    budget([1, 2], reserve('a', 6), 'ok'),
    budget([3, 4], reserve('b', 6), 'ok'),
  ],
  'two reservations at the same time, over the limit': [
    budget([1, 5], reserve('a', 6), 'ok'),
    budget([2, 4], reserve('b', 6), 'ok'),
  ],
  'five siblings that each passed a check of their own': [
    budget([1, 9], reserve('a', 3), 'ok'),
    budget([2, 9], reserve('b', 3), 'ok'),
    budget([3, 9], reserve('c', 3), 'ok'),
    budget([4, 9], reserve('d', 3), 'ok'),
    budget([5, 9], reserve('e', 3), 'ok'),
  ],
  'a refusal although there was room all the time': [
    budget([1, 2], reserve('a', 3), 'ok'),
    budget([3, 4], reserve('b', 3), 'refused'),
  ],
  'a read that does not see an answered reservation': [
    budget([1, 2], reserve('a', 4), 'ok'),
    budget([3, 4], read, { reserved: 0, spent: 0 }),
  ],
  'two reads of which the later one sees the older sum': [
    budget([1, 10], reserve('a', 4), 'ok'),
    budget([2, 3], read, { reserved: 4, spent: 0 }),
    budget([4, 5], read, { reserved: 0, spent: 0 }),
  ],
  'settled twice': [
    budget([1, 2], reserve('a', 4), 'ok'),
    budget([3, 6], settle('a', 4), 'ok'),
    budget([4, 5], settle('a', 4), 'ok'),
  ],
  'settled and released': [
    budget([1, 2], reserve('a', 4), 'ok'),
    budget([3, 6], settle('a', 4), 'ok'),
    budget([4, 7], release('a'), 'ok'),
  ],
  'spent without a reservation': [budget([1, 2], settle('a', 4), 'ok')],
  'a lost reservation counts before it was made': [
    budget([1, 2], reserve('a', 10), 'refused'),
    lostBudget(3, reserve('b', 5)),
  ],
  'a lost reservation counts, and then it does not': [
    lostBudget(1, reserve('a', 4)),
    budget([2, 3], read, { reserved: 4, spent: 0 }),
    budget([4, 5], read, { reserved: 0, spent: 0 }),
  ],
  'money of an unknown operation is lent out': [
    budget([1, 2], reserve('a', 7), 'ok'),
    lostBudget(3, settle('a', 7)),
    budget([4, 5], reserve('b', 7), 'ok'),
  ],
  'a half of a settlement is seen': [
    budget([1, 2], reserve('a', 4), 'ok'),
    budget([3, 8], settle('a', 4), 'ok'),
    budget([4, 5], read, { reserved: 0, spent: 0 }),
  ],
  'a reservation after more was spent than was reserved': [
    budget([1, 2], reserve('a', 4), 'ok'),
    budget([3, 4], settle('a', 5), 'ok'),
    budget([5, 6], reserve('b', 1), 'ok'),
  ],
};

const create = (state: 'ASKING' | 'DISPATCHING'): RegisterInput => ({ kind: 'create', state });
const move = (
  from: 'ASKING' | 'DISPATCHING' | 'UNKNOWN' | 'SUCCEEDED' | 'FAILED' | 'CLOSED',
  to: 'DISPATCHING' | 'UNKNOWN' | 'SUCCEEDED' | 'FAILED' | 'CLOSED',
  attempt?: number,
): RegisterInput => ({ kind: 'move', from, to, ...(attempt === undefined ? {} : { attempt }) });

export const badRegisterHistories: Readonly<Record<string, readonly RegisterEvent[]>> = {
  'an approval that two calls use up': [
    register([1, 2], create('ASKING'), 'ok'),
    register([3, 6], move('ASKING', 'DISPATCHING'), 'ok'),
    register([4, 5], move('ASKING', 'DISPATCHING'), 'ok'),
  ],
  'closed and dispatched': [
    register([1, 2], create('ASKING'), 'ok'),
    register([3, 8], move('ASKING', 'CLOSED'), 'ok'),
    register([4, 7], move('ASKING', 'DISPATCHING'), 'ok'),
  ],
  'a late outcome overwrites a final state': [
    register([1, 2], create('DISPATCHING'), 'ok'),
    register([3, 4], move('DISPATCHING', 'FAILED'), 'ok'),
    register([5, 6], move('FAILED', 'SUCCEEDED'), 'ok'),
  ],
  'a read steps back from a final state': [
    register([1, 2], create('DISPATCHING'), 'ok'),
    register([3, 10], move('DISPATCHING', 'SUCCEEDED'), 'ok'),
    register([4, 5], read, 'SUCCEEDED'),
    register([6, 7], read, 'DISPATCHING'),
  ],
  'an acknowledged outcome that vanished': [
    register([1, 2], create('DISPATCHING'), 'ok'),
    register([3, 4], move('DISPATCHING', 'SUCCEEDED'), 'ok'),
    register([5, 6], move('DISPATCHING', 'UNKNOWN'), 'ok'),
  ],
  'an unknown operation is sent again': [
    register([1, 2], create('DISPATCHING'), 'ok'),
    register([3, 4], move('DISPATCHING', 'UNKNOWN'), 'ok'),
    register([5, 6], move('UNKNOWN', 'DISPATCHING'), 'ok'),
  ],
  'an outcome of the attempt before': [
    register([1, 2], create('ASKING'), 'ok'),
    register([3, 4], move('ASKING', 'DISPATCHING'), 'ok'),
    register([5, 6], move('DISPATCHING', 'SUCCEEDED', 0), 'ok'),
  ],
  'made twice': [
    register([1, 4], create('DISPATCHING'), 'ok'),
    register([2, 3], create('DISPATCHING'), 'ok'),
  ],
  'a lost outcome is seen in two final states': [
    register([1, 2], create('DISPATCHING'), 'ok'),
    lostRegister(3, move('DISPATCHING', 'SUCCEEDED')),
    lostRegister(3, move('DISPATCHING', 'FAILED')),
    register([4, 5], read, 'SUCCEEDED'),
    register([6, 7], read, 'FAILED'),
  ],
  'seen before anybody made it': [
    register([1, 2], read, 'DISPATCHING'),
    lostRegister(3, create('DISPATCHING')),
  ],
  'refused although it stood as the call said': [
    register([1, 2], create('DISPATCHING'), 'ok'),
    register([3, 4], move('DISPATCHING', 'SUCCEEDED'), 'refused'),
  ],
};
