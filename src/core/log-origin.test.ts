import { describe, expect, it } from 'vitest';
import { isLogOrigin } from './log-origin.ts';

describe('isLogOrigin', () => {
  it('takes names that a signed note can carry', () => {
    for (const name of ['example.com/payments', 'bank-3f0a91c2', 'ä', 'x'.repeat(255)]) {
      expect(isLogOrigin(name), name).toBe(true);
    }
  });

  it('refuses empty and long names, spaces, plus signs, controls and half characters', () => {
    const spaces = ['a b', 'a\tb', 'a\nb', 'a\u00a0b', 'a\u2003b', 'a\u0085b', 'a\u3000b'];
    const others = ['', 'a+b', 'a\u0000', 'a\u007f', 'a\ud800', 'x'.repeat(256), 'é'.repeat(128)];
    for (const name of [...spaces, ...others]) {
      expect(isLogOrigin(name), JSON.stringify(name)).toBe(false);
    }
  });
});
