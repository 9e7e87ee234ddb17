import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { getDomain } from 'tldts';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import type { JsonValue } from '../json-value.ts';
import { domain, parseDomain } from './domain.ts';
import type { NormaliserOptions } from './normaliser.ts';

const canonicalOf = (raw: JsonValue, options: NormaliserOptions = {}): unknown => {
  const result = domain.normalise(raw, options);
  return result.ok ? result.canonical : result.code;
};

describe('domain', () => {
  verifies('VAL-10', 'folds ASCII case and keeps private suffixes apart', () => {
    expect(domain.normalise('WWW.Good.com', {})).toMatchObject({
      canonical: 'www.good.com',
      display: 'www.good.com',
      warnings: ['CASE_FOLDED'],
    });
    const registrable = (text: string): unknown => {
      const parsed = parseDomain(text, {});
      return parsed.ok ? parsed.registrable : parsed.code;
    };
    expect(registrable('x.a.github.io')).toBe('a.github.io');
    expect(registrable('b.github.io')).toBe('b.github.io');
    expect(registrable('a.b.good.co.uk')).toBe('good.co.uk');
    expect(registrable('github.io')).toBe('form');
  });

  verifies('VAL-10', 'refuses before parsing what the host parser would repair', () => {
    const rows: readonly [JsonValue, string][] = [
      ['g\u00adood.com', 'charset'],
      ['go\u200bod.com', 'charset'],
      ['ﬀ.com', 'charset'],
      ['ＧＯＯＤ.com', 'charset'],
      ['good。com', 'charset'],
      ['good．com', 'charset'],
      ['a_b.com', 'charset'],
      ['good.com/', 'charset'],
      ['good%2ecom', 'charset'],
      ['gооd.com', 'charset'],
      ['日本abc.jp', 'charset'],
      ['αб.com', 'charset'],
      ['l·l.cat', 'charset'],
      ['a..b.com', 'form'],
      ['-a.com', 'form'],
      ['ü-.com', 'form'],
      ['localhost', 'form'],
      ['0x7f000001', 'form'],
      ['1.2.3.4', 'form'],
      ['good.com.', 'form'],
      ['', 'form'],
      [7, 'type'],
      [`${'a'.repeat(63)}.`.repeat(4), 'too_long'],
      [`${'ü'.repeat(59)}.${'ü'.repeat(59)}.com`, 'form'],
    ];
    for (const [raw, code] of rows) expect(canonicalOf(raw), String(raw)).toBe(code);
    expect(canonicalOf(`${'a'.repeat(63)}.com`)).toBe(`${'a'.repeat(63)}.com`);
    expect(canonicalOf(`${'a'.repeat(64)}.com`)).toBe('form');
    expect(parseDomain('a.'.repeat(127), {})).toMatchObject({ code: 'too_long' });
  });

  verifies('VAL-10', 'shows what an encoded name looks like, and warns', () => {
    const shown = 'xn--80ak6aa92e.com (аррӏе.com)';
    for (const raw of ['xn--80ak6aa92e.com', 'аррӏе.com']) {
      expect(domain.normalise(raw, {})).toMatchObject({
        canonical: 'xn--80ak6aa92e.com',
        display: shown,
        warnings: ['IDN'],
      });
    }
    expect(domain.normalise('XN--mnchen-3ya.de', {})).toMatchObject({
      warnings: ['CASE_FOLDED', 'IDN'],
    });
  });

  verifies('VAL-10', 'refuses encoded labels that are not the only spelling of their name', () => {
    for (const raw of [
      'xn--good-.com',
      'xn--.com',
      'xn--a.com',
      'xn--99999999999.com',
      'xn---c8d.com',
    ]) {
      expect(domain.normalise(raw, {}).ok, raw).toBe(false);
    }
  });

  verifies('VAL-10', 'takes the scripts of one writing system side by side', () => {
    for (const raw of ['日本語テスト.jp', 'ひらカタ漢.jp', '한국漢.kr', '中ㄅ.tw']) {
      expect(domain.normalise(raw, {}).ok, raw).toBe(true);
    }
    for (const raw of ['한あ.kr', 'カㄅ.jp', 'αβв.gr']) {
      expect(domain.normalise(raw, {}).ok, raw).toBe(false);
    }
  });

  verifies('VAL-10', 'takes unknown suffixes only by contract, and never a number', () => {
    expect(canonicalOf('corp.internal')).toBe('form');
    expect(canonicalOf('corp.internal', { allowUnknownSuffix: true })).toBe('corp.internal');
    expect(canonicalOf('1.2.3.4', { allowUnknownSuffix: true })).toBe('form');
    expect(canonicalOf('internal', { allowUnknownSuffix: true })).toBe('form');
    expect(domain.normalise('acme.example', {})).toMatchObject({ warnings: ['RESERVED_DOMAIN'] });
    expect(canonicalOf('example')).toBe('form');
  });

  it('agrees with the host parser and the suffix list on what it accepts', () => {
    const unit = fc.constantFrom(
      ...'ab1-.XNü日а'.split(''),
      'xn--',
      '.com',
      '.co.uk',
      '.github.io',
    );
    let accepted = 0;
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 7 }), (units) => {
        const raw = `${units.join('')}.com`;
        const parsed = parseDomain(raw, {});
        if (!parsed.ok) return;
        accepted += 1;
        expect(parsed.ascii).toBe(domainToASCII(raw));
        expect(parsed.registrable).toBe(getDomain(parsed.ascii, { allowPrivateDomains: true }));
        expect(parsed.ascii).toMatch(/^[a-z0-9.-]+$/);
        expect(canonicalOf(parsed.ascii)).toBe(parsed.ascii);
        expect(canonicalOf(parsed.unicode)).toBe(parsed.ascii);
      }),
      { numRuns: 3000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});
