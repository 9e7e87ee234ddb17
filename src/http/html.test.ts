import { describe, expect, it } from 'vitest';
import { html, shown, shownInLines, withoutHidden } from './html.ts';

describe('html', () => {
  it('escapes texts and keeps markup', () => {
    const text = `<b title="a" id='b'>&\``;
    expect(html`<p>${text}${html`<i>${1}</i>`}${undefined}${[html`<u></u>`, 'x<']}</p>`.text).toBe(
      '<p>&lt;b title=&quot;a&quot; id=&#39;b&#39;&gt;&amp;&#96;<i>1</i><u></u>x&lt;</p>',
    );
  });
});

describe('shown', () => {
  const hidden = (name: string): string => `<span class="hidden">${name}</span>`;

  it('isolates the text and writes what cannot be seen by its number', () => {
    expect(shown('a<\u202eb\u200b\n').text).toBe(
      `<bdi>a&lt;${hidden('U+202E')}b${hidden('U+200B')}${hidden('U+000A')}</bdi>`,
    );
  });

  it('knows every kind of invisible character, and leaves the visible ones', () => {
    const invisible = [
      0x00, 0x09, 0x0d, 0x7f, 0x85, 0xa0, 0xad, 0x34f, 0x61c, 0x115f, 0x1680, 0x17b4, 0x180e,
      0x2003, 0x200e, 0x2028, 0x2029, 0x2060, 0x2066, 0x2800, 0x3000, 0x3164, 0xd800, 0xe000,
      0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xfdd0, 0x1d173, 0xe0041, 0xf0000, 0x10ffff,
    ];
    for (const code of invisible) {
      const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
      expect(shown(String.fromCodePoint(code)).text).toBe(`<bdi>${hidden(name)}</bdi>`);
    }
    const visible = 'Zürich, Łódź, 東京, مرحبا, 1 240,00 €';
    expect(shown(visible).text).toBe(`<bdi>${visible}</bdi>`);
  });

  it('keeps line breaks and tabs only in a box of its own', () => {
    expect(shownInLines('a\r\nb\tc\rd').text).toBe(`<bdi>a\nb\tc${hidden('U+000D')}d</bdi>`);
    expect(withoutHidden('a\u200b\r\nb')).toBe('a\nb');
  });
});
