// Benchmarks run on what users run: the built package, with the types of its source.

/** A module of `dist`; `path` without its ending, e.g. `server/prepare`. */
export function built<T>(path: string): Promise<T> {
  return import(new URL(`../dist/${path}.js`, import.meta.url).href) as Promise<T>;
}
