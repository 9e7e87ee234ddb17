import { describe, expect, it } from 'vitest';
import type { ValueReading } from '../contract.ts';
import { requestLiterals } from './request-literals.ts';

const literals = (
  request: string,
  changes: Partial<ValueReading> = {},
): Readonly<Record<string, string | number>> =>
  Object.fromEntries(
    [...requestLiterals(request, { type: 'string', scale: 1, settings: {}, ...changes })].map(
      ([canonical, own]) => [String(canonical), own],
    ),
  );
const named = (request: string, normalize: string): readonly string[] =>
  Object.keys(literals(request, { normalize }));
const cents = { type: 'number', scale: 100 } as const;
const amounts = (request: string): readonly number[] =>
  Object.keys(literals(request, cents)).map(Number);

describe('requestLiterals, addresses', () => {
  it('takes addresses and sends them as the user wrote them', () => {
    const request = 'Write to Anna@Example.org, and (kim.lee+x@mail.example.com).';
    expect(literals(request, { normalize: 'email' })).toEqual({
      'anna@example.org': 'Anna@Example.org',
      'kim.lee+x@mail.example.com': 'kim.lee+x@mail.example.com',
    });
    expect(named(request, 'email-exact')).toContain('Anna@example.org');
  });

  it('takes values out of the signs around them', () => {
    expect(named('Anna <Anna@example.org>, cc:kim@example.org', 'email')).toEqual([
      'anna@example.org',
      'kim@example.org',
    ]);
    expect(named('<anna@Example.org>', 'email-exact')).toEqual(['anna@example.org']);
    expect(named('IBAN:DE89370400440532013000', 'iban')).toEqual(['DE89370400440532013000']);
    expect(named('IBAN:DE89370400440532013000', 'iban-lenient')).toHaveLength(1);
    expect(named('<example.com>', 'domain')).toEqual(['example.com']);
    for (const type of ['url', 'url-origin', 'url-domain']) {
      expect(named('see:<https://www.example.com/a>', type), type).toHaveLength(1);
    }
    expect(named('2026-11-30/2026-12-01', 'date')).toEqual(['2026-11-30', '2026-12-01']);
  });

  it('does not cut an address out of a longer word', () => {
    expect(named(`${'a'.repeat(80)}@example.org`, 'email')).toEqual([]);
  });

  it('takes a domain that stands by itself, not the host of a link or an address', () => {
    expect(named('see example.com and docs.example.org.', 'domain')).toEqual([
      'example.com',
      'docs.example.org',
    ]);
    expect(named('write anna@example.org or read https://example.net/a', 'domain')).toEqual([]);
    expect(named('not example.com-evil.org but', 'domain')).toEqual(['example.com-evil.org']);
  });

  it('takes links without the punctuation of the sentence', () => {
    expect(named('Open https://example.com/a?b=1. Then "https://example.org/x"!', 'url')).toEqual([
      'https://example.com/a?b=1',
      'https://example.org/x',
    ]);
    expect(named('Open https://example.com/a?b=1.', 'url-origin')).toEqual(['https://example.com']);
    expect(named('Open http://example.com', 'url')).toEqual([]);
  });
});

describe('requestLiterals, accounts', () => {
  it('takes an IBAN in groups, also when a word follows that looks like more of it', () => {
    const request = 'Pay DE89 3704 0044 0532 0130 00 now and GB82WEST12345698765432 later.';
    expect(named(request, 'iban')).toEqual(['DE89370400440532013000', 'GB82WEST12345698765432']);
    expect(literals('de89370400440532013000', { normalize: 'iban' })).toEqual({
      DE89370400440532013000: 'de89370400440532013000',
    });
  });

  it('takes no part of an account for the account where check digits cannot tell', () => {
    const lenient = (request: string): readonly string[] => named(request, 'iban-lenient');
    expect(lenient('Pay GB29 NWBK 6016 1331 9268 19 for rent')).toEqual(['GB29NWBK60161331926819']);
    expect(lenient('Pay UK12345678901234567890 for rent')).toEqual(['UK12345678901234567890']);
    expect(lenient('Pay UK12 3456 7890 1234 soon')).toEqual(['UK12345678901234']);
  });
});

