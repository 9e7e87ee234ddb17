// Bare domains: two or more labels, the last one a delegated top-level domain.

import { tlds } from './tables/tlds.ts';
import { dottedEnd, isLabelAt } from './text-characters.ts';
import type { Certainty, Found } from './text-entity.ts';
import { urlCanonical, urlEnd } from './text-urls.ts';

let tldSet: ReadonlySet<string> | undefined;

/** True for a delegated top-level domain, as A-label or U-label. */
export function isTld(label: string): boolean {
  tldSet ??= new Set(tlds.join(' ').split(' '));
  return tldSet.has(label.toLowerCase());
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Top-level domains that are common words, so that `ended.In the` looks like a domain. */
const wordTlds: ReadonlySet<string> = words(
  'ad ai all am an as at be best bo by call car care case company de do docs es et fit for gift ' +
    'global help here how id il im in info is it la land like live lt ma me mo money mt my name ' +
    'ne news no now on one pay plus red report sa sale se select shop show si so team tel to ' +
    'today top us vote work you your zone',
);
const fileTlds = words('md mov properties ps pub py rs sh zip');
const fileEndings = words(
  'bak bat cfg conf css csv dll doc docx eml epub exe gif gz heic htm html ics jpeg jpg js json ' +
    'key log mp3 mp4 msg odp ods odt pdf php png ppt pptx rar rtf svg tar tex tif tiff ts txt ' +
    'webp xls xlsm xlsx xml yaml yml',
);
const abbreviation = /^(?:(?:Co|CO)\.KG|[BM]\.Sc|[BM]\.Com|M\.Ed)$/u;
const timeOfDay = /^\d{1,2}\.[ap]m$/iu;
const labelLengthMax = 63;
const hostLengthMax = 253;

/** All domains of a text; with a port, path or query behind it, a domain is a URL. */
export function findDomains(text: string): Found[] {
  const found: Found[] = [];
  let floor = 0;
  let dot = text.indexOf('.');
  while (dot >= 0) {
    let next = dot + 1;
    if (isLabelAt(text, dot - 1) && isLabelAt(text, dot + 1)) {
      let start = dot;
      while (start > floor && isLabelAt(text, start - 1)) start -= 1;
      const end = dottedEnd(text, start);
      const domain = readDomain(text, start, end);
      if (domain !== undefined) found.push(domain);
      next = Math.max(end, domain?.end ?? end);
      floor = next;
    }
    dot = text.indexOf('.', next);
  }
  return found;
}

function readDomain(text: string, from: number, to: number): Found | undefined {
  const host = hostWithin(text, from, to);
  if (host === undefined) return undefined;
  const { start, end } = host;
  const name = text.slice(start, end);
  const last = name.slice(name.lastIndexOf('.') + 1);
  const isFile = fileTlds.has(last.toLowerCase());
  const next = text[end];
  const hasPath =
    next === '/' ||
    ((next === '?' || next === '#') && isLabelAt(text, end + 1)) ||
    (next === ':' && !isFile && /[0-9]/u.test(text.charAt(end + 1)));
  if (hasPath) {
    const tail = urlEnd(text, end);
    const canonical = urlCanonical(`https://${text.slice(start, tail)}`);
    return { kind: 'url', certainty: 'certain', start, end: tail, ...canonical };
  }
  const certainty = isFile ? 'possible' : certaintyOf(text, { start, end, to });
  return { kind: 'domain', certainty, start, end, ...hostCanonical(name) };
}

/** The longest part of a dotted token that ends in a top-level domain, edges trimmed. */
export function hostWithin(
  text: string,
  from: number,
  to: number,
): { readonly start: number; readonly end: number } | undefined {
  const token = text.slice(from, to);
  let start = 0;
  while (/[-_]/u.test(token.charAt(start))) start += 1;
  let end = token.length;
  for (let dot = token.lastIndexOf('.'); dot > start; dot = token.lastIndexOf('.', end - 1)) {
    if (end - dot - 1 <= labelLengthMax) {
      const label = token.slice(dot + 1, end).replace(/[-_]+$/u, '');
      if (isTld(label)) return { start: from + start, end: from + dot + 1 + label.length };
    }
    end = dot;
  }
  return undefined;
}

function certaintyOf(
  text: string,
  at: { readonly start: number; readonly end: number; readonly to: number },
): Certainty {
  const name = text.slice(at.start, at.end);
  const last = name.slice(name.lastIndexOf('.') + 1);
  const isSentenceStart = /^[A-Z][a-z]*$/u.test(last) && wordTlds.has(last.toLowerCase());
  if (isSentenceStart && name.indexOf('.') === name.lastIndexOf('.')) return 'possible';
  if (abbreviation.test(name) || timeOfDay.test(name)) return 'possible';
  const rest = text.slice(at.end, at.to);
  const ending = rest.slice(rest.lastIndexOf('.') + 1).toLowerCase();
  return rest.startsWith('.') && fileEndings.has(ending) ? 'possible' : 'certain';
}

/** The host as the URL standard reads it; none where it is not a host. */
export function hostCanonical(name: string): { readonly canonical?: string } {
  if (name.length > hostLengthMax) return {};
  if (/^[0-9A-Za-z.-]+$/u.test(name) && !/xn--/iu.test(name))
    return { canonical: name.toLowerCase() };
  const url = `http://${name}/`;
  return URL.canParse(url) ? { canonical: new URL(url).hostname } : {};
}
