// The amount that an operation takes from the amount budget.
import type { Contract } from '../contract.ts';
import type { CallFault } from '../facts.ts';
import { numberText } from '../json-value.ts';
import type { ReadParam } from './read-call.ts';
import { scaleNumber } from './scaled-number.ts';

/** Undefined when the contract charges none, or the amount is at fault already. 0 and below are refused: they would give budget back. */
export function budgetAmount(
  contract: Contract,
  params: readonly ReadParam[],
  faults: CallFault[],
): number | undefined {
  const read = params.find((each) => each.param.name === contract.budgetParam);
  if (read === undefined) return undefined;
  const path = read.free[0]?.path ?? read.critical[0]?.path;
  const amount = read.param.critical ? criticalAmount(read) : read.free[0]?.canonical;
  if (path === undefined) return missing(contract, faults);
  if (typeof amount === 'number' && amount > 0) return amount;
  faults.push({ code: 'CONTRACT_INVALID', path, detail: 'range', expected: 'an amount above 0' });
  return undefined;
}

function criticalAmount({ param, critical }: ReadParam): number | undefined {
  const text = numberText(critical[0]?.value);
  const scaled = text === undefined ? undefined : scaleNumber(text, param.scale);
  return scaled?.ok === true ? scaled.value : undefined;
}

/** A budget that cannot be charged is no budget: absent is refused even where the parameter is optional. */
function missing(contract: Contract, faults: CallFault[]): undefined {
  const path = contract.budgetParam ?? '';
  if (!faults.some((fault) => fault.path === path)) {
    faults.push({ code: 'CONTRACT_MISSING_VALUE', path, detail: 'charged to the budget' });
  }
  return undefined;
}
