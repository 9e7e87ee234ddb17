// The arguments that are sent: the agent's own, with each critical value replaced by the trusted spelling.
import type { ResolvedValue } from '../core/decision.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json-value.ts';

/** Keys and indexes that lead to one value. */
export type Steps = readonly (string | number)[];

/** A copy of the arguments with the resolved values in place; everything else stays digit by digit. */
export function resolveArguments(
  args: JsonObject,
  values: readonly ResolvedValue[],
  stepsOf: ReadonlyMap<string, Steps>,
): JsonObject {
  let resolved: JsonValue = args;
  for (const value of values) {
    const steps = value.replaced ? stepsOf.get(value.path) : undefined;
    if (steps !== undefined) resolved = replaceAt(resolved, steps, value.send);
  }
  return resolved as JsonObject;
}

function replaceAt(value: JsonValue, steps: Steps, leaf: JsonValue): JsonValue {
  const [step, ...rest] = steps;
  if (step === undefined) return leaf;
  if (typeof step === 'number') {
    // INVARIANT: steps come from the same arguments, so shapes fit.
    const items = value as readonly JsonValue[];
    return items.map((item, index) => (index === step ? replaceAt(item, rest, leaf) : item));
  }
  const copy: Record<string, JsonValue> = Object.create(null);
  for (const [key, member] of Object.entries(value as JsonObject)) {
    copy[key] = key === step ? replaceAt(member, rest, leaf) : member;
  }
  return copy;
}

/** A copy without the arguments at these top-level names. */
export function withoutArguments(args: JsonObject, names: readonly string[]): JsonObject {
  if (names.length === 0) return args;
  const copy: Record<string, JsonValue> = Object.create(null);
  for (const [key, member] of Object.entries(args)) if (!names.includes(key)) copy[key] = member;
  return copy;
}

/** Plain numbers for a schema check: kept texts become JavaScript numbers, references plain texts. */
export function plainValue(value: JsonValue): unknown {
  if (JSON.isRawJSON(value)) return Number(value.rawJSON);
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(plainValue);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, plainValue(member)]),
  );
}
