import { describe, expect, it } from 'vitest';
import { openText, type SealKey, sealText } from './sealed-text.ts';

const key: SealKey = { secret: new Uint8Array(32).fill(1), label: 'intentplane/test/v1' };

describe('sealed text', () => {
  it('opens under its own secret and label only', () => {
    const sealed = sealText('näher', key);
    expect(openText(sealed, key)).toBe('näher');
    expect(openText(sealed, { ...key, secret: new Uint8Array(32).fill(2) })).toBeUndefined();
    expect(openText(sealed, { ...key, label: 'intentplane/test/v2' })).toBeUndefined();
    expect(openText(sealText('', key), key)).toBe('');
  });

  it('is another one each time and shows nothing of the text', () => {
    const sealed = sealText('a-secret-word', key);
    expect(sealed).not.toBe(sealText('a-secret-word', key));
    expect(sealed).toMatch(/^[\w-]+$/);
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('secret');
  });

  it('opens in one spelling, and after no change of a single character', () => {
    const sealed = sealText('approve', key);
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === 'A' ? 'B' : 'A';
      expect(
        openText(`${sealed.slice(0, at)}${other}${sealed.slice(at + 1)}`, key),
      ).toBeUndefined();
    }
    for (const spelling of [`${sealed}=`, ` ${sealed}`, `${sealed}\n`, sealed.slice(1), '', '=']) {
      expect(openText(spelling, key)).toBeUndefined();
    }
  });

  it('is not even decoded when it is too long', () => {
    expect(openText(sealText('x'.repeat(3_000), key), key)).toBe('x'.repeat(3_000));
    expect(openText(sealText('x'.repeat(4_000), key), key)).toBeUndefined();
  });
});
