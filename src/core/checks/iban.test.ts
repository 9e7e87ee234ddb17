import { IBAN as OracleIban } from 'ibankit';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import type { JsonValue } from '../json-value.ts';
import { iban, ibanLenient } from './iban.ts';
import type { Normaliser } from './normaliser.ts';

const canonicalOf = (normaliser: Normaliser, raw: JsonValue): unknown => {
  const result = normaliser.normalise(raw, {});
  return result.ok ? result.canonical : result.code;
};
const samples = [
  'DE89370400440532013000',
  'GB29NWBK60161331926819',
  'FR1420041010050500013M02606',
  'NL91ABNA0417164300',
  'ES9121000418450200051332',
  'NO9386011117947',
  'MT84MALT011000012345MTLCAST001S',
  'BE68539007547034',
];

const digits = [...'0123456789'];

const withOtherDigits = (sample: string): string[] =>
  Array.from(sample).flatMap((character, at) =>
    digits
      .filter((digit) => digits.includes(character) && digit !== character)
      .map((digit) => sample.slice(0, at) + digit + sample.slice(at + 1)),
  );

const withSwaps = (sample: string): string[] =>
  Array.from(sample).flatMap((character, at) => {
    const next = sample.charAt(at + 1);
    const isPair = digits.includes(character) && digits.includes(next) && next !== character;
    return isPair ? [sample.slice(0, at) + next + character + sample.slice(at + 2)] : [];
  });

describe('iban', () => {
  verifies('VAL-06', 'folds case and spaces, and says so', () => {
    expect(iban.normalise('de89 3704 0044 0532 0130 00', {})).toEqual({
      ok: true,
      canonical: 'DE89370400440532013000',
      display: 'DE89 3704 0044 0532 0130 00',
      warnings: ['SPACES_REMOVED', 'CASE_FOLDED'],
      evidence: {
        normaliser: 'iban',
        version: 1,
        folds: ['SPACES_REMOVED', 'CASE_FOLDED'],
        tables: [],
      },
    });
    expect(iban.normalise('NO9386011117947', {})).toMatchObject({
      display: 'NO93 8601 1117 947',
      warnings: [],
    });
  });

  verifies('VAL-06', 'refuses hostile spellings', () => {
    const rows: readonly [JsonValue, string][] = [
      ['DE89\u200b370400440532013000', 'charset'],
      ['DЕ89370400440532013000', 'charset'],
      ['DE89370400440532013000\n', 'charset'],
      ['DE89\t370400440532013000', 'charset'],
      ['DE89\u00a0370400440532013000', 'charset'],
      ['DE8937040044053201300O', 'form'],
      ['DE893704004405320130001234567890123', 'too_long'],
      ['DE00370400440532013000', 'checksum'],
      ['ZZ89370400440532013000', 'form'],
      ['', 'form'],
      [['DE89370400440532013000', 'DE89370400440532013000'], 'type'],
      [89, 'type'],
    ];
    for (const [raw, code] of rows) expect(canonicalOf(iban, raw), String(raw)).toBe(code);
    expect(iban.normalise('DE89\u200b37', {})).toMatchObject({ at: 4 });
  });

  verifies('VAL-06', 'refuses the check digits that no bank can issue', () => {
    // 97, 98 and 2 more than each have the same remainder as 00, 01 and 99.
    const bban = '370400440532013000';
    for (const digits of ['00', '01', '99']) {
      for (let n = 0; n < 100; n += 1) {
        const body = bban.slice(0, 16) + String(n).padStart(2, '0');
        expect(canonicalOf(iban, `DE${digits}${body}`)).toBe('checksum');
      }
    }
  });

  verifies('VAL-06', 'refuses every changed digit and every swap of unequal neighbours', () => {
    const changed = samples.flatMap((sample) => [...withOtherDigits(sample), ...withSwaps(sample)]);
    expect(changed.length).toBeGreaterThan(1000);
    expect(changed.filter((text) => iban.normalise(text, {}).ok)).toEqual([]);
  });

  it('accepts nothing that a second implementation refuses', () => {
    const countries = [
      'DE',
      'GB',
      'FR',
      'NL',
      'ES',
      'NO',
      'MT',
      'BE',
      'AT',
      'CH',
      'IT',
      'PL',
      'SE',
    ];
    let accepted = 0;
    for (let n = 0; n < 400; n += 1) {
      const made = OracleIban.random(countries[n % countries.length] as never).toString();
      const changed = made.slice(0, 4) + made.slice(5) + made.charAt(4);
      for (const text of [made, changed]) {
        const result = iban.normalise(text, {});
        if (result.ok) accepted += 1;
        expect(!result.ok || OracleIban.isValid(text), text).toBe(true);
      }
    }
    expect(accepted).toBeGreaterThan(100);
    for (const sample of samples) {
      expect(OracleIban.isValid(sample)).toBe(true);
      expect(canonicalOf(iban, sample)).toBe(sample);
    }
  });
});

describe('iban-lenient', () => {
  verifies('VAL-07', 'takes invented IBANs and says that nothing was checked', () => {
    const result = ibanLenient.normalise('us13 3000 0001 2121 2121 212', {});
    expect(result).toMatchObject({
      ok: true,
      canonical: 'US133000000121212121212',
      warnings: ['SPACES_REMOVED', 'CASE_FOLDED', 'CHECKSUM_NOT_CHECKED'],
    });
    expect(canonicalOf(iban, 'US133000000121212121212')).toBe('form');
  });

  verifies('VAL-07', 'holds charset and length on both sides', () => {
    expect(canonicalOf(ibanLenient, 'A'.repeat(13))).toBe('form');
    expect(canonicalOf(ibanLenient, 'A'.repeat(14))).toBe('A'.repeat(14));
    expect(canonicalOf(ibanLenient, 'A'.repeat(34))).toBe('A'.repeat(34));
    expect(canonicalOf(ibanLenient, 'A'.repeat(35))).toBe('too_long');
    expect(canonicalOf(ibanLenient, 'UK12-3456-7890-1234')).toBe('charset');
    expect(canonicalOf(ibanLenient, null)).toBe('type');
  });

  verifies('VAL-07', 'gives valid records the same canonical form as the strict one', () => {
    for (const sample of samples) {
      for (const raw of [sample, sample.toLowerCase(), sample.replace(/.{4}/g, '$& ')]) {
        expect(canonicalOf(ibanLenient, raw)).toBe(canonicalOf(iban, raw));
      }
    }
  });
});
