// `node scripts/generate-reference.ts`: writes the pages of docs/reference that are made from tables
// and schemas of the source. A test compares what is checked in with what this would write.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codePage } from './reference-pages/code-page.ts';
import { commandPage } from './reference-pages/command-page.ts';
import { configPage } from './reference-pages/config-page.ts';
import { configSchemaText } from './reference-pages/config-schema.ts';

/** Path of each page from the root, and what makes its text. */
export const referencePages: ReadonlyMap<string, () => string | Promise<string>> = new Map<
  string,
  () => string | Promise<string>
>([
  ['docs/reference/reason-codes.md', codePage],
  ['docs/reference/cli.md', commandPage],
  ['docs/reference/configuration.md', configPage],
  ['docs/reference/config.schema.json', configSchemaText],
  // The copy that the package ships.
  ['src/config/schemas/config.json', configSchemaText],
]);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, page] of referencePages) {
    writeFileSync(new URL(`../${path}`, import.meta.url), await page());
  }
}
