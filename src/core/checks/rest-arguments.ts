// What the contract does not declare: known to the tool's schema, or refused with its full path.
import type { Contract, PathStep } from '../contract.ts';
import type { CallFault } from '../facts.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts';
import { checkText } from './hygiene.ts';

/** A key whose name promises one line; a break in it can hide another header. */
export const oneLineName = /subject|title|reference|name/i;

interface RestContext {
  /** Whether the tool's own schema knows an argument at these keys. */
  readonly isKnown: (path: readonly string[]) => boolean;
  readonly faults: CallFault[];
}

/** The undeclared part of the arguments in its own nesting; every refusal is added to `faults`. */
export function restOf(contract: Contract, args: JsonObject, context: RestContext): JsonObject {
  const paths = contract.params.map((param) =>
    param.each ? [...param.path, { kind: 'each' } as const] : param.path,
  );
  const walk: Walk = { contract, context, keys: [], label: '' };
  const rest = restOfObject(args, paths, walk);
  return (rest ?? Object.create(null)) as JsonObject;
}

interface Walk {
  readonly contract: Contract;
  readonly context: RestContext;
  readonly keys: readonly string[];
  readonly label: string;
}

type Paths = readonly (readonly PathStep[])[];

function restOfObject(value: JsonObject, paths: Paths, walk: Walk): JsonObject | undefined {
  const rest: Record<string, JsonValue> = Object.create(null);
  for (const [key, member] of Object.entries(value)) {
    const below = paths.filter(([step]) => step?.kind === 'key' && step.key === key);
    const inner: Walk = {
      ...walk,
      keys: [...walk.keys, key],
      label: walk.label === '' ? key : `${walk.label}.${key}`,
    };
    const left = restOfMember(member, below.map((path) => path.slice(1)), inner);
    if (left !== undefined) rest[key] = left;
  }
  return Object.keys(rest).length === 0 ? undefined : rest;
}

/** No declared path leads here: the whole member is undeclared. One ends here: it is declared. */
function restOfMember(member: JsonValue, paths: Paths, walk: Walk): JsonValue | undefined {
  if (paths.length === 0) return undeclared(member, walk);
  if (paths.some((path) => path.length === 0)) return undefined;
  if (isJsonObject(member)) return restOfObject(member, paths, walk);
  if (!Array.isArray(member)) return undefined;
  const inItems = paths.filter(([step]) => step?.kind === 'each').map((path) => path.slice(1));
  const items = (member as readonly JsonValue[]).map((item, index) =>
    restOfMember(item, inItems, { ...walk, label: `${walk.label}[${index}]` }),
  );
  return items.every((item) => item === undefined) ? undefined : items.map((item) => item ?? null);
}

function undeclared(member: JsonValue, walk: Walk): JsonValue | undefined {
  const { contract, context, keys, label } = walk;
  if (contract.undeclared === 'refuse' || !context.isKnown(keys)) {
    context.faults.push({ code: 'CONTRACT_UNEXPECTED_VALUE', path: label });
    return undefined;
  }
  context.faults.push(...checkTexts(member, { label, key: keys.at(-1) ?? '' }));
  return member;
}

/** Hygiene of every text inside; nothing is dropped or repaired. */
function checkTexts(
  value: JsonValue,
  at: { readonly label: string; readonly key: string },
): readonly CallFault[] {
  if (typeof value === 'string') {
    const fault = checkText(value, { multiline: !oneLineName.test(at.key) });
    if (fault === undefined) return [];
    return [{ code: 'CONTRACT_INVALID', path: at.label, detail: fault.reason }];
  }
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).flatMap((item, index) =>
      checkTexts(item, { label: `${at.label}[${index}]`, key: at.key }),
    );
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    checkTexts(member, { label: `${at.label}.${key}`, key }),
  );
}
