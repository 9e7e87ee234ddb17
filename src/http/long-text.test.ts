import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../core/sha256.ts';
import { closedTextId, renderText } from './long-text.ts';

describe('renderText', () => {
  it('shows up to 2,000 characters at once', () => {
    for (const text of ['x'.repeat(2_000), '😀'.repeat(2_000)]) {
      expect(closedTextId(text)).toBeUndefined();
      expect(renderText(text).text).not.toContain('<details');
    }
    expect(renderText('').text).toContain('(empty)');
  });

  it('closes one more, with length, hash and the whole text', () => {
    const text = 'x'.repeat(2_001);
    const digest = sha256Hex(text);
    expect(closedTextId(text)).toBe(digest.slice(0, 16));
    const { text: markup } = renderText(text);
    expect(markup).toContain(`<details class="long" data-text="${digest.slice(0, 16)}">`);
    expect(markup).toContain('2,001 characters');
    expect(markup).toContain(digest);
    expect(markup).toContain(text);
  });
});
