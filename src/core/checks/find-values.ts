// Where the values of one parameter stand in the arguments of a call.
import type { ParamContract, PathStep } from '../contract.ts';
import type { CallFault } from '../facts.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts';

/** One value with its JSON path, e.g. `to[2].address`. */
export interface FoundValue {
  readonly path: string;
  /** Keys and indexes that lead to it, for the replacement. */
  readonly steps: readonly (string | number)[];
  readonly value: JsonValue;
}

/** All values of a parameter; absent and null count as not present. */
export interface Found {
  readonly path: string;
  readonly present: boolean;
  readonly isList: boolean;
  readonly values: readonly FoundValue[];
  readonly fault?: CallFault;
}

/** The path with the step into the items of a list parameter. */
export const fullPath = ({ path, each }: ParamContract): readonly PathStep[] =>
  each ? [...path, { kind: 'each' }] : path;

/** Walks the path; a value of another shape on the way is a fault with the form that is expected. */
export function findValues(param: ParamContract, args: JsonObject): Found {
  const steps = fullPath(param);
  const path = pathText(param.path);
  const isList = steps.some((step) => step.kind === 'each');
  let here: readonly FoundValue[] = [{ path: '', steps: [], value: args }];
  for (const step of steps) {
    const next = step.kind === 'key' ? takeKey(here, step.key, param) : takeItems(here);
    if ('code' in next) return { path, present: true, isList, values: [], fault: next };
    here = next;
  }
  return { path, present: isList ? hasList(args, steps) : here.length > 0, isList, values: here };
}

function takeKey(
  here: readonly FoundValue[],
  key: string,
  param: ParamContract,
): readonly FoundValue[] | CallFault {
  const next: FoundValue[] = [];
  for (const { path, steps, value } of here) {
    if (!isJsonObject(value)) return wrongShape(path, value, 'an object');
    const member = value[key];
    const at = path === '' ? key : `${path}.${key}`;
    if (member !== undefined && member !== null) {
      next.push({ path: at, steps: [...steps, key], value: member });
    } else if (isInItem(steps) && !param.optional) {
      return { code: 'CONTRACT_MISSING_VALUE', path: at };
    }
  }
  return next;
}

/** Inside a list every item has the value: one without it would go out unjudged. */
const isInItem = (steps: readonly (string | number)[]): boolean =>
  steps.some((step) => typeof step === 'number');

function takeItems(here: readonly FoundValue[]): readonly FoundValue[] | CallFault {
  const next: FoundValue[] = [];
  for (const { path, steps, value } of here) {
    if (!Array.isArray(value)) return wrongShape(path, value, 'a list');
    for (const [index, item] of (value as readonly JsonValue[]).entries()) {
      if (Array.isArray(item)) return wrongShape(`${path}[${index}]`, item, 'a single value');
      next.push({ path: `${path}[${index}]`, steps: [...steps, index], value: item });
    }
  }
  return next;
}

const examples: Readonly<Record<string, string>> = {
  'a list': 'a list such as ["…"], not its JSON text',
  'an object': 'an object such as {"…": "…"}, not its JSON text',
};

/** JSON text in place of a structure is refused with the right form, never unpacked. */
function wrongShape(path: string, value: JsonValue, expected: string): CallFault {
  const example =
    typeof value === 'string' && /^\s*[[{]/.test(value) ? examples[expected] : undefined;
  return {
    code: 'CONTRACT_TYPE',
    path,
    detail: example === undefined ? 'type' : 'json_text',
    expected: example ?? expected,
  };
}

/** True when the outermost list of the path is there, even when it is empty. */
function hasList(args: JsonObject, steps: readonly PathStep[]): boolean {
  let value: JsonValue | undefined = args;
  for (const step of steps) {
    if (step.kind === 'each') break;
    value = isJsonObject(value) ? value[step.key] : undefined;
  }
  return value !== undefined && value !== null;
}

/** The path as people write it: `to[].address`. */
export function pathText(path: readonly PathStep[]): string {
  return path.reduce((text, step) => {
    if (step.kind === 'each') return `${text}[]`;
    return text === '' ? step.key : `${text}.${step.key}`;
  }, '');
}
