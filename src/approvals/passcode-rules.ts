// What a passcode may be, and how its string is written.
import { encodeBase64Url } from '../core/base64.ts';
import type { PasscodeString } from '../core/checks/passcode-string.ts';
import { err, ok, type Result } from '../core/result.ts';

/** Why a text cannot be a passcode. */
export type PasscodeFault = 'too_short' | 'too_long' | 'control_character' | 'not_text';

/** Bounds in characters (code points) of the NFC form. */
export const passcodeLength: { readonly min: number; readonly max: number } = { min: 8, max: 128 };

/** The form that is hashed: two keyboards that compose a letter differently type the same passcode. */
export function readPasscode(text: string): Result<string, PasscodeFault> {
  if (!text.isWellFormed()) return err('not_text');
  const passcode = text.normalize('NFC');
  if (/\p{Cc}/u.test(passcode)) return err('control_character');
  const length = [...passcode].length;
  if (length < passcodeLength.min) return err('too_short');
  return length > passcodeLength.max ? err('too_long') : ok(passcode);
}

/** `scrypt$<log2 N>$<r>$<p>$<salt>$<key>`, the spelling that is always written. */
export function formatPasscodeString({ log2N, r, p, salt, key }: PasscodeString): string {
  return ['scrypt', log2N, r, p, encodeBase64Url(salt), encodeBase64Url(key)].join('$');
}
