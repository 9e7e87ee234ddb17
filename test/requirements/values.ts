import type { Requirement } from './requirement.ts';

/** Ids start with `VAL-`. */
export const valuesRequirements: readonly Requirement[] = [
  {
    id: 'VAL-02',
    source: 'values.md 2',
    behaviour: 'Normalisers are total, pure, bounded and idempotent.',
  },
  {
    id: 'VAL-06',
    source: 'values.md 3',
    behaviour:
      '`iban` takes letters, digits and spaces and needs a valid structure and check digits.',
  },
  {
    id: 'VAL-07',
    source: 'values.md 3',
    behaviour:
      '`iban-lenient` checks characters and length only, says so in a warning, and equality decides.',
  },
  {
    id: 'VAL-09',
    source: 'values.md 3',
    behaviour:
      'An e-mail address is one bare address; `email` folds its case, `email-exact` keeps the local part.',
  },
  {
    id: 'VAL-10',
    source: 'values.md 3',
    behaviour:
      'A domain is judged before the host parser and after it, with private suffixes, one script a label.',
  },
  {
    id: 'VAL-11',
    source: 'values.md 3',
    behaviour: 'What a URL parser would repair is refused before parsing; three canonical forms.',
  },
  {
    id: 'VAL-13',
    source: 'values.md 3',
    behaviour: 'Money is text with the exponent of an explicit currency, never rounded.',
  },
  {
    id: 'VAL-14',
    source: 'values.md 3',
    behaviour: 'Scaled numbers are computed on the text; a remainder is refused.',
  },
  {
    id: 'VAL-15',
    source: 'values.md 3',
    behaviour:
      'Dates and instants have a parser of their own; skipped and doubled times are refused.',
  },
  {
    id: 'VAL-19',
    source: 'values.md 3',
    behaviour: 'A list resolves whole or not at all; no text is split into items.',
  },
  {
    id: 'VAL-20',
    source: 'values.md 4',
    behaviour: 'Hygiene classes C and T hold over all ignorables, tags and bidi controls.',
  },
  {
    id: 'VAL-21',
    source: 'values.md 4',
    behaviour: 'Skeleton and character tables are pinned and independent of the runtime.',
  },
  {
    id: 'VAL-22',
    source: 'values.md 5',
    behaviour: 'Strict JSON refuses with code and byte offset; objects have no prototype.',
  },
  {
    id: 'VAL-23',
    source: 'values.md 5',
    behaviour: 'Numbers beyond 2^53-1 never reach a decision rounded.',
  },
  {
    id: 'VAL-24',
    source: 'values.md 6',
    behaviour: 'Every reading of an outgoing text finds the entities planted for it.',
  },
  {
    id: 'VAL-25',
    source: 'values.md 6',
    behaviour: 'An unknown entity is never allowed silently; a reached limit counts as unknown.',
  },
  {
    id: 'VAL-26',
    source: 'values.md 6',
    behaviour: 'A trusted host with a nested address or a long query is unknown.',
  },
  {
    id: 'VAL-27',
    source: 'values.md 6',
    behaviour:
      'Confidential facts are found spaced, reversed, split, in other case and encoded, and refused.',
  },
  {
    id: 'VAL-28',
    source: 'values.md 8',
    behaviour:
      'The corpus of hostile spellings gives no false allow, the honest list no false refusal.',
  },
  {
    id: 'VAL-29',
    source: 'values.md 8',
    behaviour:
      '`iban`, `email`, `lower` agree with the Python package on what they accept; what they refuse besides is listed.',
  },
];
