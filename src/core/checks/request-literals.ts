// Values that stand literally in the user's own request, by typed extraction. Nothing a tool returned comes here.
import type { ValueReading } from '../contract.ts';
import { canonicalOf } from './canonical-value.ts';
import { amountsIn, type FindLiterals, finders, phrasesIn } from './request-candidates.ts';

type Canonical = string | number | boolean;

/** Canonical form → the value as the request has it, which is what is sent. */
export type RequestLiterals = ReadonlyMap<Canonical, string | number>;

/** Longest request that is read, in UTF-16 units. */
const requestMax = 65_536;
/** Requests remembered at a time: one per mandate in use. */
const requestsMax = 16;

const known = new Map<string, Map<string, RequestLiterals>>();

/** The literals of the request that this parameter can take; asked again, they are not searched again. */
export function requestLiterals(request: string, reading: ValueReading): RequestLiterals {
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

function extract(text: string, reading: ValueReading): RequestLiterals {
  const literals = new Map<Canonical, string | number>();
  for (const candidate of candidatesOf(text, reading)) {
    const isNumber = isNumeric(reading);
    // A whole number is no fraction written out: `5.0` is not what an integer parameter means.
    if (reading.type === 'integer' && candidate.includes('.')) continue;
    const read = canonicalOf(isNumber ? JSON.rawJSON(candidate) : candidate, reading);
    if (!read.ok || literals.has(read.canonical)) continue;
    literals.set(read.canonical, isNumber ? Number(candidate) : candidate);
  }
  return literals;
}

const isNumeric = ({ type }: ValueReading): boolean => type === 'number' || type === 'integer';

function candidatesOf(text: string, reading: ValueReading): Iterable<string> {
  if (isNumeric(reading)) return amountsIn(text);
  const name = reading.normalize ?? reading.type;
  const find: FindLiterals = finders.get(name) ?? phrasesIn;
  return find(text, reading.settings.currency);
}
