import { describe, expect, it } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import { parsePasscodeString } from '../core/checks/passcode-string.ts';
import { hashPasscode } from './hash-passcode.ts';
import { makePasscodeString } from './make-passcode-string.ts';
import { formatPasscodeString, readPasscode } from './passcode-rules.ts';

describe('makePasscodeString', () => {
  verifies(
    'APR-13',
    'makes a string that opens with the passcode and with no other',
    async () => {
      const made = await makePasscodeString('correct horse');
      const text = made.ok ? made.value : '';
      expect(text).toMatch(/^scrypt\$16\$8\$2\$[\w-]{22}\$[\w-]{43}$/);
      const parsed = parsePasscodeString(text);
      if (parsed === undefined) throw new Error('the string does not parse');
      expect(await hashPasscode('correct horse', parsed)).toEqual(Buffer.from(parsed.key));
      expect(await hashPasscode('correct horsf', parsed)).not.toEqual(Buffer.from(parsed.key));
      expect(await makePasscodeString('correct horse')).not.toEqual(made);
    },
    60_000,
  );

  it('takes 8 to 128 characters, and says what is wrong with others', async () => {
    const faultOf = (text: string): unknown => {
      const read = readPasscode(text);
      return read.ok ? 'fine' : read.error;
    };
    expect(faultOf('1234567')).toBe('too_short');
    expect(faultOf('12345678')).toBe('fine');
    expect(faultOf('🔑'.repeat(8))).toBe('fine');
    expect(faultOf('x'.repeat(128))).toBe('fine');
    expect(faultOf('x'.repeat(129))).toBe('too_long');
    expect(faultOf('12345678\n')).toBe('control_character');
    expect(faultOf('1234567\ud800')).toBe('not_text');
    expect(await makePasscodeString('short')).toEqual({ ok: false, error: 'too_short' });
  });

  it('takes a letter and its accent typed apart for the composed letter', () => {
    expect(readPasscode('Cafe\u0301 noir')).toEqual(readPasscode('Caf\u00e9 noir'));
  });
});

describe('passcode strings', () => {
  const salt = Uint8Array.from({ length: 16 }, (_, at) => at);
  const key = Uint8Array.from({ length: 32 }, (_, at) => 255 - at);
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  const own = formatPasscodeString({ log2N: 16, r: 8, p: 2, salt, key });

  verifies('APR-13', 'are read in every spelling of cost, salt and key', () => {
    const wanted = { log2N: 16, r: 8, p: 2, salt, key };
    for (const spelling of [
      own,
      `scrypt$65536$8$2$${hex(salt)}$${hex(key)}`,
      `scrypt$16$8$2$${hex(salt).toUpperCase()}$${base64(key)}`,
      `scrypt$65536$8$2$${base64(salt)}$${base64(key).replaceAll('=', '')}`,
    ]) {
      expect(parsePasscodeString(spelling), spelling).toEqual(wanted);
    }
  });

  verifies('APR-13', 'are refused outside their bounds', () => {
    const withCost = (cost: string): string => own.replace('scrypt$16$8$2', cost);
    for (const text of [
      '',
      'correct horse',
      withCost('scrypt$13$8$2'),
      withCost('scrypt$18$8$2'),
      withCost('scrypt$8192$8$2'),
      withCost('scrypt$65537$8$2'),
      withCost('scrypt$16$16$2'),
      withCost('scrypt$16$8$0'),
      withCost('scrypt$16$8$5'),
      withCost('bcrypt$16$8$2'),
      `${own}$`,
      own.slice(0, -1),
    ]) {
      expect(parsePasscodeString(text), text).toBeUndefined();
    }
    for (const cost of ['scrypt$14$8$1', 'scrypt$17$8$4', 'scrypt$16384$8$1']) {
      expect(parsePasscodeString(withCost(cost)), cost).toBeDefined();
    }
  });
});
