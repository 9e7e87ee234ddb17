// Sequences of keys that earlier objects had. Messages repeat their shapes, so a key that follows
// in a known sequence needs neither a new string nor a search for its double. Only a memory of
// keys already checked: what is read never depends on it.

/** The keys from the root to here are distinct and allowed. */
export interface KeyShape {
  readonly key: string;
  /** The last key seen after this one, by its first character. */
  readonly next: (KeyShape | undefined)[];
}

/** Keeps what hostile documents can leave behind below a few hundred KiB. */
const shapesMax = 2048;
const keyLengthMax = 64;
export const shapeMask = 7;

/**
 * A key with one of these stands in a text by an escape only. Remembered, it would be found again
 * where the same units stand unescaped: `a":1,"b` in `{"a":1,"b":2}`.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const escapedUnit = /["\\\x00-\x1f]/;

const emptyShape = (key: string): KeyShape => ({ key, next: [] });
let root = emptyShape('');
let shapes = 0;

/** Where every object starts. */
export const rootShape = (): KeyShape => root;

/** Notes a key that was checked against all keys before it in the same object. */
export function followKey(shape: KeyShape, key: string): KeyShape {
  const next = emptyShape(key);
  if (key.length > keyLengthMax || escapedUnit.test(key)) return next;
  if (shapes >= shapesMax) {
    root = emptyShape('');
    shapes = 0;
  }
  shapes += 1;
  shape.next[key.charCodeAt(0) & shapeMask] = next;
  return next;
}

/** True when exactly this key and its closing quote stand in the text. */
export function isKeyAt(text: string, start: number, key: string): boolean {
  for (let at = 0; at < key.length; at += 1) {
    if (text.charCodeAt(start + at) !== key.charCodeAt(at)) return false;
  }
  return text.charCodeAt(start + key.length) === 0x22;
}
