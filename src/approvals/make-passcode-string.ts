// The passcode string for `[approvals] passcode`, from a passcode that was typed.
import { randomBytes } from 'node:crypto';
import { ok, type Result } from '../core/result.ts';
import { hashPasscode } from './hash-passcode.ts';
import { formatPasscodeString, type PasscodeFault, readPasscode } from './passcode-rules.ts';

/** 64 MiB and 0.2 to 0.6 s for each try. */
const cost = { log2N: 16, r: 8, p: 2 } as const;
const saltSizeBytes = 16;

/** A new salt each time: equal passcodes give different strings. */
export async function makePasscodeString(text: string): Promise<Result<string, PasscodeFault>> {
  const passcode = readPasscode(text);
  if (!passcode.ok) return passcode;
  const salt = randomBytes(saltSizeBytes);
  const key = await hashPasscode(passcode.value, { ...cost, salt });
  return ok(formatPasscodeString({ ...cost, salt, key }));
}
