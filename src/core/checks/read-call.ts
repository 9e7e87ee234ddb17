// Stage contract, first half: the arguments read against the contract. Pure; nothing is looked up.
import type { Contract } from '../contract.ts';
import type { CallFault } from '../facts.ts';
import type { JsonObject } from '../json-value.ts';
import { budgetAmount } from './budget-amount.ts';
import { type ReadParam, readParam } from './read-param.ts';
import { restOf } from './rest-arguments.ts';

/** A call whose arguments fit the contract. */
export interface ReadCall {
  /** Declared parameters that the call carries. */
  readonly params: readonly ReadParam[];
  /** Undeclared arguments, in the nesting of the call; empty = none. */
  readonly rest: JsonObject;
  readonly amount: number | undefined;
}

/** Whether the tool's own schema knows an argument at these keys. */
export type KnownArguments = (path: readonly string[]) => boolean;

/** All faults of the contract stage, declared parameters first, or the call. */
export function readCall(
  contract: Contract,
  args: JsonObject,
  isKnown: KnownArguments,
): { readonly faults: readonly CallFault[]; readonly call: ReadCall } {
  const faults: CallFault[] = [];
  const params = contract.params.map((param) => readParam(param, args, faults));
  const rest = restOf(contract, args, { isKnown, faults });
  const present = params.filter((read) => read.critical.length + read.free.length > 0);
  const amount = budgetAmount(contract, params, faults);
  return { faults, call: { params: present, rest, amount } };
}
