// In which line each key of a TOML file stands. The parser keeps no places, so this walks the text
// again; it is only asked about texts that the parser took.
import type { KeyPath } from './key-path.ts';

/** Key path → 1-based line of its key, header or list item. */
export interface KeyLines {
  /** The line of the key, else that of the nearest table or key that holds it. */
  lineOf(path: KeyPath): number | undefined;
}

/** Finds every key of the text. */
export function locateKeys(text: string): KeyLines {
  const lines = new Map<string, number>();
  new TomlWalk(text, (path, line) => {
    const key = JSON.stringify(path);
    if (!lines.has(key)) lines.set(key, line);
  }).walk();
  return {
    lineOf: (path) => {
      for (let length = path.length; length > 0; length -= 1) {
        const line = lines.get(JSON.stringify(path.slice(0, length)));
        if (line !== undefined) return line;
      }
      return undefined;
    },
  };
}

type Found = (path: KeyPath, line: number) => void;

const blank = /(?:\s|#[^\n]*)*/y;
const bareKey = /[A-Za-z0-9_-]+/y;
const bareValue = /[^,\]}#\n]*/y;
const quoted = /"""|'''|"|'/y;

class TomlWalk {
  readonly #text: string;
  readonly #found: Found;
  /** Items so far of each list of tables. */
  readonly #counts = new Map<string, number>();
  #at = 0;
  #line = 1;
  #lineAt = 0;

  constructor(text: string, found: Found) {
    this.#text = text;
    this.#found = found;
  }

  walk(): void {
    let table: KeyPath = [];
    for (this.#skipBlank(); this.#at < this.#text.length; this.#skipBlank()) {
      if (this.#peek() === '[') table = this.#header();
      else this.#member(table);
    }
  }

  /** `[a.b]` or `[[a.b]]`: names with the positions of the lists that they lead through. */
  #header(): KeyPath {
    const line = this.#currentLine();
    const isList = this.#text.startsWith('[[', this.#at);
    this.#at += isList ? 2 : 1;
    const keys = this.#keys();
    this.#at += isList ? 2 : 1;
    const path: (string | number)[] = [];
    for (const [depth, key] of keys.entries()) {
      path.push(key);
      this.#found([...path], line);
      const position = this.#position(path, isList && depth === keys.length - 1);
      if (position !== undefined) path.push(position);
    }
    this.#found([...path], line);
    return path;
  }

  /** The current item of a list of tables, or the next one when the header opens it. */
  #position(path: KeyPath, opens: boolean): number | undefined {
    const key = JSON.stringify(path);
    const count = this.#counts.get(key);
    if (!opens) return count;
    const next = count === undefined ? 0 : count + 1;
    this.#counts.set(key, next);
    return next;
  }

  #member(table: KeyPath): void {
    const line = this.#currentLine();
    const path = [...table];
    for (const key of this.#keys()) {
      path.push(key);
      this.#found([...path], line);
    }
    this.#at += 1;
    this.#value(path);
  }

  /** Dotted keys, bare or quoted, up to what is no key any more. */
  #keys(): readonly string[] {
    const keys: string[] = [];
    for (;;) {
      this.#skipBlank();
      keys.push(this.#key());
      this.#skipBlank();
      if (this.#peek() !== '.') return keys;
      this.#at += 1;
    }
  }

  #key(): string {
    const mark = this.#peek();
    if (mark !== '"' && mark !== "'") return this.#take(bareKey);
    const start = this.#at;
    this.#skipText();
    const text = this.#text.slice(start, this.#at);
    return mark === "'" ? text.slice(1, -1) : (parseQuoted(text) ?? text);
  }

  #value(path: KeyPath): void {
    this.#skipBlank();
    const mark = this.#peek();
    if (mark === '[') this.#items(path);
    else if (mark === '{') this.#inlineTable(path);
    else if (mark === '"' || mark === "'") this.#skipText();
    else this.#take(bareValue);
  }

  #items(path: KeyPath): void {
    this.#at += 1;
    for (let index = 0; this.#isInside(']'); index += 1) {
      const start = this.#at;
      this.#found([...path, index], this.#currentLine());
      this.#value([...path, index]);
      this.#skipComma();
      // INVARIANT: the parser took this text, so an item takes some of it; without one there is no end.
      if (this.#at === start) this.#at = this.#text.length;
    }
  }

  #inlineTable(path: KeyPath): void {
    this.#at += 1;
    while (this.#isInside('}')) {
      this.#member(path);
      this.#skipComma();
    }
  }

  /** False at the end mark, which is taken. */
  #isInside(end: string): boolean {
    this.#skipBlank();
    if (this.#at >= this.#text.length) return false;
    if (this.#peek() !== end) return true;
    this.#at += 1;
    return false;
  }

  #skipComma(): void {
    this.#skipBlank();
    if (this.#peek() === ',') this.#at += 1;
  }

  /** A text in one of the four kinds of quotes. */
  #skipText(): void {
    const mark = this.#take(quoted);
    const isBasic = mark.startsWith('"');
    while (this.#at < this.#text.length && !this.#text.startsWith(mark, this.#at)) {
      this.#at += isBasic && this.#peek() === '\\' ? 2 : 1;
    }
    this.#at += mark.length;
    // Up to two quotes may stand before the closing three.
    while (mark.length === 3 && this.#peek() === mark.charAt(0)) this.#at += 1;
  }

  #skipBlank(): void {
    this.#take(blank);
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const taken = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += taken.length;
    return taken;
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #currentLine(): number {
    for (; this.#lineAt < this.#at; this.#lineAt += 1) {
      if (this.#text.charAt(this.#lineAt) === '\n') this.#line += 1;
    }
    return this.#line;
  }
}

/** TOML's escapes are those of JSON, and two longer ones that no key needs a line for. */
function parseQuoted(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}
