// Reads JSON the way Python does, straight into its canonical text: numbers keep their source
// text, because no JavaScript number prints every Python float the same way.
import { hashedLayout, joinMembers, pythonString } from './python-json.ts';

/** Members of an object in source order, each with its canonical text. */
export type CanonicalMembers = ReadonlyMap<string, string>;

/** Deepest nesting that is read: Python's writer stops at about a thousand. */
const depthMax = 500;

/**
 * The members of the one object that the text holds; undefined when it holds anything else.
 * Accepts what Python writes beyond JSON: NaN, Infinity, lone surrogates.
 */
export function readPythonObject(text: string): CanonicalMembers | undefined {
  const reader = new PythonJsonReader(text);
  try {
    return reader.readDocument();
  } catch {
    // The reader throws `malformed` and nothing else.
    return undefined;
  }
}

/** Thrown inside the reader only; one object, because what is wrong is not told. */
const malformed = new Error('malformed');

const space = /[ \t\r\n]*/y;
const word = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|-?Infinity|NaN|true|false|null/y;

class PythonJsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readDocument(): CanonicalMembers {
    this.#match(space);
    const members = this.#readMembers(0);
    if (this.#at !== this.#text.length) throw malformed;
    return members;
  }

  #readValue(depth: number): string {
    if (depth > depthMax) throw malformed;
    const first = this.#text[this.#at];
    if (first === '{') return joinMembers([...this.#readMembers(depth)], hashedLayout);
    if (first === '[') return this.#readList(depth);
    return first === '"' ? pythonString(this.#readString()) : this.#readWord();
  }

  #readMembers(depth: number): CanonicalMembers {
    const members = new Map<string, string>();
    this.#readItems('{}', () => {
      const key = this.#readString();
      // Python keeps the last of two; a chain that needs one is not read.
      if (members.has(key)) throw malformed;
      this.#take(':');
      members.set(key, this.#readValue(depth + 1));
    });
    return members;
  }

  #readList(depth: number): string {
    const items: string[] = [];
    this.#readItems('[]', () => items.push(this.#readValue(depth + 1)));
    return `[${items.join(hashedLayout.item)}]`;
  }

  #readItems(brackets: '{}' | '[]', readItem: () => void): void {
    const [open, close] = brackets;
    this.#take(open as string);
    if (this.#text[this.#at] !== close) {
      readItem();
      this.#match(space);
      while (this.#text[this.#at] === ',') {
        this.#take(',');
        readItem();
        this.#match(space);
      }
    }
    this.#take(close as string);
  }

  #readString(): string {
    const start = this.#at;
    if (this.#text[start] !== '"') throw malformed;
    let end = start;
    do {
      end = this.#text.indexOf('"', end + 1);
      if (end < 0) throw malformed;
    } while (this.#isEscaped(end));
    this.#at = end + 1;
    try {
      return JSON.parse(this.#text.slice(start, end + 1)) as string;
    } catch {
      throw malformed;
    }
  }

  #isEscaped(at: number): boolean {
    let backslashes = 0;
    while (this.#text[at - 1 - backslashes] === '\\') backslashes += 1;
    return backslashes % 2 === 1;
  }

  #readWord(): string {
    const source = this.#match(word);
    if (source === '') throw malformed;
    return source;
  }

  #take(character: string): void {
    this.#match(space);
    if (this.#text[this.#at] !== character) throw malformed;
    this.#at += 1;
    this.#match(space);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }
}
