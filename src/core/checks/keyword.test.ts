import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../json-value.ts';
import { exact, lower } from './keyword.ts';
import type { Normaliser } from './normaliser.ts';

const canonicalOf = (normaliser: Normaliser, raw: JsonValue): unknown => {
  const result = normaliser.normalise(raw, {});
  return result.ok ? result.canonical : result.code;
};

describe('lower', () => {
  it('folds A to Z and spaces at the ends, nothing else', () => {
    expect(lower.normalise(' Acme  LTD ', {})).toMatchObject({
      canonical: 'acme  ltd',
      display: 'acme  ltd',
      warnings: ['SPACES_REMOVED', 'CASE_FOLDED'],
    });
    expect(canonicalOf(lower, 'ÄÖÜ Straße')).toBe('ÄÖÜ straße');
    expect(canonicalOf(lower, 'İI')).toBe('İi');
  });

  it('does not take a sign for a letter that looks like it', () => {
    expect(canonicalOf(lower, '\u212aelvin')).toBe('charset');
    expect(canonicalOf(lower, 'ſ')).toBe('ſ');
  });

  it('refuses other white space, nothing at all, and what is not text', () => {
    for (const raw of ['a\t', '\na', '\u00a0a'.replace('\u00a0', '\u0085')]) {
      expect(canonicalOf(lower, raw)).toBe('charset');
    }
    expect(canonicalOf(lower, '\u00a0a')).toBe('\u00a0a');
    expect(canonicalOf(lower, '   ')).toBe('form');
    expect(canonicalOf(lower, 1)).toBe('type');
    expect(canonicalOf(lower, 'a'.repeat(65_537))).toBe('too_long');
    expect(canonicalOf(lower, 'a'.repeat(65_536))).toBe('a'.repeat(65_536));
  });
});

describe('exact', () => {
  it('folds nothing', () => {
    expect(exact.normalise(' Main ', {})).toMatchObject({ canonical: ' Main ', warnings: [] });
  });

  it('refuses what is not hygienic, nothing at all, and what is not text', () => {
    expect(canonicalOf(exact, 'a\u200b')).toBe('charset');
    expect(canonicalOf(exact, '')).toBe('form');
    expect(canonicalOf(exact, ['a'])).toBe('type');
  });
});
