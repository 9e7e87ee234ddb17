import { parseOneAddress } from 'email-addresses';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import type { JsonValue } from '../json-value.ts';
import { email, emailExact } from './email.ts';
import type { Normaliser } from './normaliser.ts';

const canonicalOf = (normaliser: Normaliser, raw: JsonValue): unknown => {
  const result = normaliser.normalise(raw, {});
  return result.ok ? result.canonical : result.code;
};

describe('email', () => {
  verifies('VAL-09', 'folds spaces at the ends and ASCII case', () => {
    expect(email.normalise(' Anna.Smith+Tag@GOOD.com ', {})).toMatchObject({
      canonical: 'anna.smith+tag@good.com',
      display: 'anna.smith+tag@good.com',
      warnings: ['SPACES_REMOVED', 'CASE_FOLDED'],
    });
    expect(email.normalise('anna@good.com', {})).toMatchObject({ warnings: [] });
    expect(canonicalOf(email, 'anna+a@good.com')).not.toBe(canonicalOf(email, 'anna@good.com'));
    expect(canonicalOf(email, 'an.na@gmail.com')).not.toBe(canonicalOf(email, 'anna@gmail.com'));
  });

  verifies('VAL-09', 'keeps the local part where it is exact', () => {
    expect(canonicalOf(emailExact, 'Anna@GOOD.com')).toBe('Anna@good.com');
    expect(canonicalOf(emailExact, 'anna@good.com')).not.toBe(
      canonicalOf(emailExact, 'Anna@good.com'),
    );
    expect(canonicalOf(emailExact, 'Anna <a@good.com>')).toBe('form');
    expect(canonicalOf(email, 'Anna@good.com')).toBe(canonicalOf(email, 'anna@good.com'));
  });

  verifies('VAL-09', 'refuses hostile addresses', () => {
    const rows: readonly [JsonValue, string][] = [
      ['"a@good.com" <x@evil.com>', 'form'],
      ['a@good.com, x@evil.com', 'form'],
      ['a@good.com\r\nBcc: x@evil.com', 'charset'],
      ['a@gооd.com', 'charset'],
      ['a@good.com\u200b', 'charset'],
      ['grp: a@good.com;', 'form'],
      ['a(x)@b.com', 'form'],
      ['"a b"@b.com', 'form'],
      ['a@b', 'form'],
      ['a@[1.2.3.4]', 'charset'],
      ['ａ@good.com', 'charset'],
      ['а@good.com', 'charset'],
      ['  jürgen@good.com', 'charset'],
      ['a@good.com.', 'form'],
      ['mailto:a@good.com', 'form'],
      ['@good.com', 'form'],
      [{ address: 'a@good.com' }, 'type'],
      [`${'a'.repeat(65)}@good.com`, 'too_long'],
      [`${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(58)}.com`, 'too_long'],
    ];
    for (const [raw, code] of rows) expect(canonicalOf(email, raw), String(raw)).toBe(code);
    expect(email.normalise('  jürgen@good.com', {})).toMatchObject({ at: 3 });
    expect(
      canonicalOf(
        email,
        `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com`,
      ),
    ).toMatch(/^a+@b/);
  });

  verifies('VAL-09', 'takes an encoded or written host of another script, and warns', () => {
    expect(email.normalise('Info@MÜNCHEN.de', {})).toMatchObject({
      canonical: 'info@xn--mnchen-3ya.de',
      display: 'info@xn--mnchen-3ya.de (münchen.de)',
      warnings: ['CASE_FOLDED', 'IDN'],
    });
  });

  it('takes an unknown suffix only where the contract says so', () => {
    expect(canonicalOf(email, 'a@corp.internal')).toBe('form');
    expect(email.normalise('a@corp.internal', { allowUnknownSuffix: true })).toMatchObject({
      canonical: 'a@corp.internal',
    });
  });

  verifies('VAL-09', 'accepts only what an RFC 5322 parser reads as the same text', () => {
    const unit = fc.constantFrom(
      ...'aZ9.+-_@"(),;:<>[] \\é\u200b'.split(''),
      'good.com',
      '@good.com',
    );
    let accepted = 0;
    const check = (raw: string): void => {
      const result = emailExact.normalise(raw, {});
      if (!result.ok) return;
      accepted += 1;
      const parsed = parseOneAddress(raw.trim()) as { local: string; domain: string } | null;
      expect(`${parsed?.local}@${parsed?.domain}`).toBe(raw.trim());
    };
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 8 }), (units) => check(units.join(''))),
      { numRuns: 2000 },
    );
    fc.assert(fc.property(fc.emailAddress(), check), { numRuns: 200 });
    expect(accepted).toBeGreaterThan(20);
  });
});
