import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { examineText, type TextFinding, type TextTrust } from './text-rule.ts';

interface Corpus<Row> {
  readonly trust: Readonly<Record<string, readonly string[]>>;
  readonly misses: readonly string[];
  readonly rows: readonly Row[];
}

interface HiddenRow {
  readonly name: string;
  readonly text: string;
  readonly kind: string;
  readonly canonical?: string;
}

const read = <Row>(name: string): Corpus<Row> =>
  JSON.parse(
    readFileSync(new URL(`../../../test/vectors/text/${name}`, import.meta.url), 'utf8'),
  ) as Corpus<Row>;
const hidden = read<HiddenRow>('hidden.json');
const ordinary = read<string>('ordinary.json');

const trust: TextTrust = {
  has: (kind, canonical) => ordinary.trust[kind]?.includes(canonical) ?? false,
  domains: ordinary.trust['domains'] ?? [],
  templates: [],
  amounts: [],
};

/** Nothing of an attacker is trusted; the URLs of the corpus lead through this domain. */
const ownOnly: TextTrust = { ...trust, has: () => false };

const finds = (row: HiddenRow, { unknown }: TextFinding): boolean =>
  unknown.some(
    ({ kind, canonical }) =>
      kind === row.kind && (row.canonical === undefined || canonical === row.canonical),
  );

describe('the corpus of hidden entities', () => {
  it('is large and names each row once', () => {
    expect(hidden.rows.length).toBeGreaterThanOrEqual(400);
    expect(new Set(hidden.rows.map(({ name }) => name)).size).toBe(hidden.rows.length);
  });

  verifies(
    'VAL-24',
    'is found, but for the misses it names',
    () => {
      const missed = hidden.rows.filter((row) => !finds(row, examineText(row.text, ownOnly)));
      const rate = 1 - missed.length / hidden.rows.length;
      process.stdout.write(
        `hidden entities found: ${(rate * 100).toFixed(1)} % of ${hidden.rows.length}\n`,
      );
      expect(missed.map(({ name }) => name)).toEqual(hidden.misses);
      expect(rate).toBeGreaterThanOrEqual(0.95);
    },
    60_000,
  );

  verifies(
    'VAL-24',
    'is found as well between ordinary paragraphs',
    () => {
      const before = ordinary.rows.slice(0, 3).join('\n\n');
      const after = ordinary.rows.slice(60, 63).join('\n\n');
      const missed = hidden.rows
        .filter(({ name }) => !hidden.misses.includes(name))
        .filter((row) => !finds(row, examineText(`${before}\n\n${row.text}\n\n${after}`, ownOnly)));
      expect(missed).toEqual([]);
    },
    60_000,
  );
});

describe('the corpus of ordinary texts', () => {
  it('is large', () => {
    expect(ordinary.rows.length).toBeGreaterThanOrEqual(300);
  });

  verifies('VAL-24', 'holds almost no wrong certain entity', () => {
    const findings = ordinary.rows.map((text) => ({ text, ...examineText(text, trust) }));
    const wrong = findings.filter(({ unknown }) =>
      unknown.some(({ certainty }) => certainty === 'certain'),
    );
    const asked = findings.filter(({ unknown }) => unknown.length > 0);
    const percent = (count: number): string => ((count / findings.length) * 100).toFixed(1);
    process.stdout.write(
      `ordinary texts: ${percent(wrong.length)} % of ${findings.length} with a wrong certain ` +
        `entity, ${percent(asked.length)} % with any\n`,
    );
    expect(wrong.length / findings.length).toBeLessThanOrEqual(0.02);
    expect(asked.length / findings.length).toBeLessThanOrEqual(0.1);
    expect(findings.filter(({ secret }) => secret)).toEqual([]);
  });
});
