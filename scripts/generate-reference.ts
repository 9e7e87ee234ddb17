// `node scripts/generate-reference.ts`: writes the pages of docs/reference that are made from tables
// of the source. A test compares what is checked in with what this would write.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codePage } from './reference-pages/code-page.ts';
import { commandPage } from './reference-pages/command-page.ts';

/** Path of each page from the root, and what makes its text. */
export const referencePages: ReadonlyMap<string, () => string | Promise<string>> = new Map<
  string,
  () => string | Promise<string>
>([
  ['docs/reference/reason-codes.md', codePage],
  ['docs/reference/cli.md', commandPage],
]);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, page] of referencePages) {
    writeFileSync(new URL(`../${path}`, import.meta.url), await page());
  }
}
