// Asks for the owner's passcode at the terminal; never an argument, which other users could see.
import { createInterface } from 'node:readline/promises';
import { PasscodeGate } from '../approvals/passcode-gate.ts';
import type { Config } from '../config/config.ts';
import { type PasscodeString, parsePasscodeString } from '../core/checks/passcode-string.ts';
import { passcodeFailures } from '../server/passcode-failures.ts';
import type { Store } from '../stores/store.ts';
import type { CommandInput } from './command.ts';

/** What the answer in JSON calls a wrong passcode. */
type WrongPasscode = 'wrong passcode' | 'wrong passcode: nothing changed';

/** False when somebody else than the owner is at the terminal; they have their answer then. */
export async function isOwnerOrToldSo(
  { output }: CommandInput,
  { config, store }: { readonly config: Config; readonly store: Store },
  error: WrongPasscode = 'wrong passcode: nothing changed',
): Promise<boolean> {
  if (await isOwner(config, store)) return true;
  output.answer({ ok: false, error }, ['wrong passcode: nothing changed']);
  return false;
}

/** True when no passcode is set, or the owner types the right one. */
function isOwner({ approvals, mandate }: Config, store: Store): Promise<boolean> {
  // Not `approvals.passcode`: what a page takes does not say what the terminal asks for.
  const { passcodeText } = approvals;
  return isPersonAtTerminal({ store, handle: mandate.principal, passcodeText, isOwner: true });
}

/** True when this person types their passcode. The owner without one is believed, as everywhere at the terminal; nobody else is. */
export async function isPersonAtTerminal(about: {
  readonly store: Store;
  readonly handle: string;
  readonly passcodeText: string | undefined;
  readonly isOwner: boolean;
}): Promise<boolean> {
  const { store, handle, passcodeText, isOwner: isOwnerAsked } = about;
  if (passcodeText === undefined) return isOwnerAsked;
  const passcode = parsePasscodeString(passcodeText);
  return passcode !== undefined && askPasscode(passcode, { store, person: handle });
}

/** Reads one line without showing it. Wrong ones count towards the lock of the page. */
async function askPasscode(
  passcode: PasscodeString,
  context: { readonly store: Store; readonly person: string },
): Promise<boolean> {
  const failures = passcodeFailures(context.store, context.person);
  const gate = new PasscodeGate({ passcode, failures, nowMs: Date.now });
  const verdict = await gate.check(await readHidden('passcode: '));
  return verdict.kind === 'right';
}

/** One line from the terminal or from a pipe; empty when there is none. */
export async function readHidden(question: string): Promise<string> {
  const { stdin, stderr } = process;
  const reader = createInterface({ input: stdin, output: stderr, terminal: stdin.isTTY });
  try {
    // Without an end of its own the question would stay open for ever.
    const ended = new Promise<string>((resolve) => reader.once('close', () => resolve('')));
    const line = reader.question(question);
    if (stdin.isTTY) muteEcho(reader);
    return await Promise.race([line, ended]);
  } finally {
    reader.close();
    if (stdin.isTTY) stderr.write('\n');
  }
}

/** The question is on the screen already; what is typed is not echoed. */
function muteEcho(reader: object): void {
  Object.assign(reader, { _writeToOutput: () => {} });
}
