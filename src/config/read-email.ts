// E-mail addresses of people and of notices.
import { email, emailExact } from '../core/checks/email.ts';
import { err, ok, type Result } from '../core/result.ts';

/** Mail inside a company may go to names that no public list knows. */
const options = { allowUnknownSuffix: true };

/** The address with its domain in one spelling; an error says what to write. */
export function readEmail(text: string): Result<string, string> {
  const read = emailExact.normalise(text, options);
  return read.ok ? ok(String(read.canonical)) : err(`is no e-mail address: write ${read.hint}`);
}

/** Equal for addresses that differ in case only. */
export function emailKey(address: string): string {
  const read = email.normalise(address, options);
  return read.ok ? String(read.canonical) : address;
}
