// Writes test/vectors/text/{hidden,ordinary}.json, which are checked in and published.
//
//   node scripts/generate-text-vectors.ts && npm run format
//
// `misses` names the hidden rows that the rule is known not to find; the test fails when the list
// is not exactly true.
import { writeFileSync } from 'node:fs';
import { hiddenRows, missedRows } from './text-corpus/hidden.ts';
import { ordinaryRows, ordinaryTrust } from './text-corpus/ordinary.ts';

const folder = new URL('../test/vectors/text/', import.meta.url);
/** Hidden characters as escapes, so that a reader of the file sees them. */
const escaped = (content: unknown): string =>
  JSON.stringify(content, null, 1).replace(
    /[^\n\x20-\x7e\u00a1-\u00ac\u00ae-\u00ff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
const write = (name: string, content: unknown): void =>
  writeFileSync(new URL(name, folder), `${escaped(content)}\n`);

write('hidden.json', { trust: ordinaryTrust, misses: missedRows, rows: hiddenRows() });
write('ordinary.json', { trust: ordinaryTrust, rows: ordinaryRows() });
