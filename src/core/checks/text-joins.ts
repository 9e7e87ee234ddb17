// Names pulled apart: one character at a time, or over the end of a line.
import { isTld } from './text-domains.ts';

// letters by range: this runs on every region, and what is no letter here only costs a closer look
const letter = '0-9A-Za-z\\u00c0-\\uffff';
const apart = `[^${letter}\\n]{1,3}`;
const spelledOut = new RegExp(
  `(?<![${letter}])[${letter}]${apart}[${letter}]${apart}[${letter}](?![${letter}])`,
  'u',
);
const everySecond = /(?<!\S)\S(?:([-_*|,;~+'"\\/])\S)(?:\1\S){2,}(?!\S)/gu;
const punctuationGap = /[-_*|,;~+'"\\/]/gu;
const singlesMin = 4;

/** Each run of single characters as one word per line; empty when the text has none. */
export function joinedSingles(text: string): string {
  if (!spelledOut.test(text)) return '';
  const lines = runsOfSingles(text);
  const spaced = text.replace(punctuationGap, ' ');
  return [...new Set([...lines, ...alternating(text), ...runsOfSingles(spaced)])].join('\n');
}

/** `e-v-i-l---s-i-t-e`: words in which every second character is one and the same sign. */
function alternating(text: string): string[] {
  return Array.from(text.matchAll(everySecond), ([word]) =>
    Array.from(word)
      .filter((_, index) => index % 2 === 0)
      .join(''),
  );
}

/** Runs of words whose letters and digits all stand alone, such as `e`, `.` and `l.c`. */
function runsOfSingles(text: string): string[] {
  const lines: string[] = [];
  let run: { text: string; gap: number; singles: number } | undefined;
  const close = (): void => {
    if (run !== undefined && run.singles >= singlesMin)
      lines.push(run.text, ...cutAtSuffix(run.text));
    run = undefined;
  };
  let end = 0;
  for (const { 0: word, index } of text.matchAll(/\S+/gu)) {
    const singles = countSingles(word);
    const gap = index - end;
    end = index + word.length;
    if (singles === undefined) close();
    else if (run === undefined) run = { text: word, gap: 0, singles };
    else {
      // a wider gap is the space between two words that are both pulled apart
      if (run.gap === 0) run.gap = gap;
      run.text += gap > run.gap ? ` ${word}` : word;
      run.singles += singles;
    }
  }
  close();
  return lines;
}

/** How many letters and digits a word has when each stands alone; undefined when two touch. */
function countSingles(word: string): number | undefined {
  if (word.length > 8 || /[\p{L}\p{N}]{2}/u.test(word)) return undefined;
  return word.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/** `evil.compaynow` ends in no suffix: also read with each suffix that its last label starts with. */
function cutAtSuffix(line: string): string[] {
  const cuts: string[] = [];
  for (const match of line.matchAll(/(?<=[\p{L}\p{N}]\.)\p{L}{2,30}/gu)) {
    for (let length = Math.min(match[0].length, 6); length >= 2; length -= 1) {
      const label = match[0].slice(0, length);
      if (isTld(label)) cuts.push(line.slice(0, match.index + length));
    }
  }
  return cuts.slice(0, singlesMin * 4);
}

const tokenLengthMax = 300;
const gapMax = 8;

/** The text with lines joined where the break falls inside a name, else the same text. */
export function unwrapped(text: string): string {
  let joined = '';
  let from = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    const before = lastToken(text, at);
    const after = firstToken(text, at + 1);
    if (at < from || !isInsideName(text.slice(before.start, before.end), after.token)) continue;
    joined += text.slice(from, before.end);
    from = after.start;
  }
  return joined + text.slice(from);
}

function lastToken(text: string, newline: number): { start: number; end: number } {
  let end = newline;
  while (end > newline - gapMax && /[ \t\r]/u.test(text.charAt(end - 1))) end -= 1;
  let start = end;
  while (start > end - tokenLengthMax && /\S/u.test(text.charAt(start - 1))) start -= 1;
  return { start, end };
}

function firstToken(text: string, from: number): { start: number; token: string } {
  let start = from;
  while (start < from + gapMax && /[ \t>|]/u.test(text.charAt(start))) start += 1;
  const token = text.slice(start, start + tokenLengthMax).replace(/\s.*$/su, '');
  return { start, token };
}

/** Whether a break between the two tokens can be a wrapped address. */
function isInsideName(before: string, after: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(before) || !/^[.@:/_?=&%\p{L}\p{N}-]/u.test(after)) return false;
  const isWhole = /[\p{L}\p{N}][.@][\p{L}\p{N}]|:\/\//u.test(after);
  if (/[.]$/u.test(before)) return !isWhole && /^[\p{Ll}\p{N}]/u.test(after);
  if (/[@/:_=%-]$/u.test(before)) return true;
  if (/^[.@:/_?=&%]/u.test(after)) return true;
  const tail = /\.([\p{L}\p{N}-]{1,24})$/u.exec(before)?.[1];
  const head = /^\p{L}{1,24}/u.exec(after)?.[0];
  return tail !== undefined && head !== undefined && !isTld(tail) && isTld(tail + head);
}
