// The canonical form of a value, the same for what an agent writes, a record holds and a claim says.
import type { ParamType, ValueReading } from '../contract.ts';
import type { CriticalValue } from '../facts.ts';
import { type JsonValue, numberText } from '../json-value.ts';
import { checkCritical } from './hygiene.ts';
import { normalisers } from './normalisers.ts';
import { scaleNumber } from './scaled-number.ts';

/** A canonical form, or why there is none. */
export type Canonical = CriticalValue['normalised'];

/** Types whose texts have one form whatever else the contract says. */
export const typeNormalisers: ReadonlyMap<ParamType, string> = new Map([
  ['money', 'money'],
  ['date', 'date'],
  ['datetime', 'instant'],
]);

/** The normaliser that reads the texts of a parameter. */
export const normaliserOf = ({
  normalize,
  type,
}: Pick<ValueReading, 'normalize' | 'type'>): string =>
  normalize ?? typeNormalisers.get(type) ?? 'exact';

/** Numbers by their digits and scale, texts by hygiene and the named normaliser. No value of one type becomes one of another. */
export function canonicalOf(value: JsonValue, reading: ValueReading): Canonical {
  const { type, scale } = reading;
  if (type === 'integer' || type === 'number') return canonicalNumber(value, scale);
  if (type !== 'boolean') return canonicalText(value, reading);
  if (typeof value !== 'boolean') return wrongType('true or false');
  return { ok: true, canonical: value, display: String(value), warnings: [] };
}

function canonicalNumber(value: JsonValue, scale: number): Canonical {
  const digits = numberText(value);
  if (digits === undefined) return wrongType('a number');
  const scaled = scaleNumber(digits, scale);
  if (!scaled.ok) return { ok: false, detail: 'range' };
  return { ok: true, canonical: scaled.value, display: digits, warnings: [] };
}

/** What was read last: a parameter and each of its sources read the same text one after the other. */
let last: TextReading | undefined;

interface TextReading {
  readonly text: string;
  readonly normaliser: string;
  readonly settings: ValueReading['settings'];
  readonly canonical: Canonical;
}

const isSameReading = (
  known: TextReading,
  { text, normaliser, settings }: Omit<TextReading, 'canonical'>,
): boolean =>
  known.text === text &&
  known.normaliser === normaliser &&
  known.settings.currency === settings.currency &&
  known.settings.zone === settings.zone;

function canonicalText(value: JsonValue, reading: ValueReading): Canonical {
  if (typeof value !== 'string') return wrongType('a text');
  const asked = { text: value, normaliser: normaliserOf(reading), settings: reading.settings };
  if (last !== undefined && isSameReading(last, asked)) return last.canonical;
  const canonical = readText(asked);
  last = { ...asked, canonical };
  return canonical;
}

function readText({ text, normaliser, settings }: Omit<TextReading, 'canonical'>): Canonical {
  const fault = checkCritical(text);
  if (fault !== undefined) return { ok: false, detail: fault.reason };
  const read = normalisers.get(normaliser)?.normalise(text, settings);
  // A name that no table has is refused when the file is loaded.
  if (read === undefined) return { ok: false, detail: 'form' };
  if (!read.ok) return { ok: false, detail: read.code, hint: read.hint };
  const { canonical, display, warnings } = read;
  return { ok: true, canonical, display, warnings };
}

const wrongType = (hint: string): Canonical => ({ ok: false, detail: 'type', hint });
