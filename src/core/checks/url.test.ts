import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import type { JsonValue } from '../json-value.ts';
import type { Normaliser } from './normaliser.ts';
import { url, urlDomain, urlOrigin } from './url.ts';

const canonicalOf = (normaliser: Normaliser, raw: JsonValue): unknown => {
  const result = normaliser.normalise(raw, {});
  return result.ok ? result.canonical : result.code;
};

describe('url', () => {
  verifies('VAL-11', 'refuses before parsing', () => {
    const rows: readonly [JsonValue, string][] = [
      ['https://evil.com\\@good.com', 'charset'],
      ['https://good.com@evil.com', 'charset'],
      ['https:evil.com', 'form'],
      ['https:///evil.com', 'form'],
      ['https://', 'form'],
      ['https://good%2ecom', 'charset'],
      ['https://good。com', 'charset'],
      ['https://go\nod.com', 'charset'],
      ['\u0000https://good.com', 'charset'],
      ['https://good.com/a b', 'charset'],
      ['https://good.com.', 'form'],
      ['https://[::ffff:7f00:1]', 'charset'],
      ['https://127.1', 'form'],
      ['https://good.com:8443', 'charset'],
      ['https://good.com:', 'charset'],
      ['HTTPS://good.com', 'form'],
      ['http://good.com', 'form'],
      [`https://good.com/${'a'.repeat(2032)}`, 'too_long'],
      [null, 'type'],
    ];
    for (const normaliser of [url, urlOrigin, urlDomain]) {
      for (const [raw, code] of rows) expect(canonicalOf(normaliser, raw), String(raw)).toBe(code);
    }
    expect(canonicalOf(url, `https://good.com/${'a'.repeat(2031)}`)).toMatch(/a$/);
  });

  verifies('VAL-11', 'names every difference between spelling and canonical form', () => {
    const rows: readonly [string, string, string[]][] = [
      ['https://good.com', 'https://good.com/', []],
      ['https://good.com/', 'https://good.com/', []],
      ['https://good.com?x=1', 'https://good.com/?x=1', []],
      ['https://Good.com/A', 'https://good.com/A', ['CASE_FOLDED']],
      ['https://good.com:443/', 'https://good.com/', ['DEFAULT_PORT_REMOVED']],
      ['https://good.com/a#b', 'https://good.com/a', ['FRAGMENT_REMOVED']],
      ['https://good.com/a/../b', 'https://good.com/b', ['PATH_CHANGED']],
      ['https://good.com/%2e%2E/b', 'https://good.com/b', ['PATH_CHANGED']],
      ['https://good.com/"', 'https://good.com/%22', ['PATH_CHANGED']],
      ['https://good.com#?x', 'https://good.com/', ['FRAGMENT_REMOVED']],
    ];
    for (const [raw, canonical, warnings] of rows) {
      expect(url.normalise(raw, {}), raw).toMatchObject({
        canonical,
        display: canonical,
        warnings,
      });
    }
  });

  verifies('VAL-11', 'has three canonical forms, and says when the rest is not compared', () => {
    const raw = 'https://pay.good.co.uk/r?to=https%3A%2F%2Fevil.com';
    expect(canonicalOf(url, raw)).toBe(raw);
    expect(urlOrigin.normalise(raw, {})).toMatchObject({
      canonical: 'https://pay.good.co.uk',
      warnings: ['PATH_NOT_COMPARED'],
    });
    expect(urlDomain.normalise(raw, {})).toMatchObject({
      canonical: 'good.co.uk',
      warnings: ['PATH_NOT_COMPARED'],
    });
    expect(urlOrigin.normalise('https://good.com/#x', {})).toMatchObject({
      canonical: 'https://good.com',
      warnings: ['FRAGMENT_REMOVED'],
    });
  });

  verifies('VAL-11', 'decodes an encoded host for people', () => {
    expect(url.normalise('https://xn--80ak6aa92e.com/x', {})).toMatchObject({
      canonical: 'https://xn--80ak6aa92e.com/x',
      display: 'https://xn--80ak6aa92e.com/x (аррӏе.com)',
      warnings: ['IDN'],
    });
  });

  it('never names another host than the text does', () => {
    const unit = fc.constantFrom(
      ...'ab.:/?#@\\%[]-_ \t'.split(''),
      'good.com',
      'evil.com',
      '%40',
      '443',
    );
    let accepted = 0;
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 6 }), (units) => {
        const raw = `https://good.com${units.join('')}`;
        const result = urlOrigin.normalise(raw, {});
        if (!result.ok) return;
        accepted += 1;
        const host = new URL(raw).hostname;
        expect(result.canonical).toBe(`https://${host}`);
        expect(raw.startsWith(`https://${host}`)).toBe(true);
        expect(canonicalOf(url, String(canonicalOf(url, raw)))).toBe(canonicalOf(url, raw));
      }),
      { numRuns: 3000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});
