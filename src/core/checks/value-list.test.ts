import { describe, expect } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import type { JsonValue } from '../json-value.ts';
import { email } from './email.ts';
import { lower } from './keyword.ts';
import { type ListOptions, listDefaults, normaliseList } from './value-list.ts';

const canonicals = (raw: JsonValue, options: Partial<ListOptions> = {}): unknown => {
  const result = normaliseList(raw, email, { ...listDefaults, ...options });
  return result.ok ? result.items.map(({ canonical }) => canonical) : result;
};

describe('normaliseList', () => {
  verifies('VAL-19', 'gives each item its own result, in order', () => {
    const raw = ['B@good.com', 'a@good.com'];
    expect(canonicals(raw)).toEqual(['b@good.com', 'a@good.com']);
    const result = normaliseList(raw, email, listDefaults);
    expect(result).toEqual({
      ok: true,
      items: raw.map((each, index) => ({ ...email.normalise(each, {}), index })),
    });
  });

  verifies('VAL-19', 'refuses the whole list for one bad item, with its index', () => {
    expect(canonicals(['a@good.com', 'b@good.com\n', 'c'])).toMatchObject({
      code: 'charset',
      index: 1,
      at: 10,
    });
    expect(canonicals(['a@good.com', ['b@good.com']])).toMatchObject({ code: 'type', index: 1 });
    expect(canonicals(['a@good.com', 7])).toMatchObject({ code: 'type', index: 1 });
  });

  verifies('VAL-19', 'splits no text', () => {
    expect(canonicals('a@b.de, d@e.fr')).toMatchObject({ code: 'type' });
    expect(canonicals(['a@b.de, d@e.fr'])).toMatchObject({ code: 'form', index: 0 });
    expect(canonicals({ 0: 'a@b.de' })).toMatchObject({ code: 'type' });
  });

  verifies('VAL-19', 'refuses doubles after folding where items must differ', () => {
    const raw = ['a@good.com', 'A@good.com'];
    expect(canonicals(raw)).toMatchObject({ code: 'duplicate', index: 1 });
    expect(canonicals(raw, { isUnique: false })).toEqual(['a@good.com', 'a@good.com']);
  });

  verifies('VAL-19', 'holds the number of items on both sides', () => {
    const items = (count: number): string[] =>
      Array.from({ length: count }, (_, n) => `u${n}@good.com`);
    expect(canonicals([])).toMatchObject({ code: 'count', hint: 'between 1 and 50 items' });
    expect(canonicals([], { itemsMin: 0 })).toEqual([]);
    expect(canonicals(items(50))).toHaveLength(50);
    expect(canonicals(items(51))).toMatchObject({ code: 'count' });
  });

  verifies('VAL-19', 'sorts a set and remembers where each item stood', () => {
    const options: ListOptions = { ...listDefaults, as: 'set', isUnique: false };
    const result = normaliseList(['b', 'É', 'a', 'b', 'C'], lower, options);
    expect(result.ok && result.items.map(({ canonical, index }) => [canonical, index])).toEqual([
      ['a', 2],
      ['b', 0],
      ['b', 3],
      ['c', 4],
      ['É', 1],
    ]);
  });
});
