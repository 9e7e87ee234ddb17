// At level 2 a person types the end of who gets it: an approval out of habit fails at it.

/** Characters of the canonical value. */
const endLength = 4;

/** What has to be typed. */
const endOf = (canonical: string): string => [...canonical].slice(-endLength).join('');

/** Spaces, as people group long numbers, and the case of ASCII letters make no difference. */
export function isEnd(typed: string, canonical: string): boolean {
  return folded(typed) === folded(endOf(canonical));
}

const folded = (text: string): string =>
  text.replaceAll(' ', '').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
