// Sets of code points from the checked-in tables, so that every runtime gives one answer.
// Decoded on first use: plain ASCII values never need them.
import { defaultIgnorable, scriptRuns, unassigned, wordCharacters } from './tables/code-points.ts';

interface Run {
  readonly start: number;
  readonly end: number;
}

/** An ordered set of code points. */
export interface CodePointSet {
  readonly has: (codePoint: number) => boolean;
  /** The set as the inside of a character class of a `u` regular expression. */
  readonly pattern: string;
}

function decodeRuns(items: readonly string[]): Run[] {
  const found: Run[] = [];
  let last = 0;
  for (const item of items) {
    const dash = item.indexOf('-');
    const start = last + Number.parseInt(item.slice(0, dash), 36);
    last = start + Number.parseInt(item.slice(dash + 1), 36);
    found.push({ start, end: last });
  }
  return found;
}

const splitLines = (lines: readonly string[]): string[] => lines.join(' ').split(' ');

/** The run that holds the code point: the last one that starts at or before it, if it reaches. */
function findRun<R extends Run>(runs: readonly R[], codePoint: number): R | undefined {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((runs[middle] as R).start <= codePoint) low = middle + 1;
    else high = middle;
  }
  const run = runs[low - 1];
  return run !== undefined && codePoint < run.end ? run : undefined;
}

const classRange = ({ start, end }: Run): string =>
  `\\u{${start.toString(16)}}-\\u{${(end - 1).toString(16)}}`;

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const lazySet = (lines: readonly string[]): (() => CodePointSet) =>
  once(() => {
    const runs = decodeRuns(splitLines(lines));
    return {
      has: (codePoint) => findRun(runs, codePoint) !== undefined,
      pattern: runs.map(classRange).join(''),
    };
  });

/** Code points that have no character in the tables' Unicode version. */
export const unassignedSet: () => CodePointSet = lazySet(unassigned);

/** Default_Ignorable_Code_Point: invisible by default (soft hyphen, zero width, tags, …). */
export const ignorableSet: () => CodePointSet = lazySet(defaultIgnorable);

/** Letters, marks and numbers: what a word is made of. */
export const wordSet: () => CodePointSet = lazySet(wordCharacters);

interface ScriptRun extends Run {
  readonly script: string;
}

const scriptTable = once((): ScriptRun[] => {
  const table: ScriptRun[] = [];
  let items: string[] = [];
  let script = '';
  const flush = (): void => {
    for (const run of decodeRuns(items)) table.push({ ...run, script });
    items = [];
  };
  for (const item of splitLines(scriptRuns)) {
    if (item.includes('-')) items.push(item);
    else {
      flush();
      script = item;
    }
  }
  flush();
  return table.sort((a, b) => a.start - b.start);
});

/** The script of a character; undefined for those that belong to no script of their own. */
export const scriptOf = (codePoint: number): string | undefined =>
  findRun(scriptTable(), codePoint)?.script;
