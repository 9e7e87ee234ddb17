// Where a key stands in the file: `tools[2].params.amount.scale`.

/** Keys of tables and positions in lists, from the top of the file. */
export type KeyPath = readonly (string | number)[];

/** One problem at a key, to be completed with its line. */
export interface KeyProblem {
  readonly path: KeyPath;
  readonly message: string;
}

const bareKey = /^[A-Za-z0-9_-]+$/;

/** The path as people write it in TOML; keys that TOML quotes are quoted. */
export function pathText(path: KeyPath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    const key = bareKey.test(step) ? step : JSON.stringify(step);
    return text === '' ? key : `${text}.${key}`;
  }, '');
}
