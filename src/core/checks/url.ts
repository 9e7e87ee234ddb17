// Web addresses. Everything the URL parser would repair is refused before it is asked.
import type { JsonValue } from '../json-value.ts';
import { type Domain, domainTables, domainWarnings, parseDomain } from './domain.ts';
import {
  accept,
  type Normalised,
  type Normaliser,
  type NormaliserOptions,
  type NormaliserRefusal,
  type NormaliserWarning,
  refuse,
} from './normaliser.ts';

const scheme = 'https://';
const hint = 'an address that starts with https:// and a host name, like https://example.com/path';
const lengthMax = 2048;
const outsideVisibleAscii = /[^\x21-\x7e]|\\/;
const endOfAuthority = /[/?#]/;
const defaultPort = ':443';

/** The whole address without its fragment. */
export const url: Normaliser = {
  name: 'url',
  version: 1,
  normalise(raw: JsonValue, options: NormaliserOptions): Normalised {
    const read = readUrl(raw, options);
    if (!read.ok) return read;
    return accepted(url, read, { canonical: read.href, warnings: [] });
  },
};

/** Scheme and host only: path and query are not compared. */
export const urlOrigin: Normaliser = {
  name: 'url-origin',
  version: 1,
  normalise(raw: JsonValue, options: NormaliserOptions): Normalised {
    const read = readUrl(raw, options);
    if (!read.ok) return read;
    const canonical = `${scheme}${read.domain.ascii}`;
    return accepted(urlOrigin, read, { canonical, warnings: notCompared(read) });
  },
};

/** The registrable domain only. */
export const urlDomain: Normaliser = {
  name: 'url-domain',
  version: 1,
  normalise(raw: JsonValue, options: NormaliserOptions): Normalised {
    const read = readUrl(raw, options);
    if (!read.ok) return read;
    const canonical = read.domain.registrable;
    return accepted(urlDomain, read, { canonical, warnings: notCompared(read) });
  },
};

interface WebAddress {
  readonly ok: true;
  readonly domain: Domain;
  /** As the URL parser prints it, without fragment. */
  readonly href: string;
  readonly folds: readonly NormaliserWarning[];
}

function readUrl(raw: JsonValue, options: NormaliserOptions): WebAddress | NormaliserRefusal {
  if (typeof raw !== 'string') return refuse('type', hint);
  if (raw.length > lengthMax) return refuse('too_long', hint);
  const bad = raw.search(outsideVisibleAscii);
  if (bad >= 0) return refuse('charset', hint, bad);
  if (!raw.startsWith(scheme)) return refuse('form', hint);
  const rest = raw.slice(scheme.length);
  const end = rest.search(endOfAuthority);
  const authority = end < 0 ? rest : rest.slice(0, end);
  const host = authority.endsWith(defaultPort)
    ? authority.slice(0, -defaultPort.length)
    : authority;
  const domain = parseDomain(host, options);
  if (!domain.ok) return refuse(domain.code, hint, scheme.length);
  const tail = end < 0 ? '' : rest.slice(end);
  return readTail(tail, { domain, host, authority });
}

interface Authority {
  readonly domain: Domain;
  readonly host: string;
  readonly authority: string;
}

/** Lets the URL parser print path and query, and names each way in which it changed them. */
function readTail(tail: string, { domain, host, authority }: Authority): WebAddress {
  const hash = tail.indexOf('#');
  const pathAndQuery = hash < 0 ? tail : tail.slice(0, hash);
  const href = new URL(`${scheme}${domain.ascii}${pathAndQuery}`).href;
  const folds: NormaliserWarning[] = [];
  if (host !== domain.ascii) folds.push('CASE_FOLDED');
  if (authority !== host) folds.push('DEFAULT_PORT_REMOVED');
  if (hash >= 0) folds.push('FRAGMENT_REMOVED');
  const printed = href.slice(scheme.length + domain.ascii.length);
  if (printed !== pathAndQuery && printed !== `/${pathAndQuery}`) folds.push('PATH_CHANGED');
  return { ok: true, domain, href, folds };
}

const notCompared = ({ domain, href }: WebAddress): NormaliserWarning[] =>
  href === `${scheme}${domain.ascii}/` ? [] : ['PATH_NOT_COMPARED'];

interface Form {
  readonly canonical: string;
  readonly warnings: readonly NormaliserWarning[];
}

function accepted(normaliser: Normaliser, read: WebAddress, form: Form): Normalised {
  const { domain, folds } = read;
  const decoded = domain.isIdn ? ` (${domain.unicode})` : '';
  return accept(normaliser, {
    canonical: form.canonical,
    display: `${form.canonical}${decoded}`,
    folds,
    warnings: [...domainWarnings(domain), ...form.warnings],
    tables: domainTables,
  });
}