describe('requestLiterals, amounts', () => {
  it('takes plain decimals, in the unit of the tool', () => {
    expect(literals('Pay 1240.00 EUR, then 7 and 0.5!', cents)).toEqual({
      124000: 1_240,
      700: 7,
      50: 0.5,
    });
    expect(amounts('€12.50, £3, EUR 4 and 5EUR')).toEqual([300, 400, 500, 1_250]);
  });

  it('takes no part of a date, a time, a version, an account, a phone number or a percentage', () => {
    const request =
      'on 2026-11-30 at 10:30 (v2.1) to DE89 3704 0044 0532 0130 00, call +49 30 1234567, 10 % or 5%, SKU123, 1/2, a7, 3rd';
    expect(amounts(request)).toEqual([]);
    expect(amounts('GB29 NWBK 6016 1331 9268 19')).toEqual([]);
    expect(amounts('call +49 30 12 or +1 555')).not.toContain(3_000);
    expect(amounts('see https://example.com/ 5')).toEqual([500]);
  });

  it('leaves out what can be read two ways', () => {
    for (const text of ['1,240.00', '1.240,00', '1 240', '1.240', "1'240", '1240,00']) {
      expect(amounts(`Pay ${text} now`), text).toEqual([]);
    }
    expect(amounts('Pay 1240.00, now')).toEqual([124_000]);
    const thousandths = { type: 'number', scale: 1_000 } as const;
    expect(literals('1240.125 and 12.500 and 0.5', thousandths)).toEqual({
      1240125: 1_240.125,
      500: 0.5,
    });
  });

  it('takes a whole number for an integer and no fraction', () => {
    expect(literals('send 3 or 5.0', { type: 'integer' })).toEqual({ 3: 3 });
  });

  it('takes money in its currency and in no other', () => {
    const euro = { type: 'money', settings: { currency: 'EUR' } } as const;
    expect(literals('Pay 12.50 EUR and €3', euro)).toEqual({ '1250 EUR': '12.50', '300 EUR': '3' });
    expect(literals('Pay 12.50', euro)).toEqual({ '1250 EUR': '12.50' });
    expect(literals('Pay 12.50 USD and CHF 4', euro)).toEqual({});
    expect(literals('Pay $12.50', euro)).toEqual({ '1250 EUR': '12.50' });
    expect(literals('Pay £12.50', euro)).toEqual({});
    const pounds = { type: 'money', settings: { currency: 'GBP' } } as const;
    expect(literals('Pay £12.50 and €3', pounds)).toEqual({ '1250 GBP': '12.50' });
    expect(literals('Pay 12.50 NOW', euro)).toEqual({ '1250 EUR': '12.50' });
  });
});

describe('requestLiterals, days and words', () => {
  it('takes whole days', () => {
    expect(named('from 2026-11-30 to 2026-12-01, not 2026-02-30 or 12026-11-301', 'date')).toEqual([
      '2026-11-30',
      '2026-12-01',
    ]);
    expect(Object.keys(literals('on 2026-11-30.', { type: 'date' }))).toEqual(['2026-11-30']);
  });

  it('takes quoted texts and runs of up to six whole words without their punctuation', () => {
    const found = literals('Post "Out of office: back soon" to (team news), please.');
    expect(found).toMatchObject({
      'Out of office: back soon': 'Out of office: back soon',
      'team news': 'team news',
      please: 'please',
    });
    expect(found['eam news']).toBeUndefined();
    const eight = 'one two three four five six seven eight';
    for (const quoted of [`"${eight}"`, `'${eight}'`, `“${eight}”`, `‘${eight}’`]) {
      expect(literals(`say ${quoted} now`)[eight], quoted).toBe(eight);
    }
    expect(literals(`say ${eight} now`)[eight]).toBeUndefined();
    expect(literals('a  \n b')).toHaveProperty(['a b']);
    expect(Object.keys(literals('a b c d e f g'))).toContain('a b c d e f');
    expect(Object.keys(literals('a b c d e f g'))).not.toContain('a b c d e f g');
  });

  it('sends a folded word as the user wrote it', () => {
    expect(literals('Merge Main', { normalize: 'lower' })).toMatchObject({ main: 'Main' });
  });

  it('finds an instant among the words', () => {
    expect(literals('at 2026-11-30T12:00:00+01:00.', { type: 'datetime' })).toEqual({
      '2026-11-30T11:00:00.000Z': '2026-11-30T12:00:00+01:00',
    });
  });
});

describe('requestLiterals, bounds', () => {
  it('does not make another value of a word that the bound cuts', () => {
    const request = `${'x '.repeat(32_766)}pay 12345`;
    expect(request.length).toBeGreaterThan(65_536);
    expect(amounts(request)).toEqual([]);
    expect(amounts(`pay 12345 ${'x '.repeat(40_000)}`)).toEqual([1_234_500]);
  });

  it('is quick on texts that would make a backtracking pattern slow', () => {
    const start = performance.now();
    for (const text of [
      'a-'.repeat(30_000),
      'a.'.repeat(30_000),
      '!'.repeat(60_000),
      'A'.repeat(60_000),
    ]) {
      for (const normalize of ['email', 'domain', 'url', 'iban', 'iban-lenient', 'exact']) {
        named(text, normalize);
      }
      amounts(text);
    }
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it('answers again without searching, also after many other requests', () => {
    const first = requestLiterals('pay 5', { type: 'number', scale: 1, settings: {} });
    expect(requestLiterals('pay 5', { type: 'number', scale: 1, settings: {} })).toBe(first);
    for (let n = 0; n < 40; n += 1) literals(`pay ${n}`, cents);
    expect(amounts('pay 5')).toEqual([500]);
  });
});
