// A value that needs no source: its type, its bounds, its hygiene. What is judged is what is sent.
import type { ParamContract } from '../contract.ts';
import type { CallFault, FreeValue } from '../facts.ts';
import { type JsonValue, numberText } from '../json-value.ts';
import type { FoundValue } from './find-values.ts';
import { checkText } from './hygiene.ts';
import { normalisers } from './normalisers.ts';
import { matchesPattern } from './pattern.ts';
import { scaleNumber } from './scaled-number.ts';

type Fault = Omit<CallFault, 'path'>;
type Read = Omit<FreeValue, 'path'> | Fault;

/** The value in the form that policy and budget see, or the first thing that is wrong with it. */
export function readFreeValue(param: ParamContract, found: FoundValue): FreeValue | CallFault {
  const { path, value } = found;
  const read = readByType(param, value);
  if ('code' in read) return { ...read, path };
  const bound = checkBounds(param, value, read);
  return bound === undefined ? { ...read, path } : { ...bound, path };
}

function readByType(param: ParamContract, value: JsonValue): Read {
  switch (param.type) {
    case 'string':
      return readText(param, value);
    case 'integer':
    case 'number':
      return readNumber(param, value);
    case 'boolean':
      return typeof value === 'boolean' ? plain(value) : typeFault('true or false');
    case 'money':
      return readMoney(param, value);
    case 'date':
      return readNamed(param, value, 'date');
    case 'datetime':
      return readNamed(param, value, 'instant');
    case 'list':
    case 'object':
      return readStructure(param.type, value);
    default:
      return param.type satisfies never;
  }
}

function readText(param: ParamContract, value: JsonValue): Read {
  if (typeof value !== 'string') return typeFault('a text');
  const fault = checkText(value, { multiline: param.multiline });
  if (fault === undefined) return plain(value);
  const expected = fault.reason === 'line_break' ? 'one line' : 'no control or hidden characters';
  return { code: 'CONTRACT_INVALID', detail: fault.reason, expected };
}

/** Exact on the number's own digits: a remainder after scaling is refused, never rounded. */
function readNumber(param: ParamContract, value: JsonValue): Read {
  const text = numberText(value);
  if (text === undefined) return typeFault(param.type === 'integer' ? 'an integer' : 'a number');
  if (param.type === 'integer' && !/^-?\d+$/.test(text)) return typeFault('an integer');
  const scaled = scaleNumber(text, param.scale);
  if (scaled.ok) return { canonical: scaled.value, display: text, send: scaled.value };
  return {
    code: 'CONTRACT_INVALID',
    detail: 'range',
    expected: `a number that is whole after multiplying by ${param.scale}`,
  };
}

/** Policies and budgets see minor units; the currency is fixed by the contract. */
function readMoney(param: ParamContract, value: JsonValue): Read {
  const read = readNamed(param, value, 'money');
  return 'code' in read ? read : { ...read, canonical: Number.parseInt(String(read.canonical), 10) };
}

function readNamed(param: ParamContract, value: JsonValue, name: string): Read {
  const normaliser = normalisers.get(param.normalize ?? name);
  const read = normaliser?.normalise(value, param.settings);
  if (read === undefined) return { code: 'CONTRACT_INVALID', detail: 'form' };
  if (read.ok) return { canonical: read.canonical, display: read.display, send: String(value) };
  const code = read.code === 'type' ? 'CONTRACT_TYPE' : 'CONTRACT_INVALID';
  return { code, detail: read.code, ...(read.hint === undefined ? {} : { expected: read.hint }) };
}

/** Free JSON: judged by the schema of the tool and the rule for outgoing texts only. */
function readStructure(type: 'list' | 'object', value: JsonValue): Read {
  const fits = type === 'list' ? Array.isArray(value) : typeof value === 'object' && !Array.isArray(value);
  if (!fits) return typeFault(type === 'list' ? 'a list' : 'an object');
  return plain(JSON.stringify(value));
}

const plain = (value: string | boolean): Omit<FreeValue, 'path'> => ({
  canonical: value,
  display: String(value),
  send: value,
});

const typeFault = (expected: string): Fault => ({ code: 'CONTRACT_TYPE', detail: 'type', expected });

/** Validators of the contract, on the agent's own text and number. */
function checkBounds(
  param: ParamContract,
  value: JsonValue,
  read: Omit<FreeValue, 'path'>,
): Fault | undefined {
  if (param.oneOf !== undefined && !param.oneOf.includes(value)) {
    return invalid('enum', `one of ${JSON.stringify(param.oneOf)}`);
  }
  if (typeof value === 'string') return checkTextBounds(param, value);
  return typeof read.canonical === 'number' ? checkRange(param, read.canonical) : undefined;
}

function checkTextBounds(param: ParamContract, value: string): Fault | undefined {
  if (param.lengthMax !== undefined && value.length > param.lengthMax) {
    return { code: 'CONTRACT_TOO_LARGE', detail: 'too_long', expected: `at most ${param.lengthMax} characters` };
  }
  if (param.pattern !== undefined && !matchesPattern(param.pattern, value)) {
    return invalid('pattern', `a text that matches ${param.pattern}`);
  }
  return undefined;
}

/** Bounds are written in the tool's own unit and compared after scaling. */
function checkRange(param: ParamContract, scaled: number): Fault | undefined {
  const min = scaledBound(param.min, param.scale);
  if (min !== undefined && scaled < min) return invalid('range', `at least ${param.min}`);
  const max = scaledBound(param.max, param.scale);
  if (max !== undefined && scaled > max) return invalid('range', `at most ${param.max}`);
  return undefined;
}

function scaledBound(bound: string | undefined, scale: number): number | undefined {
  if (bound === undefined) return undefined;
  const scaled = scaleNumber(bound, scale);
  return scaled.ok ? scaled.value : undefined;
}

const invalid = (detail: string, expected: string): Fault => ({
  code: 'CONTRACT_INVALID',
  detail,
  expected,
});
