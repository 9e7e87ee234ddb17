// The arguments of a look-up: the templates of the configuration, filled from what was sent.
import type { LookupRule, ParamContract } from '../contract.ts';
import { type JsonObject, type JsonValue, numberText } from '../json-value.ts';
import { findValues } from './find-values.ts';

/** The operation that a look-up asks about. */
export interface LookupOperation {
  readonly key: string;
  readonly opId: string;
  /** Arguments as they were sent. */
  readonly call: JsonObject;
  readonly params: readonly ParamContract[];
}

/** `${key}`, `${op_id}` or `${param.NAME}`; any other `${` is a mistake of the configuration. */
const template = /\$\{([^}]*)\}?/g;

/** Names inside `${…}` of a text, in order. */
export function templateNames(text: string): readonly string[] {
  return [...text.matchAll(template)].map(([, name = '']) => name);
}

/** Undefined when a value that a template names was not sent: then nothing can be asked. */
export function lookupArguments(
  rule: LookupRule,
  operation: LookupOperation,
): JsonObject | undefined {
  const filled: Record<string, JsonValue> = Object.create(null);
  for (const [name, value] of Object.entries(rule.arguments)) {
    const argument = typeof value === 'string' ? fill(value, operation) : value;
    if (argument === undefined) return undefined;
    filled[name] = argument;
  }
  return filled;
}

/** A text that is one template keeps the type of its value. */
function fill(text: string, operation: LookupOperation): JsonValue | undefined {
  const names = templateNames(text);
  const [only = ''] = names;
  if (names.length === 1 && text === `\${${only}}`) return sentValue(only, operation);
  const values = names.map((name) => plainText(sentValue(name, operation)));
  if (values.some((value) => value === undefined)) return undefined;
  const rest = [...values];
  return text.replaceAll(template, () => rest.shift() ?? '');
}

function plainText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' ? String(value) : numberText(value);
}

function sentValue(name: string, operation: LookupOperation): JsonValue | undefined {
  if (name === 'key') return operation.key;
  if (name === 'op_id') return operation.opId;
  const param = operation.params.find((each) => `param.${each.name}` === name);
  if (param === undefined) return undefined;
  const { values } = findValues(param, operation.call);
  return values.length === 1 ? values[0]?.value : undefined;
}
