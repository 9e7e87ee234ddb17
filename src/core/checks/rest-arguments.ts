// What the contract does not declare: known to the tool's schema, or refused with its full path.
import type { Contract, PathStep } from '../contract.ts';
import type { CallFault } from '../facts.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts';
import { fullPath } from './find-values.ts';
import { checkTextsInside } from './texts-inside.ts';

interface RestContext {
  /** Whether the tool's own schema knows an argument at these keys. */
  readonly isKnown: (path: readonly string[]) => boolean;
  readonly faults: CallFault[];
}

/** The undeclared part of the arguments in its own nesting; every refusal is added to `faults`. */
export function restOf(contract: Contract, args: JsonObject, context: RestContext): JsonObject {
  const walk: Walk = { contract, context, keys: [], label: '' };
  return restOfObject(args, contract.params.map(fullPath), walk) ?? Object.create(null);
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
    const below = paths
      .filter(([step]) => step?.kind === 'key' && step.key === key)
      .map((path) => path.slice(1));
    const left = restOfMember(member, below, {
      ...walk,
      keys: [...walk.keys, key],
      label: walk.label === '' ? key : `${walk.label}.${key}`,
    });
    if (left !== undefined) rest[key] = left;
  }
  return Object.keys(rest).length === 0 ? undefined : rest;
}

/** No declared path leads here: the whole member is undeclared. One ends here: it is declared. */
function restOfMember(member: JsonValue, paths: Paths, walk: Walk): JsonValue | undefined {
  if (paths.length === 0) return undeclared(member, walk);
  if (paths.some((path) => path.length === 0)) return undefined;
  if (isJsonObject(member)) return restOfObject(member, paths, walk);
  // Any other shape is a fault of the parameter whose path leads through here.
  if (!Array.isArray(member)) return undefined;
  const inItems = paths.filter(([step]) => step?.kind === 'each').map((path) => path.slice(1));
  const items = (member as readonly JsonValue[]).map((item, index) =>
    restOfMember(item, inItems, { ...walk, label: `${walk.label}[${index}]` }),
  );
  return items.every((item) => item === undefined) ? undefined : items.map((item) => item ?? null);
}

function undeclared(member: JsonValue, walk: Walk): JsonValue | undefined {
  const { contract, context, keys, label } = walk;
  if (!isSelector(walk) && (contract.undeclared === 'refuse' || !context.isKnown(keys))) {
    context.faults.push({ code: 'CONTRACT_UNEXPECTED_VALUE', path: label });
    return undefined;
  }
  context.faults.push(...checkTextsInside(member, label));
  return member;
}

/** An argument that chose this contract has the one value that the contract names. */
const isSelector = ({ contract, keys: [key, ...below] }: Walk): boolean =>
  key !== undefined && below.length === 0 && Object.hasOwn(contract.when, key);
