// IBANs. A valid check digit proves typing, not ownership: only equality with a trusted value does.
import { isValidIBAN, ValidationErrorsIBAN, validateIBAN } from 'ibantools';
import type { JsonValue } from '../json-value.ts';
import {
  accept,
  type Normalised,
  type NormalisedValue,
  type Normaliser,
  type NormaliserRefusal,
  type NormaliserWarning,
  refuse,
} from './normaliser.ts';

const hint = 'an IBAN of letters, digits and spaces, like DE89 3704 0044 0532 0130 00';
const outsideCharset = /[^A-Za-z0-9 ]/;
const lengthMin = 14;
const lengthMax = 34;
/** A valid IBAN: structure of its country and check digits. */
export const iban: Normaliser = {
  name: 'iban',
  version: 1,
  normalise(raw: JsonValue): Normalised {
    const read = readCompact(raw);
    if (!read.ok) return read;
    const fault = ibanFault(read.compact);
    if (fault === 'form') return refuse('form', hint);
    if (fault === 'checksum') return refuse('checksum', 'an IBAN whose check digits are right');
    return accepted(iban, read, []);
  },
};

/** Characters and length only, for records that hold invented IBANs. */
export const ibanLenient: Normaliser = {
  name: 'iban-lenient',
  version: 1,
  normalise(raw: JsonValue): Normalised {
    const read = readCompact(raw);
    if (!read.ok) return read;
    if (read.compact.length < lengthMin) return refuse('form', hint);
    return accepted(ibanLenient, read, ['CHECKSUM_NOT_CHECKED']);
  },
};

interface Compact {
  readonly ok: true;
  readonly compact: string;
  readonly folds: readonly NormaliserWarning[];
}

/** Upper case without spaces. The characters are checked first: the library lets some pass. */
function readCompact(raw: JsonValue): Compact | NormaliserRefusal {
  if (typeof raw !== 'string') return refuse('type', hint);
  const bad = raw.search(outsideCharset);
  if (bad >= 0) return refuse('charset', hint, bad);
  const spaceless = raw.includes(' ') ? raw.replaceAll(' ', '') : raw;
  if (spaceless.length > lengthMax) return refuse('too_long', hint);
  const compact = spaceless.toUpperCase();
  const folds: NormaliserWarning[] = [];
  if (spaceless !== raw) folds.push('SPACES_REMOVED');
  if (compact !== spaceless) folds.push('CASE_FOLDED');
  return { ok: true, compact, folds };
}

function ibanFault(compact: string): 'form' | 'checksum' | undefined {
  if (isValidIBAN(compact)) return undefined;
  const structural: readonly ValidationErrorsIBAN[] = [
    ValidationErrorsIBAN.NoIBANProvided,
    ValidationErrorsIBAN.NoIBANCountry,
    ValidationErrorsIBAN.WrongBBANLength,
    ValidationErrorsIBAN.WrongBBANFormat,
    ValidationErrorsIBAN.ChecksumNotNumber,
  ];
  const { errorCodes } = validateIBAN(compact);
  return errorCodes.some((code) => structural.includes(code)) ? 'form' : 'checksum';
}

function accepted(
  normaliser: Normaliser,
  { compact, folds }: Compact,
  warnings: readonly NormaliserWarning[],
): NormalisedValue {
  const display = compact.replace(/.{4}(?=.)/g, '$& ');
  return accept(normaliser, { canonical: compact, display, folds, warnings });
}
