import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hmacSha256, hmacSha256Base64Url, sha256, sha256Hex } from './sha256.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('sha256', () => {
  it('gives the digests of FIPS 180-4', () => {
    expect(hex(sha256(''))).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
    expect(hex(sha256('abc'))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });

  it('hashes a text as its UTF-8 bytes', () => {
    const text = 'é\u{1f600}\u0000';
    expect(sha256(text)).toEqual(sha256(new TextEncoder().encode(text)));
    expect(sha256Hex(text)).toBe(createHash('sha256').update(text, 'utf8').digest('hex'));
  });

  it('gives bytes on a buffer of their own', () => {
    expect(sha256('abc').buffer.byteLength).toBe(32);
  });
});

describe('hmacSha256', () => {
  it('gives the results of RFC 4231', () => {
    const cases = [
      {
        key: Buffer.alloc(20, 0x0b),
        data: 'Hi There',
        mac: 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
      },
      {
        key: Buffer.from('Jefe'),
        data: 'what do ya want for nothing?',
        mac: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
      },
      {
        key: Buffer.alloc(131, 0xaa),
        data: 'Test Using Larger Than Block-Size Key - Hash Key First',
        mac: '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
      },
    ];
    for (const { key, data, mac } of cases) {
      expect(hex(hmacSha256(key, data))).toBe(mac);
      expect(hex(hmacSha256(key, Buffer.from(data)))).toBe(mac);
    }
  });

  it('agrees with the platform for every message length around the buffer it reuses', () => {
    const key = sha256('key');
    for (const length of [0, 1, 5461, 5462, 16_384, 16_385, 100_000]) {
      const text = 'x'.repeat(length);
      const expected = createHmac('sha256', key).update(text).digest();
      expect(hmacSha256Base64Url(key, text), String(length)).toBe(expected.toString('base64url'));
      expect(hex(hmacSha256(key, Buffer.from(text)))).toBe(expected.toString('hex'));
    }
  });

  it('keeps nothing of a longer key or message for the next call', () => {
    hmacSha256(Buffer.alloc(64, 0xff), 'y'.repeat(1000));
    const expected = createHmac('sha256', 'k').update('é').digest('hex');
    expect(hex(hmacSha256(Buffer.from('k'), 'é'))).toBe(expected);
  });
});
