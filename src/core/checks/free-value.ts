// A value that needs no source: its type, its bounds, its hygiene. What is judged is what is sent.
import type { ParamContract } from '../contract.ts';
import type { CallFault, FreeValue } from '../facts.ts';
import { isJsonObject, type JsonValue, numberText } from '../json-value.ts';
import { date } from './date.ts';
import type { FoundValue } from './find-values.ts';
import { checkText } from './hygiene.ts';
import { instant } from './instant.ts';
import { money } from './money.ts';
import type { Normaliser } from './normaliser.ts';
import { scaleNumber } from './scaled-number.ts';
import { checkTextsInside } from './texts-inside.ts';
import { checkBounds } from './value-bounds.ts';

type Fault = Omit<CallFault, 'path'> & { readonly path?: string };
type Read = Omit<FreeValue, 'path'> | Fault;

/** The value in the form that policy and budget see, or the first thing that is wrong with it. */
export function readFreeValue(param: ParamContract, found: FoundValue): FreeValue | CallFault {
  const { path, value } = found;
  const read = readByType(param, found);
  if ('code' in read) return { path, ...read };
  const bound = checkBounds(param, value);
  return bound === undefined ? { ...read, path } : { ...bound, path };
}

function readByType(param: ParamContract, found: FoundValue): Read {
  const { value } = found;
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
      return readNamed(param, value, date);
    case 'datetime':
      return readNamed(param, value, instant);
    case 'list':
      return Array.isArray(value) ? readStructure(found) : typeFault('a list');
    case 'object':
      return isJsonObject(value) ? readStructure(found) : typeFault('an object');
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
  if (scaled.ok) return { canonical: scaled.value, display: text, send: Number(text) };
  const expected =
    param.scale === 1
      ? 'a whole number up to 2^53-1'
      : `a number that is whole after multiplying by ${param.scale}`;
  return { code: 'CONTRACT_INVALID', detail: 'range', expected };
}

/** Policies and budgets see minor units; the currency is fixed by the contract. */
function readMoney(param: ParamContract, value: JsonValue): Read {
  const read = readNamed(param, value, money);
  if ('code' in read) return read;
  return { ...read, canonical: Number.parseInt(String(read.canonical), 10) };
}

function readNamed(param: ParamContract, value: JsonValue, normaliser: Normaliser): Read {
  const read = normaliser.normalise(value, param.settings);
  if (read.ok) return { canonical: read.canonical, display: read.display, send: String(value) };
  const code = read.code === 'type' ? 'CONTRACT_TYPE' : 'CONTRACT_INVALID';
  return { code, detail: read.code, expected: read.hint };
}

/** Free JSON: hygiene of every text inside; the tool's schema and the rule for outgoing texts judge the rest. */
function readStructure({ path, value }: FoundValue): Read {
  const [fault] = checkTextsInside(value, path);
  return fault ?? plain(JSON.stringify(value));
}

const plain = (value: string | boolean): Omit<FreeValue, 'path'> => ({
  canonical: value,
  display: String(value),
  send: value,
});

const typeFault = (expected: string): Fault => ({
  code: 'CONTRACT_TYPE',
  detail: 'type',
  expected,
});
