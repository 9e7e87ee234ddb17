// URLs of any scheme, the forms browsers accept without slashes, and `www.` names.
import { isLabelAt } from './text-characters.ts';
import type { Found } from './text-entity.ts';

const schemeLengthMax = 32;
const schemeUnit = /[A-Za-z0-9+.-]/u;
// quotes of every style end a URL, as they do for mail programs
const urlRun = /[^\s<>"`{}|^«»“”„‘’]*/uy;
const trailing = /[.,;:!?'*_~…)\]]/u;
const special = /(?:https?|ftps?|wss?)$/iu;
const opaqueSchemes = [
  'javascript|vbscript|blob|magnet|callto|view-source|ms-[a-z]{2,20}',
  // `data: the list` is no URL
  'data(?=:[a-z]{2,12}/|:[;,])',
];
const opaque = new RegExp(`(?<![A-Za-z0-9])(?:${opaqueSchemes.join('|')}):(?=[^\\s:])`, 'giu');
const www = /(?<![\p{L}\p{N}])www\d?\.(?=[\p{L}\p{N}])/giu;
const urlLengthMax = 2048;

/** All URLs of a text, leftmost first and without overlap. */
export function findUrls(text: string): Found[] {
  const found: Found[] = [];
  let end = 0;
  for (const start of urlStarts(text)) {
    if (start.at < end) continue;
    end = urlEnd(text, start.body);
    if (end <= start.body) continue;
    const canonical = urlCanonical(start.prefix + text.slice(start.at, end));
    found.push({ kind: 'url', certainty: 'certain', start: start.at, end, ...canonical });
  }
  return found;
}

interface UrlStart {
  readonly at: number;
  /** Where the part behind the scheme begins. */
  readonly body: number;
  readonly prefix: string;
}

function urlStarts(text: string): UrlStart[] {
  const starts: UrlStart[] = [];
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    const start = schemeStart(text, colon);
    if (start !== undefined) starts.push(start);
  }
  for (const match of text.matchAll(opaque)) {
    starts.push({ at: match.index, body: match.index + match[0].length, prefix: '' });
  }
  for (const match of text.matchAll(www)) {
    starts.push({ at: match.index, body: match.index + match[0].length, prefix: 'https://' });
  }
  return starts.sort((a, b) => a.at - b.at);
}

/** `scheme://host`, with backslashes too, and `https:host`, which browsers complete. */
function schemeStart(text: string, colon: number): UrlStart | undefined {
  let body = colon + 1;
  while (text[body] === '/' || text[body] === '\\') body += 1;
  const slashes = body - colon - 1;
  const next = text.charAt(body);
  if (next !== '[' && !isLabelAt(text, body) && (slashes < 2 || /[\s<>"'`)\]]|^$/u.test(next))) {
    return undefined;
  }
  let at = colon;
  while (at > colon - schemeLengthMax && schemeUnit.test(text.charAt(at - 1))) at -= 1;
  const scheme = special.exec(text.slice(at, colon));
  if (scheme !== null) return { at: at + scheme.index, body, prefix: '' };
  while (at < colon && !/[A-Za-z]/u.test(text.charAt(at))) at += 1;
  return slashes >= 2 && colon - at >= 2 ? { at, body, prefix: '' } : undefined;
}

/** End of the URL characters from `from`, without the punctuation of the sentence around it. */
export function urlEnd(text: string, from: number): number {
  urlRun.lastIndex = from;
  urlRun.test(text);
  const run = text.slice(from, urlRun.lastIndex);
  const closed = new Set<string>();
  if (run.includes('(')) closed.add(')');
  if (run.includes('[')) closed.add(']');
  let length = run.length;
  while (
    length > 0 &&
    trailing.test(run.charAt(length - 1)) &&
    !closed.has(run.charAt(length - 1))
  ) {
    length -= 1;
  }
  return from + length;
}

/** What a browser would open, without the fragment; none where it would open nothing. */
export function urlCanonical(url: string): { readonly canonical?: string } {
  if (url.length > urlLengthMax || !URL.canParse(url)) return {};
  return { canonical: new URL(url).href.replace(/#.*$/su, '') };
}
