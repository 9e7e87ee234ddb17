// Facts that may not leave: found as written, in other case, spaced, reversed or in two parts.
import { foldText, imitatedText } from './text-fold.ts';

const squeezedMin = 4;
const partMin = 4;

const letters = (text: string): string => imitatedText(foldText(text)).toLowerCase();
const squeeze = (text: string): string => letters(text).replace(/[^\p{L}\p{N}]/gu, '');
const reverse = (text: string): string => [...text].reverse().join('');

/** True when a text gives one of the facts away. */
export function holdsConfidential(text: string, facts: readonly string[]): boolean {
  const squeezed = squeeze(text);
  return facts.some((fact) => {
    const bare = squeeze(fact);
    if (bare.length === 0) return false;
    if (bare.length < squeezedMin) return standsAlone(text, bare);
    return [bare, reverse(bare)].some((each) => squeezed.includes(each) || isSplit(squeezed, each));
  });
}

/** A security code of three digits is only found as a word of its own. */
function standsAlone(text: string, bare: string): boolean {
  const words = letters(text).split(/[^\p{L}\p{N}]+/u);
  return words.includes(bare) || words.includes(reverse(bare));
}

/** Both parts of the fact are there, in either order, with anything between them. */
function isSplit(squeezed: string, bare: string): boolean {
  for (let at = partMin; at <= bare.length - partMin; at += 1) {
    if (squeezed.includes(bare.slice(0, at)) && squeezed.includes(bare.slice(at))) return true;
  }
  return false;
}
