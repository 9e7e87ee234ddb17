import { domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeALabels, decodePunycode } from './punycode.ts';

describe('decodePunycode', () => {
  it('decodes labels of many scripts', () => {
    const rows: readonly [string, string][] = [
      ['mnchen-3ya', 'münchen'],
      ['80ak6aa92e', 'аррӏе'],
      ['wgv71a119e', '日本語'],
      ['ls8h', '💩'],
      ['a-bc-', 'a-bc'],
      ['', ''],
      ['tda', 'ü'],
    ];
    for (const [encoded, text] of rows) expect(decodePunycode(encoded)).toBe(text);
  });

  it('refuses what is no punycode', () => {
    const rows = ['-', '-a-!', 'a b', 'MNCHEN-3YA', 'é-1', '99999999999', '6f0cc', 'x'.repeat(64)];
    for (const encoded of rows) expect(decodePunycode(encoded), encoded).toBeUndefined();
  });

  it('agrees with the host parser on every label that one accepts', () => {
    const label = fc.array(fc.constantFrom(...'abcdexyz0189-'.split('')), { maxLength: 14 });
    fc.assert(
      fc.property(label, (units) => {
        const ascii = `xn--${units.join('')}`;
        const decoded = domainToUnicode(ascii);
        // A label that begins with the delimiter is let pass by the host parser only.
        if (decoded !== '' && !decoded.startsWith('xn--') && units[0] !== '-') {
          expect(decodePunycode(units.join(''))).toBe(decoded);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe('decodeALabels', () => {
  it('decodes each label of a text and leaves the rest', () => {
    expect(decodeALabels('a@xn--mnchen-3ya.XN--E1AFMKFD.com')).toBe('a@münchen.пример.com');
    expect(decodeALabels('xn--!!.com xn-- plain')).toBe('xn--!!.com xn-- plain');
    expect(decodeALabels('xn--99999999999.com')).toBe('xn--99999999999.com');
  });
});
