// Host names. The host parser of URL repairs too much to be asked first: characters, labels and
// scripts are judged before it, and its answer must say the same as the input.
import { parse } from 'tldts';
import type { JsonValue } from '../json-value.ts';
import { scriptOf, wordSet } from './code-point-sets.ts';
import { checkCritical } from './hygiene.ts';
import {
  accept,
  lowerAscii,
  type Normalised,
  type Normaliser,
  type NormaliserFault,
  type NormaliserOptions,
  type NormaliserRefusal,
  type NormaliserWarning,
  readText,
  refuse,
} from './normaliser.ts';
import { decodePunycode } from './punycode.ts';

/** A host name whose registrable part is known. */
export interface Domain {
  readonly ok: true;
  /** A-labels, lower case. */
  readonly ascii: string;
  /** The same with `xn--` labels decoded. */
  readonly unicode: string;
  /** The name that somebody registered: the public suffix plus one label. */
  readonly registrable: string;
  readonly isIdn: boolean;
  /** Under a suffix that is reserved for examples and tests and never registered. */
  readonly isReserved: boolean;
}

const hint = 'a domain name with a known suffix, like example.com';
const lengthMax = 253;
const ldhName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const outsideLdh = /[^A-Za-z0-9.-]/;
const reservedSuffixes: ReadonlySet<string> = new Set(['example', 'test']);
/** Scripts that one writing system uses side by side (UTS 39, augmented script sets). */
const writingSystems: readonly ReadonlySet<string>[] = [
  new Set(['Han', 'Hiragana', 'Katakana']),
  new Set(['Han', 'Hangul']),
  new Set(['Han', 'Bopomofo']),
];

/** Tables whose versions belong in the evidence of every host name. */
export const domainTables: readonly string[] = ['Unicode 17.0', 'public suffix list of tldts'];

/** Host name in A-labels. */
export const domain: Normaliser = {
  name: 'domain',
  version: 1,
  normalise(raw: JsonValue, options: NormaliserOptions): Normalised {
    if (typeof raw === 'string' && raw.length > lengthMax) return refuse('too_long', hint);
    const read = readText(raw, hint);
    if (!read.ok) return read;
    const parsed = parseDomain(read.text, options);
    if (!parsed.ok) return parsed;
    return accept(domain, {
      canonical: parsed.ascii,
      display: displayDomain(parsed),
      folds: isCaseFolded(read.text, parsed) ? ['CASE_FOLDED'] : [],
      warnings: domainWarnings(parsed),
      tables: domainTables,
    });
  },
};

/** Reads a host name that has passed hygiene class C. Total; ASCII names cost one table lookup. */
export function parseDomain(text: string, options: NormaliserOptions): Domain | NormaliserRefusal {
  if (text.length > lengthMax) return refuse('too_long', hint);
  const lowered = lowerAscii(text);
  if (!outsideLdh.test(text) && !lowered.includes('xn--')) {
    if (!ldhName.test(lowered)) return refuse('form', hint);
    return registered(lowered, lowered, options);
  }
  const isEncoded = !outsideLdh.test(text);
  const unicode = isEncoded ? decodeLabels(lowered) : text.toLowerCase();
  if (unicode === undefined) return refuse('form', hint);
  const fault = unicodeFault(unicode);
  if (fault !== undefined) return refuse(fault, hint);
  const ascii = encodeName(unicode);
  // One name has one spelling of each kind: `xn--good-` is not another way to write `good`.
  const isSame = isEncoded ? ascii === lowered : decodeLabels(ascii) === unicode;
  if (!isSame || !ldhName.test(ascii) || ascii.length > lengthMax) return refuse('form', hint);
  return registered(ascii, unicode, options);
}

/** For people: the name itself, and what an encoded one looks like in brackets. */
export const displayDomain = ({ ascii, unicode, isIdn }: Domain): string =>
  isIdn ? `${ascii} (${unicode})` : ascii;

/** What a person should know about a host name. */
export function domainWarnings({ isIdn, isReserved }: Domain): NormaliserWarning[] {
  const warnings: NormaliserWarning[] = [];
  if (isIdn) warnings.push('IDN');
  if (isReserved) warnings.push('RESERVED_DOMAIN');
  return warnings;
}

/** True when the spelling differs from the name in more than the encoding of its labels. */
export const isCaseFolded = (text: string, { ascii, unicode }: Domain): boolean =>
  text !== ascii && text !== unicode;

function registered(
  ascii: string,
  unicode: string,
  options: NormaliserOptions,
): Domain | NormaliserRefusal {
  const found = parse(ascii, {
    allowPrivateDomains: true,
    detectIp: false,
    extractHostname: false,
    validateHostname: false,
  });
  const isReserved = reservedSuffixes.has(String(found.publicSuffix));
  const isKnown = found.isIcann === true || found.isPrivate === true || isReserved;
  const isName = isKnown || (options.allowUnknownSuffix === true && !/(?:^|\.)\d+$/.test(ascii));
  if (!isName || found.domain === null) {
    return refuse('form', hint);
  }
  return {
    ok: true,
    ascii,
    unicode,
    registrable: found.domain,
    isIdn: ascii !== unicode,
    isReserved,
  };
}

/** Every `xn--` label decoded; undefined when one of them is no punycode. */
function decodeLabels(ascii: string): string | undefined {
  const labels: string[] = [];
  for (const label of ascii.split('.')) {
    const decoded = label.startsWith('xn--') ? decodePunycode(label.slice(4)) : label;
    if (decoded === undefined) return undefined;
    labels.push(decoded);
  }
  return labels.join('.');
}

/** Letters, marks, digits, hyphens and dots only, nothing that mapping changes, one script. */
function unicodeFault(unicode: string): NormaliserFault | undefined {
  if (checkCritical(unicode) !== undefined || unicode.normalize('NFKC') !== unicode) {
    return 'charset';
  }
  for (const label of unicode.split('.')) {
    if (label.startsWith('-') || label.endsWith('-')) return 'form';
    const points = Array.from(label, (character) => character.codePointAt(0) as number);
    if (!points.every((point) => point === 0x2d || wordSet().has(point))) return 'charset';
    if (!isOneWritingSystem(points)) return 'charset';
  }
  return undefined;
}

function isOneWritingSystem(points: readonly number[]): boolean {
  const scripts = new Set<string>();
  for (const point of points) {
    const script = scriptOf(point);
    if (script !== undefined) scripts.add(script);
  }
  return (
    scripts.size <= 1 ||
    writingSystems.some((system) => [...scripts].every((script) => system.has(script)))
  );
}

/** A-labels by the host parser, empty when it refuses the name. */
function encodeName(unicode: string): string {
  const url = `https://${unicode}/`;
  return URL.canParse(url) ? new URL(url).hostname : '';
}
