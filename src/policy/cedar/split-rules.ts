// Cuts a policy file into its rules, so that each rule has its own place and its own parse errors.
// Only strings, comments and `;` matter for that; everything else is left to Cedar.

/** One rule's text, without what stands before it, and where it starts. */
export interface RuleText {
  readonly text: string;
  readonly offset: number;
}

/** 1-based place in a file. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

// A byte order mark counts as white space; Cedar itself would refuse it.
const whiteSpace = /[\s\u0085]/u;

/** The rules of a file, in order; also a last one without `;`: Cedar says what is wrong. */
export function splitRules(fileText: string): readonly RuleText[] {
  const rules: RuleText[] = [];
  let start = skipBlank(fileText, 0);
  while (start < fileText.length) {
    const end = endOfRule(fileText, start);
    rules.push({ text: fileText.slice(start, end), offset: start });
    start = skipBlank(fileText, end);
  }
  return rules;
}

/** Line and column of a character. */
export function placeAt(fileText: string, offset: number): Place {
  const before = fileText.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}

/** Cedar counts UTF-8 bytes; editors and JavaScript count characters. */
export function charOffset(text: string, byteOffset: number): number {
  return Buffer.from(text, 'utf8').subarray(0, byteOffset).toString('utf8').length;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    if (text.startsWith('//', at)) at = endOfComment(text, at);
    else if (whiteSpace.test(text.charAt(at))) at += 1;
    else return at;
  }
  return at;
}

function endOfRule(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === ';') return at + 1;
    if (char === '"') at = endOfString(text, at);
    else if (text.startsWith('//', at)) at = endOfComment(text, at);
    else at += 1;
  }
  return at;
}

// In Cedar a carriage return alone ends a comment too.
function endOfComment(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charAt(at) !== '\n' && text.charAt(at) !== '\r') at += 1;
  return at;
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
  return at + 1;
}
