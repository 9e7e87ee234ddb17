import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../json-value.ts';
import { checkTextsInside, isOneLineName } from './texts-inside.ts';

const faults = (value: JsonValue, path = 'body'): readonly string[] =>
  checkTextsInside(value, path).map((fault) => `${fault.path} ${fault.detail}`);
const tag = '\u{e0041}';

describe('checkTextsInside', () => {
  it('takes texts, numbers, lists and objects without hidden characters', () => {
    expect(faults({ a: ['x\ny', 1, true, null], b: { c: JSON.rawJSON('1.0') } })).toEqual([]);
  });

  it('names the place of every hidden character', () => {
    expect(faults([{ note: `a${tag}` }, 'b\u202e'])).toEqual(['body[0].note tag', 'body[1] bidi']);
  });

  it('wants one line where the key says so', () => {
    expect(faults({ subject: 'a\nb', text: 'a\nb', titles: ['a\rb'] })).toEqual([
      'body.subject line_break',
      'body.titles[0] line_break',
    ]);
    expect(faults('a\nb', 'message.subject')).toEqual(['message.subject line_break']);
    expect(faults('a\nb', 'subject.text')).toEqual([]);
  });

  it('looks at keys too, and does not repeat a bad one', () => {
    expect(faults({ [`a${tag}`]: 'x' })).toEqual(['body tag']);
    expect(faults({ 'a\nb': 'x' })).toEqual(['body line_break']);
  });
});

describe('isOneLineName', () => {
  it('knows the names of headers', () => {
    for (const name of ['subject', 'Title', 'payment_reference', 'fileName']) {
      expect(isOneLineName(name), name).toBe(true);
    }
    expect(isOneLineName('body')).toBe(false);
  });
});
