// Character classes of the outbound-text rule, by UTF-16 unit because they run on every character.

const asciiLabel = /[0-9A-Za-z_-]/u;
const otherLabel = /[\p{L}\p{M}\p{N}]/u;
// 0 = not asked yet, 1 = part of a label, 2 = not
const classes = new Uint8Array(0x10000);

/** True for a unit that can stand in a domain label of any script. */
function isLabelUnit(unit: number): boolean {
  const known = classes[unit] ?? 2;
  if (known !== 0) return known === 1;
  const label = unit < 0x80 ? asciiLabel : otherLabel;
  // halves of a pair count: emoji and rare scripts stand in domain names too
  const part = (unit >= 0xd800 && unit <= 0xdfff) || label.test(String.fromCharCode(unit));
  classes[unit] = part ? 1 : 2;
  return part;
}

/** True when the text has a label character at `at`; false outside the text. */
export const isLabelAt = (text: string, at: number): boolean => isLabelUnit(text.charCodeAt(at));

/** End of the dotted name that starts at `start`: labels joined by single dots. */
export function dottedEnd(text: string, start: number): number {
  let end = start;
  while (isLabelAt(text, end) || (text[end] === '.' && end > start && isLabelAt(text, end + 1))) {
    end += 1;
  }
  return end;
}

const wordUnit = /[\p{L}\p{N}]/u;

/** True when a letter or digit stands at `at`. */
export const isWordAt = (text: string, at: number): boolean => wordUnit.test(text.charAt(at));

/** True for white space at `at`. */
export function isSpaceAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit <= 0x20 || (unit >= 0xa0 && /\s/u.test(text.charAt(at)));
}
