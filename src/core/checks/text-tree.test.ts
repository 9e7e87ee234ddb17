import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import type { JsonValue } from '../json-value.ts';
import type { TextTrust } from './text-rule.ts';
import { examineTree } from './text-tree.ts';

const nobody: TextTrust = { has: () => false, domains: [], templates: [], amounts: [] };
const found = (value: JsonValue, path = ''): string[] =>
  examineTree(value, nobody, path).map(
    (each) => `${each.path}: ${each.finding.unknown.map(({ text }) => text).join(', ')}`,
  );

describe('examineTree', () => {
  verifies('VAL-25', 'finds entities in every text and key, with their paths', () => {
    const value = {
      note: 'see evil.com',
      'drop@evil.net': 1,
      lines: [{ text: 'fine' }, { text: 'call +49 151 1234 5678' }, 'x.evil.org'],
      amount: 12,
      done: true,
      none: null,
    };
    expect(found(value)).toEqual([
      'note: evil.com',
      'drop@evil.net: drop@evil.net',
      'lines[1].text: 49 151 1234 5678',
      'lines[2]: x.evil.org',
    ]);
  });

  it('starts paths at the given one', () => {
    expect(found({ a: ['evil.com'] }, 'options')).toEqual(['options.a[0]: evil.com']);
    expect(found('evil.com', 'subject')).toEqual(['subject: evil.com']);
  });

  it('clips long keys in paths', () => {
    const [row] = examineTree({ [`evil.com/${'k'.repeat(100)}`]: 1 }, nobody, '');
    expect(row?.path).toHaveLength(80);
  });

  verifies('VAL-25', 'spends one allowance on all texts', () => {
    const texts = Array.from({ length: 40 }, (_, i) => `a.b${i} `.repeat(2000));
    const kinds = examineTree(texts, nobody, '').map(({ finding }) => finding.unknown.at(-1)?.kind);
    expect(kinds.at(-1)).toBe('not_analysed');
  });
});
