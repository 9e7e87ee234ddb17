import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import type { JsonValue } from '../json-value.ts';
import { checkCritical, isIgnorable } from './hygiene.ts';
import { type Normalised, normalisers } from './normalisers.ts';

const options = { currency: 'EUR', zone: 'Europe/Berlin' };
const seeds: Readonly<Record<string, readonly string[]>> = {
  iban: ['DE89 3704 0044 0532 0130 00', 'gb29nwbk60161331926819'],
  'iban-lenient': ['UK12 3456 7890 1234 5678 90'],
  email: ['Anna.Smith@Good.com', 'info@münchen.de'],
  'email-exact': ['Anna.Smith@Good.com'],
  lower: ['Acme Ltd', 'MÜLLER'],
  exact: ['Main 1', 'Zoë'],
  domain: ['Sub.Good.com', 'münchen.de', 'xn--80ak6aa92e.com'],
  url: ['https://Good.com:443/a/../b?c#d'],
  'url-origin': ['https://Good.com/a?b'],
  'url-domain': ['https://sub.good.co.uk/'],
  money: ['1240.5'],
  date: ['2026-03-14'],
  instant: ['2026-03-14T09:30:00+01:00', '2026-07-01T12:00:00'],
};

/** Something near a valid value: a seed with characters inserted, removed or replaced. */
const nearText = (name: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...(seeds[name] ?? ['x'])),
      fc.array(fc.tuple(fc.nat(60), fc.nat(1), fc.string({ unit: 'binary', maxLength: 2 })), {
        maxLength: 2,
      }),
    )
    .map(([seed, edits]) =>
      edits.reduce(
        (text, [at, cut, part]) => text.slice(0, at) + part + text.slice(at + cut),
        seed,
      ),
    );
const anyValue = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.jsonValue() as fc.Arbitrary<JsonValue>,
  fc.double() as fc.Arbitrary<JsonValue>,
);

/** What is wrong with an answer, whatever the value. */
function problemsOf(result: Normalised, raw: JsonValue): string[] {
  if (result.ok) {
    const { folds } = result.evidence;
    return folds.filter((fold) => !result.warnings.includes(fold)).map((fold) => `hidden ${fold}`);
  }
  const problems = /^[\x20-\x7e]+$/.test(result.hint ?? '') ? [] : ['no plain hint'];
  const length = typeof raw === 'string' ? raw.length : 0;
  return (result.at ?? -1) < length ? problems : [...problems, 'a place outside the text'];
}

describe('normalisers', () => {
  it('are the value types that a contract may name', () => {
    expect([...normalisers.keys()]).toEqual(Object.keys(seeds));
    for (const [name, normaliser] of normalisers) {
      expect(normaliser.name).toBe(name);
      expect(normaliser.version).toBe(1);
    }
  });

  verifies('VAL-02', 'answer every JSON value, and always the same', () => {
    for (const [name, normaliser] of normalisers) {
      fc.assert(
        fc.property(fc.oneof(anyValue, nearText(name)), (raw) => {
          const result = normaliser.normalise(raw, options);
          expect(normaliser.normalise(raw, options)).toEqual(result);
          expect(problemsOf(result, raw)).toEqual([]);
        }),
        { numRuns: 400 },
      );
    }
  });

  verifies('VAL-02', 'give a canonical form that is its own canonical form', () => {
    const asWritten: Readonly<Record<string, (canonical: string) => string>> = {
      // The canonical form of money and of a registrable domain is not a spelling of the type.
      money: (canonical) => canonical.replace(/(\d\d) EUR$/, '.$1').replace(/^\./, '0.'),
      'url-domain': (canonical) => `https://${canonical}/`,
    };
    for (const [name, normaliser] of normalisers) {
      let accepted = 0;
      fc.assert(
        fc.property(nearText(name), (raw) => {
          const first = normaliser.normalise(raw, options);
          if (!first.ok) return;
          accepted += 1;
          const write = asWritten[name] ?? ((canonical: string): string => canonical);
          const again = normaliser.normalise(write(String(first.canonical)), options);
          expect(again).toMatchObject({ ok: true, canonical: first.canonical });
        }),
        { numRuns: 300 },
      );
      expect(accepted, name).toBeGreaterThan(20);
    }
  });

  verifies('VAL-02', 'give pure ASCII for accounts, addresses, hosts, amounts and times', () => {
    for (const [name, normaliser] of normalisers) {
      const isWord = name === 'lower' || name === 'exact';
      fc.assert(
        fc.property(nearText(name), (raw) => {
          const result = normaliser.normalise(raw, options);
          if (!result.ok) return;
          if (!isWord) expect(result.canonical).toMatch(/^[\x20-\x7e]+$/);
          expect(checkCritical(result.display)).toBeUndefined();
        }),
        { numRuns: 300 },
      );
    }
  });

  verifies('VAL-02', 'are bounded: a text of 64 KiB of any shape takes no long time', () => {
    const shapes = [' ', 'a', '@', 'a@', '.', 'a.', '1', '%', 'xn--', 'ü', '\u200b', '(', '-'];
    for (const normaliser of normalisers.values()) {
      for (const shape of shapes) {
        const raw = shape.repeat(65_536 / shape.length);
        const start = performance.now();
        normaliser.normalise(raw, options);
        normaliser.normalise(`https://${raw}`, options);
        expect(performance.now() - start, `${normaliser.name} ${shape}`).toBeLessThan(500);
      }
    }
  });

  verifies('VAL-20', 'refuse every ignorable at start, middle and end of every type', () => {
    const ignorables = Array.from({ length: 0x110000 }, (_, point) => point).filter(isIgnorable);
    expect(ignorables.length).toBeGreaterThan(4000);
    for (const [name, normaliser] of normalisers) {
      const seed = seeds[name]?.[0] ?? '';
      const raws = ignorables.flatMap((point) => insertions(seed, String.fromCodePoint(point)));
      expect(raws.filter((raw) => normaliser.normalise(raw, options).ok)).toEqual([]);
    }
  });
});

const insertions = (text: string, part: string): string[] =>
  [0, text.length >> 1, text.length].map((at) => text.slice(0, at) + part + text.slice(at));
