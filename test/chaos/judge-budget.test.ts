import { describe, expect, it } from 'vitest';
import type { BudgetEvent } from '../linearizability/budget-counter.ts';
import type { BudgetFindings } from './budget-round.ts';
import { judgeBudget } from './judge-budget.ts';

const history: readonly BudgetEvent[] = [
  event([1, 3], { kind: 'reserve', op: 'a', amount: 6 }, 'ok'),
  event([2, 4], { kind: 'reserve', op: 'b', amount: 5 }, 'refused'),
  event([5, 6], { kind: 'release', op: 'a' }, 'ok'),
  event([7, 8], { kind: 'reserve', op: 'c', amount: 10 }, 'ok'),
  event([9, 10], { kind: 'settle', op: 'c', amount: 10 }, 'ok'),
];
const good: BudgetFindings = {
  object: 'round 0',
  limit: 10,
  effects: 10,
  spent: 10,
  reserved: 0,
  proposals: 3,
  refused: 1,
  overshoots: [],
  falseRefusals: [],
  history,
};

function event(
  [calledAt, returnedAt]: readonly [number, number],
  input: BudgetEvent['input'],
  output: BudgetEvent['output'],
): BudgetEvent {
  return { object: 'round 0', calledAt, returnedAt, input, output };
}

describe('judgeBudget', () => {
  it('finds nothing when everything fits', () => {
    expect(judgeBudget(good)).toEqual([]);
  });

  it.each<[string, Partial<BudgetFindings>]>([
    ['11 of 10 were under way', { overshoots: ['11 of 10 were under way'] }],
    ['1 was refused when 2 were left', { falseRefusals: ['1 was refused when 2 were left'] }],
    ['spent 9, the effects are 10', { spent: 9 }],
    ['1 are reserved for nobody', { reserved: 1 }],
    ['9 of 10 were used when all was settled', { effects: 9, spent: 9 }],
    ['nothing was refused, so nothing is proven', { refused: 0 }],
  ])('says: %s', (problem, over) => {
    expect(judgeBudget({ ...good, ...over })).toEqual([`round 0: ${problem}`]);
  });

  it.each<[string, readonly BudgetEvent[]]>([
    [
      'a refusal while enough was left',
      history
        .filter(({ input }) => input.kind !== 'reserve' || input.op !== 'a')
        .filter(({ input }) => input.kind !== 'release'),
    ],
    ['a reservation above the limit', history.filter(({ input }) => input.kind !== 'release')],
    ['a settling of what nobody held', history.slice(4)],
  ])('notices %s in the history', (_, changed) => {
    const problems = judgeBudget({ ...good, history: changed });
    expect(problems.join()).toContain('no order explains the answers (not_linearizable)');
  });
});
