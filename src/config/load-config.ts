// A file becomes a configuration, or a list of everything that is wrong with it. Nothing is started here.
import { dirname, resolve } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { err, ok, type Result } from '../core/result.ts';
import { sha256Hex } from '../core/sha256.ts';
import { buildConfig } from './build-config.ts';
import type { BuildContext } from './build-context.ts';
import type { Config, ConfigPlace, ConfigProblem, Environment } from './config.ts';
import { expandTexts } from './expand-text.ts';
import { type KeyPath, type KeyProblem, pathText } from './key-path.ts';
import { readShape } from './read-shape.ts';
import { readTextFile } from './read-text-file.ts';
import { type KeyLines, locateKeys } from './toml-lines.ts';

export interface LoadOptions {
  readonly environment: Environment;
  /** Unknown keys are warnings, except inside `[tools.params]`. */
  readonly lenient?: boolean;
}

/** Nesting of lists and inline tables. */
const depthMax = 32;

/** Reads, checks and completes the file; all problems together, in the order of their lines. */
export function loadConfig(
  path: string,
  options: LoadOptions,
): Result<Config, readonly ConfigProblem[]> {
  const file = resolve(path);
  const text = readTextFile(file, options.environment.platform);
  if (!text.ok) return err([{ file, message: `the file ${text.error}` }]);
  const document = parseToml(file, text.value);
  if (!document.ok) return document;
  return build(document.value, { file, text: text.value, options });
}

function parseToml(file: string, text: string): Result<unknown, readonly ConfigProblem[]> {
  try {
    return ok(
      parse(text, {
        integersAsBigInt: 'asNeeded',
        unsafeKeyBehaviour: 'throw',
        maxDepth: depthMax,
      }),
    );
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // Only the first line of the message: the others repeat the file, which may hold secrets.
    const [first = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    const message = first.includes('unsafe property')
      ? '`__proto__` and `constructor` cannot be keys: rename it'
      : first;
    return err([{ file, line: error.line, message: `${message} (column ${error.column})` }]);
  }
}

interface Loading {
  readonly file: string;
  readonly text: string;
  readonly options: LoadOptions;
}

function build(document: unknown, loading: Loading): Result<Config, readonly ConfigProblem[]> {
  const { file, text, options } = loading;
  const { environment, lenient = false } = options;
  const problems: KeyProblem[] = [];
  const expanded = expandTexts(document, { environment, problems });
  const read = readShape(expanded, { lenient });
  const placeOf = places(file, text);
  const context: BuildContext = {
    file,
    folder: dirname(file),
    digest: sha256Hex(text),
    environment,
    placeOf,
    problems: [],
    warnings: [...read.warnings],
  };
  const config = read.shape === undefined ? undefined : buildConfig(read.shape, context);
  problems.push(...read.problems);
  problems.push(...context.problems.filter(({ path }) => !read.isDoubtful(path)));
  if (config !== undefined && problems.length === 0) return ok(config);
  return err(inOrder(problems, placeOf));
}

/** The lines are only looked for when somebody asks. */
function places(file: string, text: string): Config['placeOf'] {
  let lines: KeyLines | undefined;
  return (path: KeyPath): ConfigPlace => {
    lines ??= locateKeys(text);
    const line = lines.lineOf(path);
    const key = pathText(path);
    return { file, ...(line === undefined ? {} : { line }), ...(key === '' ? {} : { key }) };
  };
}

function inOrder(
  problems: readonly KeyProblem[],
  placeOf: Config['placeOf'],
): readonly ConfigProblem[] {
  return problems
    .map(({ path, message }) => ({ ...placeOf(path), message }))
    .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
}
