import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText } from './stored-text.ts';

describe('encodeText', () => {
  const unit = fc.constantFrom('\u0000', '\u001a', '0', '1', 'a', '€', '😀');

  it('gives every text back, and has no U+0000', () => {
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const stored = encodeText(text);
        expect(stored).not.toContain('\u0000');
        expect(decodeText(stored)).toBe(text);
      }),
    );
  });

  it('keeps ordinary texts as they are', () => {
    expect(encodeText('{"a":"\\u0000"}')).toBe('{"a":"\\u0000"}');
  });

  it('refuses a lone surrogate', () => {
    expect(() => encodeText('a\ud800b')).toThrow('lone surrogate');
  });
});
