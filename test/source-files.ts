import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPrinter, createSourceFile, ScriptTarget } from 'typescript';

/** The folder of package.json, without a slash at its end. */
export const repositoryRoot: string = fileURLToPath(new URL('..', import.meta.url)).replace(
  /\/$/,
  '',
);

let listed: readonly string[] | undefined;

/** Files that git knows or would add, as paths from the root, below `folder` when given. */
export function repositoryFiles(folder = ''): readonly string[] {
  listed ??= execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(repositoryRoot, path)))
    .sort();
  return folder === '' ? listed : listed.filter((path) => path.startsWith(`${folder}/`));
}

/** TypeScript files below `folder` that are shipped: no test files. */
export function sourceFiles(folder: string): readonly string[] {
  return repositoryFiles(folder).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  );
}

/** The text of a file, by its path from the root. */
export function readRepositoryFile(path: string): string {
  return readFileSync(join(repositoryRoot, path), 'utf8');
}

const codeByText = new Map<string, string>();

/** The statements of a TypeScript text, printed afresh without comments. */
export function codeOf(text: string): string {
  const known = codeByText.get(text);
  if (known !== undefined) return known;
  const file = createSourceFile('code.ts', text, ScriptTarget.ESNext, true);
  const code = createPrinter({ removeComments: true }).printFile(file);
  codeByText.set(text, code);
  return code;
}
