// linkify-it over the words that our own recognisers left: it can add an entity, never excuse one.
import { LinkifyIt } from 'linkify-it';
import { tlds } from './tables/tlds.ts';
import type { Found } from './text-entity.ts';
import { withoutSpans } from './text-spans.ts';
import { urlCanonical } from './text-urls.ts';

let linkify: LinkifyIt | undefined;
const wordsLengthMax = 8192;
// a dot, colon or at sign inside a word that is not only a number
const addressLike = /[^\s.:@][.:@/]+[^\s.:@]/u;

/** A link as spelled; it has no place, because it was found among other words. */
export interface LeftLink {
  readonly found: Found;
  readonly spelled: string;
}

/** Links in `view` outside of `found`; undefined when it is too much to read. */
export function findLeftLinks(view: string, found: readonly Found[]): LeftLink[] | undefined {
  if (!addressLike.test(view)) return [];
  const words = withoutSpans(view, found)
    .split(/\s+/u)
    .filter((word) => addressLike.test(word) && /\p{L}/u.test(word))
    .join(' ');
  if (words === '') return [];
  if (words.length > wordsLengthMax) return undefined;
  linkify ??= new LinkifyIt({ fuzzyLink: true, fuzzyIP: true, tlds: tlds.join(' ').split(' ') });
  return (linkify.match(words) ?? []).map((match) => ({
    found: {
      kind: 'url',
      certainty: 'certain',
      start: 0,
      end: 0,
      ...urlCanonical(match.url),
    },
    spelled: match.raw,
  }));
}
