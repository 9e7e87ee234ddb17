// Whether one hot budget was used up exactly, never passed, and behaved as one counter.
import { budgetCounter } from '../linearizability/budget-counter.ts';
import { checkLinearizable } from '../linearizability/check-linearizable.ts';
import type { BudgetFindings } from './budget-round.ts';

/** Of one kind, this many contradictions are told. */
const toldMax = 10;

/** What contradicts itself, one line each; empty when everything holds. */
export function judgeBudget(found: BudgetFindings): readonly string[] {
  const { limit, effects, spent, reserved } = found;
  const lines = [
    ...found.overshoots.slice(0, toldMax),
    ...found.falseRefusals.slice(0, toldMax),
    ...(spent === effects ? [] : [`spent ${spent}, the effects are ${effects}`]),
    ...(reserved === 0 ? [] : [`${reserved} are reserved for nobody`]),
    ...(effects === limit ? [] : [`${effects} of ${limit} were used when all was settled`]),
    ...(found.refused > 0 ? [] : ['nothing was refused, so nothing is proven']),
    ...notOneCounter(found),
  ];
  return lines.map((line) => `${found.object}: ${line}`);
}

function notOneCounter({ history, limit }: BudgetFindings): readonly string[] {
  const verdict = checkLinearizable(budgetCounter({ limit }), history);
  if (verdict.ok) return [];
  const stuck = verdict.stuck
    .slice(0, 3)
    .map(({ input, output }) => JSON.stringify([input, output]));
  return [
    `no order explains the answers (${verdict.reason}): after ${verdict.order.length} calls ${stuck.join(' ')}`,
  ];
}
