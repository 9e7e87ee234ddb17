// Passcode strings of the owner and of people: from the file itself or from a file of their own.
import { type PasscodeString, parsePasscodeString } from '../core/checks/passcode-string.ts';
import type { BuildContext, Report } from './build-context.ts';
import { readSecret } from './read-secret.ts';

/** A passcode, and the string that it was read from. */
export interface ReadPasscode {
  readonly passcode: PasscodeString;
  readonly text: string;
}

/** Below this, a stolen string is guessed sooner than it should be: log2 N of new strings. */
const log2NAdvised = 16;

interface Reading {
  readonly context: BuildContext;
  readonly report: Report;
  /** Beginning of the sentence of a warning. */
  readonly of: string;
}

/** Undefined when there is none; a text that is no passcode string is reported. */
export function readPasscode(
  text: string | undefined,
  { context, report, of }: Reading,
): ReadPasscode | undefined {
  if (text === undefined) return undefined;
  const secret = readSecret(text, context);
  if (!secret.ok) {
    report(['passcode'], secret.error);
    return undefined;
  }
  const passcode = parsePasscodeString(secret.value);
  if (passcode === undefined) {
    report(['passcode'], 'is no passcode string: make one with `intentplane passcode`');
    return undefined;
  }
  if (passcode.log2N < log2NAdvised) {
    context.warnings.push(
      `${of} passcode is hashed weakly: make a new one with \`intentplane passcode\``,
    );
  }
  return { passcode, text: secret.value };
}
