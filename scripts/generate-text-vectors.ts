// Writes test/vectors/text/{hidden,ordinary}.json, which are checked in.
//
//   node scripts/generate-text-vectors.ts
//
// `misses` names the hidden rows that the rule is known not to find; the test fails when the list
// is not exactly true.
import { writeFileSync } from 'node:fs';
import { hiddenRows, missedRows } from './text-vectors-hidden.ts';

const folder = new URL('../test/vectors/text/', import.meta.url);
const write = (name: string, content: unknown): void =>
  writeFileSync(new URL(name, folder), `${JSON.stringify(content, null, 1)}\n`);

write('hidden.json', { misses: missedRows, rows: hiddenRows() });
