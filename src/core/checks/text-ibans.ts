// IBANs through separators. A checksum is not needed: a wrong digit still names an account.
import { countrySpecs, isValidIBAN } from 'ibantools';
import { isWordAt } from './text-characters.ts';
import type { Found } from './text-entity.ts';

const candidate = /[A-Za-z]{2}[\s.-]{0,2}\d[\s.-]?\d/gu;
const separators = ' \u00a0\u202f\t\r\n.-_/:*|';
const separatorsMax = 3;
const lengthMax = 34;
const lengthMin = 14;
const digitsMin = 10;
const specifiedDigitsMin = 8;
// seen in fictional IBANs of data sets and tests
const fictional = new Set(['UK', 'US', 'CA']);
const grouped = /^[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,4})?$/iu;
const vatNumber = /^(?:NL\d{9}B\d{2}|GB\d{12}|SE\d{10}01|LT\d{12})$/u;

interface Rule {
  readonly length: number;
  readonly account: RegExp;
}

let ruleMap: ReadonlyMap<string, Rule> | undefined;

function rules(): ReadonlyMap<string, Rule> {
  ruleMap ??= new Map(
    Object.entries(countrySpecs).flatMap(([country, { chars, bban_regexp: account }]) =>
      chars === null || account === null || chars === undefined || account === undefined
        ? []
        : [[country, { length: chars, account: new RegExp(account, 'u') }]],
    ),
  );
  return ruleMap;
}

/** All IBANs of a text, in any case and grouping. */
export function findIbans(text: string): Found[] {
  const found: Found[] = [];
  let end = 0;
  for (const match of text.matchAll(candidate)) {
    if (match.index < end) continue;
    const iban = readIban(text, match.index);
    if (iban === undefined) continue;
    found.push(iban);
    end = iban.end;
  }
  return found;
}

function readIban(text: string, start: number): Found | undefined {
  const country = text.slice(start, start + 2).toUpperCase();
  const rule = rules().get(country);
  if (rule === undefined && !fictional.has(country)) return undefined;
  const letters = gather(text, start);
  const standsAlone = !isWordAt(text, start - 1);
  const found = rule === undefined ? undefined : bySpecification(letters, rule);
  if (found !== undefined && (standsAlone || isValidIBAN(found.canonical))) {
    return { kind: 'iban', certainty: 'certain', start, ...found };
  }
  return standsAlone ? byShape(text, start) : undefined;
}

interface Gathered {
  readonly text: string;
  /** End in the text of each gathered character. */
  readonly ends: readonly number[];
}

/** The next letters and digits behind `start`, through a few separators each. */
function gather(text: string, start: number): Gathered {
  const ends: number[] = [];
  let letters = '';
  let gap = 0;
  for (let at = start; ends.length < lengthMax && gap <= separatorsMax; at += 1) {
    if (isAlphanumeric(text.charCodeAt(at))) {
      letters += text.charAt(at);
      ends.push(at + 1);
      gap = 0;
    } else if (separators.includes(text.charAt(at)) && at < text.length) {
      gap += 1;
    } else {
      break;
    }
  }
  return { text: letters.toUpperCase(), ends };
}

const isAlphanumeric = (unit: number): boolean =>
  (unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a);

function bySpecification(
  letters: Gathered,
  rule: Rule,
): { readonly end: number; readonly canonical: string } | undefined {
  const canonical = letters.text.slice(0, rule.length);
  const end = letters.ends[rule.length - 1];
  // in countries with letters in account numbers, whole sentences would fit
  const isNumber = canonical.replace(/\D/gu, '').length >= specifiedDigitsMin;
  return end !== undefined && isNumber && rule.account.test(canonical.slice(4))
    ? { end, canonical }
    : undefined;
}

/** Unbroken or in fours, and mostly digits: an IBAN with a wrong length or of no country. */
function byShape(text: string, start: number): Found | undefined {
  const spelled = groupedRun(text.slice(start, start + lengthMax + lengthMax / 2));
  const canonical = spelled.replace(/[ -]/gu, '').toUpperCase();
  const digits = canonical.replace(/\D/gu, '').length;
  if (canonical.length < lengthMin || canonical.length > lengthMax || digits < digitsMin) {
    return undefined;
  }
  const span = { start, end: start + spelled.length };
  return vatNumber.test(canonical)
    ? { kind: 'digits', certainty: 'possible', ...span, canonical }
    : { kind: 'iban', certainty: 'certain', ...span, canonical };
}

/** The longest run of fours, the last group shorter, that can be one number. */
function groupedRun(text: string): string {
  let run = /^[0-9A-Za-z]+(?:[ -](?=[A-Za-z]{0,3}\d)[0-9A-Za-z]{1,4}(?![0-9A-Za-z]))*/u.exec(
    text,
  )?.[0];
  while (run !== undefined && !grouped.test(run)) {
    run = /^(.*)[ -]/u.exec(run)?.[1];
  }
  return run ?? '';
}
