import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase64, decodeBase64Url, encodeBase64, encodeBase64Url } from './base64.ts';

describe('base64', () => {
  it('encodes and decodes every length like the platform', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const buffer = Buffer.from(bytes);
        expect(encodeBase64(bytes)).toBe(buffer.toString('base64'));
        expect(encodeBase64Url(bytes)).toBe(buffer.toString('base64url'));
        expect(decodeBase64(encodeBase64(bytes))).toEqual({ ok: true, value: bytes });
        expect(decodeBase64Url(encodeBase64Url(bytes))).toEqual({ ok: true, value: bytes });
      }),
    );
  });

  it('decodes exactly the texts that encoding gives', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'AQgB+/-_= '), maxLength: 9 }), (text) => {
        const standard = decodeBase64(text);
        if (standard.ok) expect(encodeBase64(standard.value)).toBe(text);
        const url = decodeBase64Url(text);
        if (url.ok) expect(encodeBase64Url(url.value)).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses missing and surplus padding, spare bits, white space and the other alphabet', () => {
    for (const text of ['AA', 'AA=', 'A===', '====', 'AB==', 'AAB=', 'AA==\n', 'A A=', '-_==']) {
      expect(decodeBase64(text), text).toEqual({ ok: false, error: 'BASE64_INVALID' });
    }
    for (const text of ['A', 'AAAAA', 'AA==', 'AB', 'AAB', '+/A', 'AA\u0100', 'é']) {
      expect(decodeBase64Url(text), text).toEqual({ ok: false, error: 'BASE64_INVALID' });
    }
  });
});
