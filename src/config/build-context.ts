// What every part of the configuration is built with.
import { resolve } from 'node:path';
import type { Config, Environment } from './config.ts';
import type { KeyPath, KeyProblem } from './key-path.ts';

/** Where the file is and what was found wrong so far. */
export interface BuildContext {
  readonly file: string;
  readonly folder: string;
  readonly digest: string;
  readonly environment: Environment;
  readonly placeOf: Config['placeOf'];
  readonly problems: KeyProblem[];
  readonly warnings: string[];
}

/** Names of the registries that the file has. */
export type Registries = ReadonlySet<string>;

/** Adds a problem below one key. */
export type Report = (path: KeyPath, message: string) => void;

/** Reports with paths that begin at `start`. */
export function reporter({ problems }: Pick<BuildContext, 'problems'>, start: KeyPath): Report {
  return (path, message) => {
    problems.push({ path: [...start, ...path], message });
  };
}

/** Paths of the file are relative to its folder. */
export function absolute(folder: string, path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(folder, path);
}
