// One bare e-mail address. Comments, quotes, groups and display names are refused: they make one
// text mean different addresses to different readers.
import type { JsonValue } from '../json-value.ts';
import {
  type Domain,
  displayDomain,
  domainTables,
  domainWarnings,
  isCaseFolded,
  parseDomain,
} from './domain.ts';
import {
  accept,
  lowerAscii,
  type Normalised,
  type Normaliser,
  type NormaliserOptions,
  type NormaliserRefusal,
  type NormaliserWarning,
  readText,
  refuse,
  trimSpaces,
} from './normaliser.ts';

const hint = 'one address alone, like name@example.com, without a name, brackets or mailto:';
const localLengthMax = 64;
const addressLengthMax = 254;
/** An address of any length that passes, with generous space around it. */
const textLengthMax = 1024;
const dotAtom = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const outsideAscii = /[^\x20-\x7e]/;

/** Address with the ASCII case of both parts folded. */
export const email: Normaliser = {
  name: 'email',
  version: 1,
  normalise(raw: JsonValue, options: NormaliserOptions): Normalised {
    const read = readAddress(raw, options);
    if (!read.ok) return read;
    return accepted(email, { read, local: lowerAscii(read.local) });
  },
};

/** Address with the local part as it is written. */
export const emailExact: Normaliser = {
  name: 'email-exact',
  version: 1,
  normalise(raw: JsonValue, options: NormaliserOptions): Normalised {
    const read = readAddress(raw, options);
    if (!read.ok) return read;
    return accepted(emailExact, { read, local: read.local });
  },
};

interface Address {
  readonly ok: true;
  readonly local: string;
  readonly host: string;
  readonly domain: Domain;
  readonly isTrimmed: boolean;
}

function readAddress(raw: JsonValue, options: NormaliserOptions): Address | NormaliserRefusal {
  if (typeof raw === 'string' && raw.length > textLengthMax) return refuse('too_long', hint);
  const read = readText(raw, hint);
  if (!read.ok) return read;
  const text = trimSpaces(read.text);
  const at = text.indexOf('@');
  if (at < 0 || text.indexOf('@', at + 1) >= 0) return refuse('form', hint);
  const local = text.slice(0, at);
  const outside = local.search(outsideAscii);
  if (outside >= 0) return refuse('charset', hint, read.text.indexOf(local) + outside);
  if (local.length > localLengthMax) return refuse('too_long', hint);
  if (!dotAtom.test(local)) return refuse('form', hint);
  const host = text.slice(at + 1);
  const domain = parseDomain(host, options);
  if (!domain.ok) return refuse(domain.code, hint);
  if (at + 1 + domain.ascii.length > addressLengthMax) return refuse('too_long', hint);
  return { ok: true, local, host, domain, isTrimmed: text !== read.text };
}

function accepted(
  normaliser: Normaliser,
  { read, local }: { readonly read: Address; readonly local: string },
): Normalised {
  const folds: NormaliserWarning[] = [];
  if (read.isTrimmed) folds.push('SPACES_REMOVED');
  if (local !== read.local || isCaseFolded(read.host, read.domain)) folds.push('CASE_FOLDED');
  return accept(normaliser, {
    canonical: `${local}@${read.domain.ascii}`,
    display: `${local}@${displayDomain(read.domain)}`,
    folds,
    warnings: domainWarnings(read.domain),
    tables: domainTables,
  });
}
