// Words, names and ids that are compared as they are.
import type { JsonValue } from '../json-value.ts';
import {
  accept,
  foldsOf,
  lowerAscii,
  type Normalised,
  type Normaliser,
  readText,
  refuse,
  trimSpaces,
} from './normaliser.ts';

const hint = 'plain text without control or invisible characters, one script in a word';
const tables: readonly string[] = ['Unicode 17.0'];

/** Spaces at the ends removed, A–Z folded. */
export const lower: Normaliser = {
  name: 'lower',
  version: 1,
  normalise(raw: JsonValue): Normalised {
    const read = readText(raw, hint);
    if (!read.ok) return read;
    const trimmed = trimSpaces(read.text);
    if (trimmed === '') return refuse('form', 'a text that is not empty');
    const canonical = lowerAscii(trimmed);
    const folds = foldsOf(read.text, trimmed, canonical);
    return accept(lower, { canonical, display: canonical, folds, tables });
  },
};

/** Nothing folded: the text itself. */
export const exact: Normaliser = {
  name: 'exact',
  version: 1,
  normalise(raw: JsonValue): Normalised {
    const read = readText(raw, hint);
    if (!read.ok) return read;
    if (read.text === '') return refuse('form', 'a text that is not empty');
    return accept(exact, { canonical: read.text, display: read.text, tables });
  },
};
