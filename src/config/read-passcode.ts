// A passcode string of the file, or of a file that it names.
import { type PasscodeString, parsePasscodeString } from '../core/checks/passcode-string.ts';
import { type BuildContext, reporter } from './build-context.ts';
import { type KeyPath, pathText } from './key-path.ts';
import { readSecret } from './read-secret.ts';

/** Below this, a stolen string is guessed sooner than it should be: log2 N of new strings. */
const log2NAdvised = 16;

export interface ReadPasscode {
  readonly text: string;
  readonly parsed: PasscodeString;
}

/** `table` holds the key `passcode`; undefined when there is none, or a problem was reported. */
export function readPasscode(
  given: string | undefined,
  context: BuildContext,
  table: KeyPath,
): ReadPasscode | undefined {
  if (given === undefined) return undefined;
  const report = reporter(context, table);
  const secret = readSecret(given, context);
  if (!secret.ok) {
    report(['passcode'], secret.error);
    return undefined;
  }
  const parsed = parsePasscodeString(secret.value);
  if (parsed === undefined) {
    report(['passcode'], 'is no passcode string: make one with `intentplane passcode`');
    return undefined;
  }
  if (parsed.log2N < log2NAdvised) {
    context.warnings.push(
      `[${pathText(table)}] passcode is hashed weakly: make a new one with \`intentplane passcode\``,
    );
  }
  return { text: secret.value, parsed };
}
