import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import {
  type CodePointSet,
  ignorableSet,
  scriptOf,
  unassignedSet,
  wordSet,
} from './code-point-sets.ts';
import { checkCritical, checkText, isIgnorable } from './hygiene.ts';
import { codePointsUnicodeVersion } from './tables/code-points.ts';

/** The planes that have characters: the others are one run in every table. */
const allPoints = [
  ...Array.from({ length: 0x32400 }, (_, point) => point),
  ...Array.from({ length: 0x1100 }, (_, n) => 0xe0000 + n),
  ...[0xf0000, 0xffffd, 0xffffe, 0x100000, 0x10fffd, 0x10ffff],
];
const single = { multiline: false };
const multi = { multiline: true };
const ignorables = allPoints.filter(isIgnorable);

function sizeOf(set: CodePointSet): number {
  const runs = set.pattern.matchAll(/\\u\{([0-9a-f]+)\}-\\u\{([0-9a-f]+)\}/g);
  return Array.from(
    runs,
    ([, from = '', to = '']) => Number(`0x${to}`) - Number(`0x${from}`) + 1,
  ).reduce((sum, size) => sum + size, 0);
}

describe('the character tables', () => {
  verifies('VAL-21', 'say their Unicode version, and equal a runtime of that version', () => {
    expect(codePointsUnicodeVersion).toBe('17.0');
    const isSameVersion = process.versions['unicode'] === codePointsUnicodeVersion;
    const differing = (set: { has: (point: number) => boolean }, pattern: RegExp): number[] =>
      allPoints.filter((point) => set.has(point) !== pattern.test(String.fromCodePoint(point)));
    // A newer runtime has more characters; the tables keep calling them unassigned.
    const allowed = isSameVersion ? 0 : 20_000;
    expect(differing(unassignedSet(), /^\p{Cn}$/u).length).toBeLessThanOrEqual(allowed);
    expect(differing(ignorableSet(), /^\p{DI}$/u).length).toBeLessThanOrEqual(allowed);
    expect(differing(wordSet(), /^[\p{L}\p{M}\p{N}]$/u).length).toBeLessThanOrEqual(allowed);
  });

  verifies('VAL-21', 'hold their sizes', () => {
    // All planes, the numbers of Unicode 17: 1,114,112 less 159,801 characters, 137,468 private,
    // 2,048 surrogates and 65 controls.
    expect(sizeOf(unassignedSet())).toBe(814_730);
    expect(sizeOf(ignorableSet())).toBe(4174);
    expect(sizeOf(wordSet())).toBe(150_139);
  });

  it('know scripts, and that shared characters have none', () => {
    const rows: readonly [string, string | undefined][] = [
      ['a', 'Latin'],
      ['а', 'Cyrillic'],
      ['α', 'Greek'],
      ['中', 'Han'],
      ['ー', undefined],
      ['1', undefined],
      ['\u0301', undefined],
      ['𞤀', 'Other'],
      ['\u{10ffff}', undefined],
    ];
    for (const [character, script] of rows) {
      expect(scriptOf(character.codePointAt(0) ?? 0), character).toBe(script);
    }
  });
});

