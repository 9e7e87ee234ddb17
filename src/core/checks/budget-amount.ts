// The amount that an operation takes from the amount budget.
import type { Contract } from '../contract.ts';
import type { CallFault } from '../facts.ts';
import { canonicalOf } from './canonical-value.ts';
import { pathText } from './find-values.ts';
import type { ReadParam } from './read-param.ts';
import { integerOf } from './value-bounds.ts';

/**
 * Undefined when the contract charges none, or the amount is at fault. 0 and below are refused:
 * they would give budget back. Absent is refused even where the parameter is optional: a budget
 * that cannot be charged is no budget.
 */
export function budgetAmount(
  contract: Contract,
  params: readonly ReadParam[],
  faults: CallFault[],
): number | undefined {
  const read = params.find(({ param }) => param.name === contract.budgetParam);
  if (read === undefined) return undefined;
  const path = pathText(read.param.path);
  const amount = amountOf(read);
  if (typeof amount === 'number' && amount > 0) return amount;
  // A fault at the parameter itself has said what is wrong already.
  if (faults.some((fault) => fault.path === path)) return undefined;
  faults.push(faultOf(read, path));
  return undefined;
}

/** The currency that the charged parameter is an amount of; only money has one. */
export function budgetCurrency({ params, budgetParam }: Contract): { readonly currency?: string } {
  const currency = params.find(({ name }) => name === budgetParam)?.settings.currency;
  return currency === undefined ? {} : { currency };
}

/** A critical amount is charged as the agent wrote it: the record must equal it, or nothing runs. */
function amountOf({ param, critical, free }: ReadParam): unknown {
  const [value] = critical;
  return value === undefined ? free[0]?.canonical : integerOf(param, value.value);
}

function faultOf({ param, critical, free }: ReadParam, path: string): CallFault {
  if (critical.length + free.length === 0) {
    return { code: 'CONTRACT_MISSING_VALUE', path, detail: 'charged to the budget' };
  }
  const [value] = critical;
  const read = value === undefined ? undefined : canonicalOf(value.value, param);
  const hint = read?.ok === false ? read.hint : undefined;
  const expected = hint ?? 'an amount above 0';
  return { code: 'CONTRACT_INVALID', path, detail: 'range', expected };
}
