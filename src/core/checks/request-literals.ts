// Values that stand literally in the user's own request, by typed extraction. Nothing a tool returned comes here.
import type { ParamContract } from '../contract.ts';
import { normalisers } from './normalisers.ts';
import { amountsIn, type FindLiterals, finders, phrasesIn } from './request-candidates.ts';
import { scaleNumber } from './scaled-number.ts';

type Canonical = string | number | boolean;

/** How a parameter reads its values. */
export type LiteralReading = Pick<ParamContract, 'type' | 'normalize' | 'scale' | 'settings'>;

/** Canonical form → the value as the request has it, which is what is sent. */
export type RequestLiterals = ReadonlyMap<Canonical, string | number>;

/** Longest request that is read, in UTF-16 units. */
const requestMax = 65_536;
/** Requests remembered at a time: one per mandate in use. */
const requestsMax = 16;

const known = new Map<string, Map<string, RequestLiterals>>();

/** The literals of the request that this parameter can take; asked again, they are not searched again. */
export function requestLiterals(request: string, reading: LiteralReading): RequestLiterals {
  const readings = readingsOf(request);
  const { type, normalize, scale, settings } = reading;
  const key = JSON.stringify([type, normalize ?? null, scale, settings]);
  const found = readings.get(key) ?? extract(wholeWords(request), reading);
  readings.set(key, found);
  return found;
}

function readingsOf(request: string): Map<string, RequestLiterals> {
  const readings = known.get(request) ?? new Map<string, RequestLiterals>();
  if (!known.has(request) && known.size >= requestsMax) known.clear();
  known.set(request, readings);
  return readings;
}

/** A cut in the middle of a word would make another value of it. */
function wholeWords(request: string): string {
  if (request.length <= requestMax) return request;
  return request.slice(0, requestMax).replace(/\S+$/, '');
}

function extract(text: string, reading: LiteralReading): RequestLiterals {
  const isNumber = reading.type === 'number' || reading.type === 'integer';
  const literals = new Map<Canonical, string | number>();
  for (const candidate of candidatesOf(text, reading)) {
    const canonical = isNumber ? readNumber(candidate, reading) : readText(candidate, reading);
    if (canonical === undefined || literals.has(canonical)) continue;
    literals.set(canonical, isNumber ? Number(candidate) : candidate);
  }
  return literals;
}

function candidatesOf(text: string, reading: LiteralReading): Iterable<string> {
  const { type, normalize, settings } = reading;
  if (type === 'number' || type === 'integer') return amountsIn(text);
  const find: FindLiterals = finders.get(normalize ?? '') ?? phrasesIn;
  return find(text, settings.currency);
}

function readNumber(text: string, { type, scale }: LiteralReading): number | undefined {
  if (type === 'integer' && text.includes('.')) return undefined;
  const scaled = scaleNumber(text, scale);
  return scaled.ok ? scaled.value : undefined;
}

function readText(text: string, { normalize, settings }: LiteralReading): Canonical | undefined {
  const read = normalisers.get(normalize ?? 'exact')?.normalise(text, settings);
  return read?.ok === true ? read.canonical : undefined;
}
