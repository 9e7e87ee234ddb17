// Stage contract, first half: the arguments read against the contract. Pure; nothing is looked up.
import { checkText } from './hygiene.ts';
import type { Contract, ParamContract } from '../contract.ts';
import type { CallFault, FreeValue } from '../facts.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts';
import { budgetAmount } from './budget-amount.ts';
import { type FoundValue, findValues, type Found } from './find-values.ts';
import { readFreeValue } from './free-value.ts';
import { restOf } from './rest-arguments.ts';

/** Longest list of one parameter unless the contract says otherwise. */
export const itemsMaxDefault = 50;

/** One declared parameter as the call carries it. */
export interface ReadParam {
  readonly param: ParamContract;
  /** Values to be looked up in the sources. */
  readonly critical: readonly FoundValue[];
  readonly free: readonly FreeValue[];
}

/** A call whose arguments fit the contract. */
export interface ReadCall {
  readonly params: readonly ReadParam[];
  /** Undeclared arguments, in the nesting of the call; empty = none. */
  readonly rest: JsonObject;
  readonly amount: number | undefined;
}

/** Which argument paths the tool's own schema knows; undefined = no schema is recorded. */
export type KnownArguments = (path: readonly string[]) => boolean;

/** All faults of the contract stage in argument order, or the call. */
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

function readParam(param: ParamContract, args: JsonObject, faults: CallFault[]): ReadParam {
  const found = findValues(param, args);
  const problem = checkPresence(param, found);
  if (problem !== undefined) {
    faults.push(problem);
    return { param, critical: [], free: [] };
  }
  if (param.critical) {
    faults.push(...found.values.flatMap((value) => checkLine(param, value)));
    return { param, critical: found.values, free: [] };
  }
  const free: FreeValue[] = [];
  for (const value of found.values) {
    const read = readFreeValue(param, value);
    if ('code' in read) faults.push(read);
    else free.push(read);
  }
  return { param, critical: [], free };
}

/** Missing, of the wrong shape, too few, too many, or the same twice. */
function checkPresence(param: ParamContract, found: Found): CallFault | undefined {
  if (found.fault !== undefined) return found.fault;
  const { values, path } = found;
  if (!found.present) {
    if (param.optional) return undefined;
    return { code: 'CONTRACT_MISSING_VALUE', path };
  }
  if (!found.isList) return undefined;
  const min = param.itemsMin ?? (param.critical ? 1 : 0);
  const max = param.itemsMax ?? itemsMaxDefault;
  if (values.length < min) {
    return { code: 'CONTRACT_INVALID', path, detail: 'range', expected: `at least ${min} items` };
  }
  if (values.length > max) {
    return { code: 'CONTRACT_INVALID', path, detail: 'range', expected: `at most ${max} items` };
  }
  return undefined;
}

/** A critical text holds one line; a break in it can hide another header. Everything else about it is a matter of provenance. */
function checkLine(param: ParamContract, { value, path }: FoundValue): readonly CallFault[] {
  if (typeof value !== 'string' || param.multiline) return [];
  const fault = checkText(value, { multiline: false });
  if (fault?.reason !== 'line_break') return [];
  return [{ code: 'CONTRACT_INVALID', path, detail: 'line_break', expected: 'one line' }];
}

export { isJsonObject, type JsonValue };
