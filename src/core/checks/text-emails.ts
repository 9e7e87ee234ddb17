// Mail addresses: everything around an `@` that a mail program would take for one.
import { dottedEnd, isLabelAt } from './text-characters.ts';
import { hostCanonical, hostWithin } from './text-domains.ts';
import type { Found } from './text-entity.ts';

const localLengthMax = 64;
const localUnit = /[A-Za-z0-9._%+'-]/u;
// characters that stand in a local part by the standard and around an address by habit
const doubtful = /[!#$&*/=?^{|}~`]/u;
const quotedLengthMax = 100;

/** All mail addresses of a text; a bare `@name` is none. */
export function findEmails(text: string): Found[] {
  const found: Found[] = [];
  let floor = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const email = readEmail(text, at, floor);
    if (email === undefined) continue;
    found.push(email);
    floor = email.end;
  }
  return found;
}

function readEmail(text: string, at: number, floor: number): Found | undefined {
  const start = localStart(text, at, floor);
  if (start === at) return undefined;
  const literal = /^\[[0-9A-Za-z:.]{3,60}\]/u.exec(text.slice(at + 1, at + 64));
  if (literal !== null) {
    return { kind: 'email', certainty: 'certain', start, end: at + 1 + literal[0].length };
  }
  const to = dottedEnd(text, at + 1);
  const host = hostWithin(text, at + 1, to);
  if (host === undefined) return nameWithoutSuffix(text, { start, at, to });
  const found = { kind: 'email', certainty: 'certain', start, end: host.end } as const;
  // `a@-good.com` is not the address at good.com
  if (host.start !== at + 1 || isDoubtful(text, start)) return found;
  const domain = hostCanonical(text.slice(host.start, host.end)).canonical;
  const local = text.slice(start, at);
  const isPlain = /^[A-Za-z0-9_+'%-]+(?:\.[A-Za-z0-9_+'%-]+)*$/u.test(local);
  return domain === undefined || !isPlain
    ? found
    : { ...found, canonical: `${local.toLowerCase()}@${domain}` };
}

/** Where the local part begins; a quoted one counts from its first quote. */
function localStart(text: string, at: number, floor: number): number {
  let start = at;
  if (text[at - 1] === '"') {
    const quote = text.lastIndexOf('"', at - 2);
    return quote >= Math.max(floor, at - quotedLengthMax) ? quote : at - 1;
  }
  const least = Math.max(floor, at - localLengthMax);
  while (start > least && (localUnit.test(text.charAt(start - 1)) || isLabelAt(text, start - 1))) {
    start -= 1;
  }
  while (start < at && /[.'%+-]/u.test(text.charAt(start))) start += 1;
  return start;
}

const isDoubtful = (text: string, start: number): boolean =>
  doubtful.test(text.charAt(start - 1)) && isLabelAt(text, start - 2);

/** `user@intranet`: an address only inside some network. */
function nameWithoutSuffix(
  text: string,
  part: { readonly start: number; readonly at: number; readonly to: number },
): Found | undefined {
  const domain = text.slice(part.at + 1, part.to);
  if (!/^\p{L}[\p{L}\p{N}-]*[\p{L}\p{N}](?:\.|$)/u.test(domain)) return undefined;
  return { kind: 'email', certainty: 'possible', start: part.start, end: part.to };
}
