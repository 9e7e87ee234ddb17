// What every value type answers: a canonical form to compare, or one code that says why not.
import type { JsonValue } from '../json-value.ts';
import { checkCritical } from './hygiene.ts';

/** Why a value has no canonical form. */
export type NormaliserFault =
  | 'type'
  | 'charset'
  | 'form'
  | 'checksum'
  | 'range'
  | 'ambiguous'
  | 'too_long';

/** What a person should know about an accepted value. */
export type NormaliserWarning =
  | 'CASE_FOLDED'
  | 'SPACES_REMOVED'
  | 'DEFAULT_PORT_REMOVED'
  | 'FRAGMENT_REMOVED'
  | 'PATH_CHANGED'
  | 'OFFSET_APPLIED'
  | 'ZONE_APPLIED'
  | 'PATH_NOT_COMPARED'
  | 'CHECKSUM_NOT_CHECKED'
  | 'RESERVED_DOMAIN'
  | 'IDN';

/** How the canonical form came about; never a value. */
interface NormaliserEvidence {
  readonly normaliser: string;
  readonly version: number;
  /** In which ways the spelling differs from the canonical form. */
  readonly folds: readonly NormaliserWarning[];
  /** Versions of the tables that were used. */
  readonly tables: readonly string[];
}

export interface NormalisedValue {
  readonly ok: true;
  /** The only thing that is compared and hashed. */
  readonly canonical: string | boolean | number;
  /** For people. */
  readonly display: string;
  readonly warnings: readonly NormaliserWarning[];
  readonly evidence: NormaliserEvidence;
}

export interface NormaliserRefusal {
  readonly ok: false;
  readonly code: NormaliserFault;
  /** Index of the first offending character, in UTF-16 units. */
  readonly at?: number;
  /** The accepted form, in words that may be shown to anybody. */
  readonly hint: string;
}

export type Normalised = NormalisedValue | NormaliserRefusal;

/** Settings of the contract; each value type names those it reads. */
export interface NormaliserOptions {
  /** `money`: ISO 4217 code, required. */
  readonly currency?: string;
  /** `money`: accept 0. */
  readonly allowZero?: boolean;
  /** `money`: accept a minus sign. */
  readonly allowNegative?: boolean;
  /** `instant`: IANA zone in which a time without offset is read. */
  readonly zone?: string;
  /** `domain`, `url…`, `email…`: accept a suffix that the public suffix list does not know. */
  readonly allowUnknownSuffix?: boolean;
}

/** One value type. Total and pure: no input makes it throw, and equal input gives equal output. */
export interface Normaliser {
  readonly name: string;
  /** Part of the contract's digest: a change of behaviour raises it. */
  readonly version: number;
  normalise(raw: JsonValue, options: NormaliserOptions): Normalised;
}

/** The longest text any normaliser looks at. */
const textLengthMax = 65_536;

/** Builds a refusal. */
export function refuse(code: NormaliserFault, hint: string, at?: number): NormaliserRefusal {
  return at === undefined ? { ok: false, code, hint } : { ok: false, code, at, hint };
}

interface Accepted {
  readonly canonical: string;
  readonly display: string;
  readonly folds?: readonly NormaliserWarning[];
  /** Warnings beyond the folds, which are always told. */
  readonly warnings?: readonly NormaliserWarning[];
  readonly tables?: readonly string[];
}

const none: readonly never[] = [];

/** Builds an accepted value for one normaliser. */
export function accept(normaliser: Normaliser, value: Accepted): NormalisedValue {
  const folds = value.folds ?? none;
  const more = value.warnings ?? none;
  return {
    ok: true,
    canonical: value.canonical,
    display: value.display,
    warnings: more.length === 0 ? folds : [...folds, ...more],
    evidence: {
      normaliser: normaliser.name,
      version: normaliser.version,
      folds,
      tables: value.tables ?? none,
    },
  };
}

/** The text of a critical value, or why it cannot be one. No coercion from other types. */
export function readText(
  raw: JsonValue,
  hint: string,
): { readonly ok: true; readonly text: string } | NormaliserRefusal {
  if (typeof raw !== 'string') return refuse('type', hint);
  if (raw.length > textLengthMax) return refuse('too_long', hint);
  const fault = checkCritical(raw);
  return fault === undefined ? { ok: true, text: raw } : refuse('charset', hint, fault.at);
}

/** Removes U+0020 at both ends: no other white space counts as such. */
export function trimSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) === 0x20) start += 1;
  while (end > start && text.charCodeAt(end - 1) === 0x20) end -= 1;
  return text.slice(start, end);
}

/** Lower-cases A–Z and nothing else: Unicode lower-casing would turn other letters into these. */
export const lowerAscii = (text: string): string =>
  /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;

/** The folds that lead from the raw text over the trimmed one to the canonical one. */
export function foldsOf(raw: string, trimmed: string, canonical: string): NormaliserWarning[] {
  const folds: NormaliserWarning[] = [];
  if (trimmed !== raw) folds.push('SPACES_REMOVED');
  if (canonical !== trimmed) folds.push('CASE_FOLDED');
  return folds;
}
