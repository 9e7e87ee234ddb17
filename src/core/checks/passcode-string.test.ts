import { describe, expect, it } from 'vitest';
import { parsePasscodeString } from './passcode-string.ts';

const salt = Uint8Array.from({ length: 16 }, (_unused, index) => index * 15 + 3);
const key = Uint8Array.from({ length: 32 }, (_unused, index) => 255 - index);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const base64Url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const own = `scrypt$16$8$2$${base64Url(salt)}$${base64Url(key)}`;

describe('parsePasscodeString', () => {
  it('reads the spelling that is written', () => {
    expect(parsePasscodeString(own)).toEqual({ log2N: 16, r: 8, p: 2, salt, key });
  });

  it('reads salt and key in hex and in padded base64, also mixed', () => {
    const spellings = [
      `scrypt$16$8$2$${hex(salt)}$${hex(key)}`,
      `scrypt$16$8$2$${hex(salt).toUpperCase()}$${base64(key)}`,
      `scrypt$16$8$2$${base64(salt)}$${base64Url(key)}`,
    ];
    for (const text of spellings) {
      expect(parsePasscodeString(text), text).toEqual({ log2N: 16, r: 8, p: 2, salt, key });
    }
  });

  it('reads N itself in place of its logarithm', () => {
    const withN = (n: number | string): number | undefined =>
      parsePasscodeString(own.replace('$16$', `$${n}$`))?.log2N;
    expect(withN(16_384)).toBe(14);
    expect(withN(131_072)).toBe(17);
    expect(withN(14)).toBe(14);
    expect(withN(17)).toBe(17);
  });

  it('refuses a cost outside 2^14 to 2^17, or no power of two', () => {
    for (const n of ['13', '18', '8192', '262144', '65535', '0', '-16', '16.0', '1e5', '']) {
      expect(parsePasscodeString(own.replace('$16$', `$${n}$`)), n).toBeUndefined();
    }
  });

  it('refuses any r but 8 and any p outside 1 to 4', () => {
    expect(parsePasscodeString(own.replace('$8$2$', '$8$1$'))?.p).toBe(1);
    expect(parsePasscodeString(own.replace('$8$2$', '$8$4$'))?.p).toBe(4);
    for (const [rp, wrong] of [
      ['$8$2$', '$8$0$'],
      ['$8$2$', '$8$5$'],
      ['$8$2$', '$16$2$'],
      ['$8$2$', '$8$$'],
    ] as const) {
      expect(parsePasscodeString(own.replace(rp, wrong)), wrong).toBeUndefined();
    }
  });

  it('refuses another scheme, a missing or further part, and a salt or key of another length', () => {
    const parts = own.split('$');
    const wrong = [
      own.replace('scrypt', 'bcrypt'),
      own.replace('scrypt', 'SCRYPT'),
      parts.slice(0, 5).join('$'),
      `${own}$x`,
      ` ${own}`,
      `scrypt$16$8$2$${base64Url(salt.subarray(1))}$${base64Url(key)}`,
      `scrypt$16$8$2$${base64Url(salt)}$${base64Url(key.subarray(1))}`,
      `scrypt$16$8$2$${hex(salt)}00$${hex(key)}`,
      `scrypt$16$8$2$${'!'.repeat(22)}$${base64Url(key)}`,
      'correct horse battery staple',
      '',
    ];
    for (const text of wrong) expect(parsePasscodeString(text), text).toBeUndefined();
  });
});
