import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { isIgnorable } from './hygiene.ts';
import { lookalikeKey, skeleton } from './skeleton.ts';
import { confusables, confusablesUnicodeVersion } from './tables/confusables.ts';

const rows = confusables
  .join(' ')
  .split(' ')
  .map((row) => {
    const [from = '', to = ''] = row.split('>');
    const text = (points: string): string =>
      String.fromCodePoint(...points.split('+').map((point) => Number.parseInt(point, 16)));
    return { from: text(from), to: text(to) };
  });

describe('skeleton', () => {
  verifies('VAL-21', 'uses the pinned table, whatever Unicode version the runtime has', () => {
    expect(confusablesUnicodeVersion).toBe('17.0');
    expect(rows).toHaveLength(6565);
    const anchors: readonly [string, string][] = [
      ['0', 'O'],
      ['1', 'l'],
      ['I', 'l'],
      ['|', 'l'],
      ['m', 'rn'],
      ['а', 'a'],
      ['ο', 'o'],
      ['℮', 'e'],
      ['ⅼ', 'l'],
      ['𝐚', 'a'],
      ['∕', '/'],
      ['․', '.'],
    ];
    for (const [from, to] of anchors) expect(skeleton(from), from).toBe(to);
  });

  it('maps every row of the table as UTS 39 does', () => {
    const prototypes = new Map(rows.map(({ from, to }) => [from, to]));
    for (const { from } of rows) {
      const mapped = Array.from(from.normalize('NFD'))
        .filter((character) => !isIgnorable(character.codePointAt(0) ?? 0))
        .map((character) => prototypes.get(character) ?? character);
      expect(skeleton(from)).toBe(mapped.join('').normalize('NFD'));
      expect(skeleton(`${from}é`).startsWith(skeleton(from).slice(0, 1))).toBe(true);
    }
  });

  it('gives ASCII text the same skeleton with and without the whole table', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        // A character outside ASCII forces the long way; it has no prototype of its own.
        expect(skeleton(`${text}\u4e2d`)).toBe(`${skeleton(text)}\u4e2d`);
      }),
    );
  });

  it('drops what is invisible', () => {
    expect(skeleton('go\u200bo\u00add\u{e0041}')).toBe('good');
  });
});

describe('lookalikeKey', () => {
  it('is one for imitations of one value', () => {
    const groups = [
      [
        'apple.com',
        'APPLE.com',
        'аррlе.com',
        'xn--80ak6aa92e.com',
        'app1e.com',
        'appIe.com',
        'ａｐｐｌｅ.com',
      ],
      [
        'DE89370400440532013000',
        'DE89 3704 0044 0532 0130 00',
        'DЕ89370400440532O13OOO',
        'DE89\u200b370400440532013000',
      ],
      ['modern.org', 'rnodern.org', 'MODERN.ORG', 'mоdern.org'],
    ];
    for (const group of groups) expect(new Set(group.map(lookalikeKey)).size, group[0]).toBe(1);
  });

  it('differs for values that look different', () => {
    expect(lookalikeKey('good.com')).not.toBe(lookalikeKey('goods.com'));
    expect(lookalikeKey('DE89370400440532013000')).not.toBe(lookalikeKey('DE89370400440532013001'));
  });
});
