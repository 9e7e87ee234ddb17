// One declared parameter as a call carries it: present where it must be, of the right count, each value readable.
import type { ParamContract } from '../contract.ts';
import type { CallFault, FreeValue } from '../facts.ts';
import type { JsonObject } from '../json-value.ts';
import { type Found, type FoundValue, findValues } from './find-values.ts';
import { readFreeValue } from './free-value.ts';
import { checkText } from './hygiene.ts';
import { readReference } from './reference.ts';
import { checkRange, hasRange } from './value-bounds.ts';

/** Longest list of one parameter unless the contract says otherwise. */
const itemsMaxDefault = 50;

/** One declared parameter as the call carries it. */
export interface ReadParam {
  readonly param: ParamContract;
  /** Values to be looked up in the sources. */
  readonly critical: readonly FoundValue[];
  readonly free: readonly FreeValue[];
}

/** The values of one parameter; every fault is added to `faults`. */
export function readParam(param: ParamContract, args: JsonObject, faults: CallFault[]): ReadParam {
  const found = findValues(param, args);
  const fault = checkPresence(param, found);
  if (fault !== undefined) {
    faults.push(fault);
    return { param, critical: [], free: [] };
  }
  if (param.critical) {
    faults.push(...found.values.flatMap((value) => checkCriticalForm(param, value)));
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

/** Missing, of the wrong shape, too few or too many. */
function checkPresence(param: ParamContract, found: Found): CallFault | undefined {
  if (found.fault !== undefined) return found.fault;
  const { values, path } = found;
  if (!found.present) {
    return param.optional ? undefined : { code: 'CONTRACT_MISSING_VALUE', path };
  }
  if (!found.isList) return undefined;
  const min = param.itemsMin ?? (param.critical ? 1 : 0);
  const max = param.itemsMax ?? itemsMaxDefault;
  if (values.length < min) return countFault(path, `at least ${min} items`);
  return values.length > max ? countFault(path, `at most ${max} items`) : undefined;
}

const countFault = (path: string, expected: string): CallFault => ({
  code: 'CONTRACT_INVALID',
  path,
  detail: 'range',
  expected,
});

/** What can be said of a critical value before it is looked up; everything else about it is a matter of provenance. */
function checkCriticalForm(param: ParamContract, found: FoundValue): readonly CallFault[] {
  const { path, value } = found;
  if (typeof value === 'string' && !param.multiline) {
    const fault = checkText(value, { multiline: false });
    // A break can hide another header.
    if (fault?.reason === 'line_break') {
      return [{ code: 'CONTRACT_INVALID', path, detail: 'line_break', expected: 'one line' }];
    }
  }
  if (!hasRange(param)) return [];
  if (readReference(value) !== undefined) {
    return [{ code: 'CONTRACT_INVALID', path, detail: 'form', expected: 'the value itself' }];
  }
  const fault = checkRange(param, value);
  return fault === undefined ? [] : [{ ...fault, path }];
}