describe('checkCritical', () => {
  it('accepts ordinary text of one script a word', () => {
    const texts = [
      '',
      'abc 123 ~',
      'Müller',
      'ООО Ромашка',
      '東京 ABC',
      'a–b',
      'Ωmega'.slice(1),
      '😀',
    ];
    for (const text of texts) expect(checkCritical(text), text).toBeUndefined();
  });

  verifies('VAL-20', 'refuses every ignorable at start, middle and end', () => {
    const missed = ignorables.filter((point) => {
      const character = String.fromCodePoint(point);
      const texts = [`${character}ab`, `a${character}b`, `ab${character}`];
      return texts.some((text, at) => checkCritical(text)?.at !== at);
    });
    expect(missed).toEqual([]);
  });

  verifies('VAL-20', 'names the reason', () => {
    const rows: readonly [string, string, number][] = [
      ['a\ud800', 'surrogate', 1],
      ['\udc00', 'surrogate', 0],
      ['\u0000', 'control', 0],
      ['a\t', 'control', 1],
      ['a\u007f', 'control', 1],
      ['a\u0085', 'control', 1],
      ['a\nb', 'line_break', 1],
      ['a\rb', 'line_break', 1],
      ['a\u200bb', 'ignorable', 1],
      ['a\u00adb', 'ignorable', 1],
      ['a\ufe0f', 'ignorable', 1],
      ['a\u202e', 'bidi', 1],
      ['a\u2066', 'bidi', 1],
      ['a\u{e0041}', 'tag', 1],
      ['a\ue000', 'private_use', 1],
      ['a\u{f0000}', 'private_use', 1],
      ['a\u0378', 'unassigned', 1],
      ['a\uffff', 'unassigned', 1],
      ['😀\u{1ffff}', 'unassigned', 2],
      ['cafe\u0301', 'not_nfc', 3],
      ['\u212a', 'not_nfc', 0],
      ['x gооd', 'mixed_script', 2],
      ['paypаl', 'mixed_script', 0],
      ['Αthens', 'mixed_script', 0],
      ['日本abc', 'mixed_script', 0],
      ['ok аb', 'mixed_script', 3],
    ];
    for (const [text, reason, at] of rows)
      expect(checkCritical(text), text).toEqual({ reason, at });
  });

  it('refuses everything without a character', () => {
    const units = Array.from({ length: 0xf900 - 0xd800 }, (_, n) =>
      String.fromCharCode(0xd800 + n),
    );
    expect(units.filter((unit) => checkCritical(unit) === undefined)).toEqual([]);
  });
});

describe('checkText', () => {
  it('accepts invisible characters that have a use', () => {
    for (const text of [
      '👩\u200d💻',
      'می\u200cخواهم',
      'a\u00adb',
      '\u200e',
      '☺\ufe0f',
      'a\tb',
      '\ue000',
      'cafe\u0301',
    ]) {
      expect(checkText(text, single), text).toBeUndefined();
    }
  });

  verifies('VAL-20', 'allows line breaks only where several lines are allowed', () => {
    for (const text of ['a\nb', 'a\r\nb', 'ä\r\nb', 'a\u2028b', 'a\u2029b']) {
      expect(checkText(text, single)?.reason, text).toBe('line_break');
      expect(checkText(text, multi), text).toBeUndefined();
    }
    for (const text of ['a\rb', 'ab\r', 'a\r\r\nb']) {
      expect(checkText(text, single)?.reason).toBe('line_break');
      expect(checkText(text, multi)?.reason).toBe('line_break');
    }
    for (const text of ['a\u000bb', 'a\u000cb', 'a\u0085b']) {
      expect(checkText(text, multi)?.reason).toBe('control');
    }
  });

  verifies('VAL-20', 'refuses controls, tags, reordering and unassigned characters', () => {
    const refused = [
      ...[...allPoints.slice(0, 0x20), 0x7f].filter((point) => ![9, 10, 13].includes(point)),
      ...allPoints.slice(0x80, 0xa0),
      ...allPoints.slice(0x202a, 0x202f),
      ...allPoints.slice(0x2066, 0x206a),
      ...allPoints.slice(0xe0000, 0xe0080),
      ...[0xd800, 0xdfff, 0x378, 0xffff, 0x10fffe],
    ];
    for (const point of refused) {
      const text = `a${String.fromCodePoint(point)}`;
      expect(checkText(text, multi)?.at, point.toString(16)).toBe(1);
      expect(checkText(text, single)?.at, point.toString(16)).toBe(1);
    }
  });

  it('gives a place inside the text for any fault', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, multiline) => {
        for (const fault of [checkText(text, { multiline }), checkCritical(text)]) {
          if (fault !== undefined) expect(fault.at).toBeLessThan(text.length);
        }
      }),
    );
  });
});

describe('isIgnorable', () => {
  it('holds for the invisible and not for their neighbours', () => {
    for (const point of [0xad, 0x200b, 0x2060, 0xfeff, 0xe0000, 0xe0fff]) {
      expect(isIgnorable(point)).toBe(true);
    }
    for (const point of [0x20, 0xac, 0xae, 0x200a, 0x2010, 0xfefe, 0xe1000]) {
      expect(isIgnorable(point)).toBe(false);
    }
  });
});
