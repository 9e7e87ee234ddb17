// The members of one large JSON object, some at a time, so that a process can answer in between.

/** A run of whole members, without the braces around them. */
export interface MemberRun {
  readonly text: string;
  /** Where it begins in the file, in UTF-16 units. */
  readonly at: number;
}

/** Members per run: parsed in a few milliseconds. */
const runMembers = 1_000;
const structural = /["{}[\],]/g;

/**
 * Cuts at commas between members; what is inside a run is left to a strict parser. Returns false
 * for a text that is not one object from the first brace to the last.
 */
export function* memberRuns(text: string): Generator<MemberRun, boolean> {
  const open = /^\s*\{/.exec(text)?.[0].length;
  if (open === undefined) return false;
  let start = open;
  let members = 0;
  for (const { mark, at } of outerMarks(text, open)) {
    if (mark === '}') {
      const run = text.slice(start, at);
      const isAfterComma = start > open && run.trim() === '';
      if (isAfterComma || text.slice(at + 1).trim() !== '') return false;
      yield { text: run, at: start };
      return true;
    }
    members += 1;
    if (members % runMembers === 0) {
      yield { text: text.slice(start, at), at: start };
      start = at + 1;
    }
  }
  return false;
}

/** The commas between members, and the brace that ends the object. */
function* outerMarks(
  text: string,
  from: number,
): Generator<{ readonly mark: string; readonly at: number }> {
  let depth = 0;
  for (let at = nextMark(text, from); at >= 0; at = nextMark(text, at + 1)) {
    const mark = text.charAt(at);
    if (mark === '"') {
      at = closingQuote(text, at);
      if (at < 0) return;
    } else if (depth === 0 && (mark === ',' || mark === '}')) yield { mark, at };
    else depth += steps[mark] ?? 0;
  }
}

const steps: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };

function nextMark(text: string, from: number): number {
  structural.lastIndex = from;
  return structural.exec(text)?.index ?? -1;
}

/** Index of the quote that ends the text which begins at `open`. */
function closingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charAt(at - 1 - slashes) === '\\') slashes += 1;
  return slashes % 2 === 1;
}
