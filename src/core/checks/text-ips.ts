// IP addresses, dotted and colon form; integer and hex forms count as hosts of URLs.
import type { Found } from './text-entity.ts';
import { addFree } from './text-spans.ts';

const dotted = '(?:\\d{1,3}\\.){3}\\d{1,3}';
const v4 = new RegExp(`(?<![0-9A-Za-z.])${dotted}(?![0-9A-Za-z]|\\.\\d)`, 'gu');
const v6 = new RegExp(
  `(?<![0-9A-Za-z:.])(?:[0-9a-f]{0,4}:){2,7}(?:${dotted}|[0-9a-f]{1,4})?(?![0-9A-Za-z:])`,
  'giu',
);
// `version 1.2.3.4`, `section 4.1.2.3`
const numbering =
  /(?:\bv|version|release|build|section|chapter|kapitel|abschnitt|ziffer|§)[\s.:]*$/iu;

/** All IP addresses of a text. */
export function findIps(text: string): Found[] {
  const found = text.includes(':') ? findV6(text) : [];
  if (text.includes('.')) addFree(found, findV4(text));
  return found;
}

function findV4(text: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(v4)) {
    const parts = match[0].split('.').map(Number);
    if (parts.some((part) => part > 255)) continue;
    const before = text.slice(Math.max(0, match.index - 20), match.index);
    found.push({
      kind: 'ip',
      certainty: numbering.test(before) ? 'possible' : 'certain',
      start: match.index,
      end: match.index + match[0].length,
      canonical: parts.join('.'),
    });
  }
  return found;
}

function findV6(text: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(v6)) {
    const url = `http://[${match[0]}]/`;
    if (!/[0-9a-f]/iu.test(match[0]) || !URL.canParse(url)) continue;
    const canonical = new URL(url).hostname.slice(1, -1);
    const span = { start: match.index, end: match.index + match[0].length };
    found.push({ kind: 'ip', certainty: 'certain', ...span, canonical });
  }
  return found;
}
