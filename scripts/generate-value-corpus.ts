// Writes the value corpus, test/vectors/values/*.json, which is checked in and published.
//
//   node scripts/generate-value-corpus.ts && npm run format
//
// Every row says what must happen by a rule of its own, not by asking the normalisers. The same
// rows come out of every run.
import { writeFileSync } from 'node:fs';
import { honestSpellings } from './value-corpus/honest-spellings.ts';
import { type CorpusRow, hostileSpellings } from './value-corpus/hostile-spellings.ts';
import { identityCases } from './value-corpus/identity-cases.ts';
import { naughtyTexts } from './value-corpus/naughty-texts.ts';
import { quantityCases } from './value-corpus/quantity-cases.ts';
import { attackerValues, trustedValues } from './value-corpus/trusted-values.ts';

/** Hidden characters as escapes, so that a reader of the file sees them. */
const escaped = (row: CorpusRow): string =>
  JSON.stringify(row).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function write(name: string, rows: readonly CorpusRow[]): void {
  const file = new URL(`../test/vectors/values/${name}.json`, import.meta.url);
  writeFileSync(file, `[\n${rows.map(escaped).join(',\n')}\n]\n`);
  console.log(`${name}: ${rows.length} rows`);
}

const attackers = trustedValues.flatMap((trusted): CorpusRow[] =>
  (attackerValues[trusted.type] ?? []).map((raw) => ({
    type: trusted.type,
    raw,
    expect: { differs: true },
    trusted: trusted.canonical,
    note: 'valid, of somebody else',
  })),
);

/** One trusted value of each type against every naughty text. */
const naughty = trustedValues
  .filter(({ type }, at) => trustedValues.findIndex((each) => each.type === type) === at)
  .flatMap(({ type, canonical: trusted }): CorpusRow[] =>
    naughtyTexts.map((raw) => ({ type, raw, expect: { differs: true }, trusted, note: 'naughty' })),
  );

for (const kind of ['iban', 'email', 'domain', 'url', 'keyword']) {
  const types = kind === 'keyword' ? ['lower', 'exact'] : [kind];
  const isKind = (type: string): boolean =>
    types.some((each) => type === each || type.startsWith(`${each}-`));
  const rows = trustedValues.filter(({ type }) => isKind(type)).flatMap(hostileSpellings);
  write(`hostile-${kind}`, [...rows, ...attackers.filter(({ type }) => isKind(type))]);
}
write('hostile-naughty', naughty);
write('refused', [...identityCases, ...quantityCases]);
write('honest', honestSpellings);
